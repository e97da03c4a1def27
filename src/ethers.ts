// tickchain for ethers: a provider to which events are pushed, so that nothing polls, no timer runs and the network
// is known. Nothing else in the package imports ethers.

import { makeError, Network, SocketProvider, type Subscriber, type Subscription } from 'ethers'
import type { Emulator } from './emulator.ts'
import { type LiveSubscription, subscribe } from './subscribe.ts'

interface RpcFailure {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/**
 * Looks for a transaction's receipt now and at every block. ethers' own follower looks first and listens then, and
 * misses a block that is sealed in between.
 */
function followTransaction(provider: EmulatorProvider, hash: string): Subscriber {
  const look = async (): Promise<void> => {
    const receipt = await provider.getTransactionReceipt(hash).catch(() => null)
    if (receipt !== null) await provider.emit(hash, receipt)
  }
  const start = (): void => void provider.on('block', look).then(look)
  const stop = (): void => void provider.off('block', look)
  return { start, stop, pause: stop, resume: start }
}

/**
 * An ethers provider over an emulator. `provider.on('block')`, `contract.on` and `tx.wait()` hear of events through
 * subscriptions as the clock moves; requests are answered without the pauses in which ethers gathers batches. What
 * ethers hands to listeners has arrived when a request that is made after the clock has moved is answered.
 *
 * @throws ethers' own errors, which have the emulator's at `info.error`
 * @example
 * const provider = new EmulatorProvider(chain)
 * const signer = await provider.getSigner()
 */
export class EmulatorProvider extends SocketProvider {
  private readonly emulator: Emulator
  private readonly subscriptions = new Map<unknown, LiveSubscription>()
  private requests = 0

  constructor(emulator: Emulator) {
    // Named as a static network only: ethers announces any other by a timer.
    super(undefined, { staticNetwork: Network.from(emulator.settings.chainId), cacheTimeout: -1 })
    this.emulator = emulator
  }

  /** An emulator in the process is always there. */
  override get ready(): boolean {
    return true
  }

  override _getSubscriber(subscription: Subscription): Subscriber {
    if (subscription.type !== 'transaction') return super._getSubscriber(subscription)
    return followTransaction(this, subscription.hash)
  }

  /** Answers one request at once. */
  override async send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    this.requests++
    const payload = { id: this.requests, jsonrpc: '2.0', method, params: params as unknown[] } as const
    void this.emit('debug', { action: 'sendRpcPayload', payload })
    const settled = await this.answer(method, payload.params).then(
      (result) => ({ id: payload.id, result: result ?? null }),
      ({ code, message, data }: RpcFailure) => ({
        id: payload.id,
        error: { code, message, ...(data === undefined ? {} : { data }) },
      }),
    )
    void this.emit('debug', { action: 'receiveRpcResult', result: [settled] })
    // A subscription that comes too late has ended by itself, and ethers does not expect it to fail.
    if (this.destroyed && method !== 'eth_subscribe') {
      const operation = { operation: method }
      throw makeError('provider destroyed; cancelled request', 'UNSUPPORTED_OPERATION', operation)
    }
    if ('error' in settled) throw this.getRpcError(payload, settled)
    return settled.result
  }

  private async answer(method: string, params: readonly unknown[]): Promise<unknown> {
    if (method === 'eth_subscribe') return this.subscribe(params)
    if (method !== 'eth_unsubscribe') return this.emulator.request(method, params)
    const live = this.subscriptions.get(params[0])
    this.subscriptions.delete(params[0])
    return live?.end() ?? false
  }

  private async subscribe(params: readonly unknown[]): Promise<unknown> {
    const live = await subscribe(this.emulator, params, (subscription, result) => {
      const message = { jsonrpc: '2.0', method: 'eth_subscription', params: { subscription, result } }
      void this._processMessage(JSON.stringify(message))
    })
    if (this.destroyed) await live.end()
    else this.subscriptions.set(live.id, live)
    return live.id
  }

  /** Ends the provider and its subscriptions; the emulator lives on. */
  override async destroy(): Promise<void> {
    super.destroy()
    const live = [...this.subscriptions.values()]
    this.subscriptions.clear()
    await Promise.all(live.map((subscription) => subscription.end()))
  }
}
