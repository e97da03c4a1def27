// The ethers entry: a provider with pushed events, without polling and timers, and with a fixed network. Nothing else
// in the package imports ethers.

import {
  type BlockTag,
  JsonRpcApiProvider,
  type JsonRpcPayload,
  type JsonRpcResult,
  type LogParams,
  makeError,
  Network,
  type Subscriber,
  type Subscription,
  type TransactionReceipt,
} from 'ethers'
import type { Emulator } from './core/emulator/api.ts'
import { argument, refuseCall, refuseUnlessEmulator } from './core/emulator/checks.ts'
import { accessOf, type ClientAccess, readsOption, subscribe } from './core/emulator/client-access.ts'
import { callersHere, showTrace } from './core/primitives/callers.ts'
import { numberFrom } from './core/rpc/codecs/codec.ts'
import type { ErrorObject } from './core/rpc/envelope.ts'

type RpcSettlement = JsonRpcResult | { readonly id: number; readonly error: ErrorObject }

interface Answered {
  readonly settled: RpcSettlement
  readonly cause?: unknown
}

/**
 * The error of ethers with that of the emulator, which has the Solidity stack trace, as its cause. It begins with the
 * callers: ethers' own frames would leave no room for them.
 */
function withCause(error: Error, cause: unknown): Error {
  showTrace(error, { lines: [], callers: callersHere() })
  return Object.defineProperty(error, 'cause', { value: cause, configurable: true, writable: true })
}

/** Options of `EmulatorProvider`. */
export interface EmulatorProviderOptions {
  /**
   * The state for reads without a block tag, and the logs for listeners: pre-confirmed or sealed. Default 'latest'.
   * `queryFilter` and `getLogs` end at 'latest' unless they name another block.
   */
  readonly reads?: 'pending' | 'latest'
}

/** The network of an emulator. The chain id is a getter, because a test may change it. */
function networkOf(emulator: Emulator): Network {
  refuseUnlessEmulator('EmulatorProvider', emulator)
  const network = Network.from(emulator.settings.chainId)
  return Object.defineProperty(network, 'chainId', { get: () => BigInt(emulator.settings.chainId) })
}

/**
 * An ethers provider over an emulator. `provider.on('block')`, `contract.on` and `tx.wait()` use subscriptions, which
 * deliver as the clock moves; requests are answered at once, without ethers' batching. When a call that moves the clock
 * resolves, ethers' listeners have been called, and the waits that it satisfies are over.
 *
 * Its errors are those of ethers, with the emulator's error as `info.error`.
 *
 * @see ethers' `JsonRpcApiProvider`
 * @example
 * const provider = new EmulatorProvider(chain)
 * const signer = await provider.getSigner()
 * signer.address // => '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
 */
export class EmulatorProvider extends JsonRpcApiProvider {
  private readonly emulator: Emulator
  private readonly access: ClientAccess
  private readonly reads: 'pending' | undefined
  private requests = 0

  /**
   * @param emulator The emulator to ask.
   * @param options What is read.
   */
  constructor(emulator: Emulator, options: EmulatorProviderOptions = {}) {
    // Only as `staticNetwork`: ethers would announce any other network by a timer.
    super(undefined, { staticNetwork: networkOf(emulator), cacheTimeout: -1 })
    this.emulator = emulator
    this.reads = readsOption(options) === 'pending' ? 'pending' : undefined
    this.access = accessOf('EmulatorProvider', emulator)
    // ethers asks several times before it knows that a wait is over.
    this.access.waitForClients()
  }

  /** True: the emulator runs in this process. */
  override get ready(): boolean {
    return true
  }

  /** The tag of reads without one is that of the option. */
  override _getBlockTag(blockTag?: BlockTag): string | Promise<string> {
    return super._getBlockTag(blockTag ?? this.reads)
  }

  /** Answers a request at once; ethers would collect a batch, by a timer. */
  override async send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    this.requests++
    const payload: JsonRpcPayload = { id: this.requests, jsonrpc: '2.0', method, params: params as unknown[] }
    void this.emit('debug', { action: 'sendRpcPayload', payload })
    const { settled, cause } = await this.settle(payload)
    void this.emit('debug', { action: 'receiveRpcResult', result: [settled] })
    if (this.destroyed) {
      const operation = { operation: method }
      throw makeError('provider destroyed; cancelled request', 'UNSUPPORTED_OPERATION', operation)
    }
    if ('error' in settled) throw withCause(this.getRpcError(payload, settled), cause)
    return settled.result
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<JsonRpcResult[]> {
    const payloads = Array.isArray(payload) ? payload : [payload]
    return Promise.all(payloads.map(async (each) => (await this.settle(each)).settled as JsonRpcResult))
  }

  private settle({ id, method, params }: JsonRpcPayload): Promise<Answered> {
    return this.emulator.request(method, params).then(
      (result) => ({ settled: { id, result: result ?? null } }),
      (cause: ErrorObject) => {
        const { code, message, data } = cause
        return { cause, settled: { id, error: { code, message, ...(data === undefined ? {} : { data }) } } }
      },
    )
  }

  /** ethers' own looks before it listens, and so misses blocks that one call seals in between. */
  override async waitForTransaction(hash: string, confirms?: number | null, timeout?: number | null) {
    const needed = argument('waitForTransaction', 'confirms', confirms ?? 1, numberFrom(0))
    if (timeout != null && !(timeout >= 0))
      refuseCall('waitForTransaction', 'a timeout in milliseconds, from 0', timeout)
    if (needed === 0) return this.getTransactionReceipt(hash)
    const end = this.access.noteWait(hash)
    return new Promise<TransactionReceipt>((resolve, reject) => {
      const look = async (): Promise<void> => {
        // As in ethers, a request that fails is made again with the next block.
        const receipt = await this.getTransactionReceipt(hash).catch(() => null)
        const confirmations = await receipt?.confirmations().catch(() => 0)
        if (receipt === null || confirmations === undefined || confirmations < needed) return
        stop()
        resolve(receipt)
      }
      const stop = (): void => {
        end()
        if (timer !== undefined) this._clearTimeout(timer)
        void this.off('block', look)
      }
      const expire = (): void => {
        stop()
        reject(makeError('timeout', 'TIMEOUT', { operation: 'waitForTransaction', reason: 'timeout' }))
      }
      const timer = timeout == null ? undefined : this._setTimeout(expire, timeout)
      void this.on('block', look).then(look)
    })
  }

  override _getSubscriber(subscription: Subscription): Subscriber {
    switch (subscription.type) {
      case 'block':
        return this.follow(['newHeads'], (head) =>
          this.emit('block', Number((head as { number: string }).number)),
        )
      case 'pending':
        return this.follow(['newPendingTransactions'], (hash) => this.emit('pending', hash))
      case 'event': {
        const { filter } = subscription
        return this.follow([this.reads === 'pending' ? 'pendingLogs' : 'logs', filter], (log) =>
          this.emit(filter, this._wrapLog(log as LogParams, this._network)),
        )
      }
      case 'transaction':
        return this.followTransaction(subscription.hash)
      default:
        return super._getSubscriber(subscription)
    }
  }

  /** A subscriber that passes the results of a subscription to `hear`. */
  private follow(params: readonly unknown[], hear: (result: unknown) => Promise<unknown>): Subscriber {
    let live: ReturnType<typeof subscribe> | undefined
    const start = (): void => {
      // ethers starts subscribers asynchronously, perhaps after `destroy`.
      if (this.destroyed) return
      live = subscribe(this.emulator, params, (result) => void hear(result))
      live.catch((error) => this.emit('error', error))
    }
    const stop = (): void => {
      // Nothing to end if the subscription has failed, or its emulator is disposed of.
      live?.then(({ end }) => end()).catch(() => undefined)
    }
    return { start, stop, pause: stop, resume: start }
  }

  /**
   * Looks for a transaction's receipt now and at every block. ethers' own subscriber looks before it listens, and so
   * misses a block that is sealed in between.
   */
  private followTransaction(hash: string): Subscriber {
    const look = async (): Promise<void> => {
      const receipt = await this.getTransactionReceipt(hash).catch(() => null)
      if (receipt !== null) await this.emit(hash, receipt)
    }
    let end = (): void => {}
    const start = (): void => {
      end = this.access.noteWait(hash)
      void this.on('block', look).then(look)
    }
    const stop = (): void => {
      end()
      void this.off('block', look)
    }
    return { start, stop, pause: stop, resume: start }
  }
}
