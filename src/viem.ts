// The viem entry: a transport without retries and with pushed events, a chain definition with the block times, and
// actions that wait on the virtual clock. Nothing else in the package imports viem.

import {
  BlockNotFoundError,
  type Chain,
  type Client,
  type CustomTransport,
  createTransport,
  custom,
  defineChain,
  type GetBlockParameters,
  type Transport,
  type WaitForTransactionReceiptParameters,
  type WaitForTransactionReceiptReturnType,
  type WatchBlockNumberParameters,
  type WebSocketTransport,
} from 'viem'
import { getBlock, waitForTransactionReceipt } from 'viem/actions'
import type { Emulator } from './emulator/emulator.ts'
import type { EmulatorEvents } from './emulator/events.ts'
import type { Provider } from './emulator/polling.ts'
import { subscribe } from './emulator/subscribe.ts'

/** `subscribe` of viem's own WebSocket transport. */
type Subscribe = NonNullable<ReturnType<WebSocketTransport>['value']>['subscribe']

/** A viem transport with pushed events, of the type that viem calls IPC. */
export type EmulatorTransport = Transport<'ipc', { readonly subscribe: Subscribe }>

const IDENTITY = { key: 'tickchain', name: 'tickchain', retryCount: 0 }

function pushTransport(chain: Emulator): EmulatorTransport {
  const subscribeTo: Subscribe = async ({ params, onData, onError }) => {
    try {
      const { id, end } = await subscribe(chain, params, (result, subscription) =>
        onData({ subscription, result } as never),
      )
      const unsubscribe = async () => ({ id: 1, jsonrpc: '2.0' as const, result: await end() })
      return { subscriptionId: id, unsubscribe }
    } catch (error) {
      onError?.(error)
      throw error
    }
  }
  const request = (call: unknown): Promise<never> =>
    chain.request(call as { method: string }) as Promise<never>
  return () => createTransport({ ...IDENTITY, request, type: 'ipc' }, { subscribe: subscribeTo })
}

/**
 * A transport over an emulator. viem's own `custom()` repeats a reverted request three times, in real time, because it
 * does not know the code; this one asks once. Over an emulator watchers get events as the clock moves, without polling;
 * over another provider, such as that of `advanceOnPoll`, they poll.
 *
 * @param chain The emulator.
 * @param provider Or a provider over one.
 * @see viem's `Transport`
 * @example
 * const client = createPublicClient({ transport: emulatorTransport(chain) })
 * await client.getBlockNumber() // => 0n
 */
export function emulatorTransport(chain: Emulator): EmulatorTransport
export function emulatorTransport(provider: Provider): CustomTransport
export function emulatorTransport(chain: Emulator | Provider): EmulatorTransport | CustomTransport {
  return 'settings' in chain ? pushTransport(chain) : custom(chain, IDENTITY)
}

/** How a client reads. */
export interface EmulatorChainOptions {
  /** The state for reads without a block tag: pre-confirmed or sealed. Default 'latest'. */
  readonly reads?: 'pending' | 'latest'
}

/**
 * A viem chain for an emulator: its id and block time, Multicall3 if it is predeployed and, with `reads: 'pending'`,
 * viem's support for pre-confirmations: reads and waits use the block being built.
 *
 * @param chain The emulator.
 * @param options How clients read.
 * @see viem's `Chain`
 * @example
 * const client = createWalletClient({ chain: emulatorChain(chain), transport: emulatorTransport(chain) })
 * client.chain.id // => 31337
 */
export function emulatorChain(chain: Emulator, options: EmulatorChainOptions = {}): Chain {
  const { chainId, blockTimeMs, partialBlockTimeMs, predeploys } = chain.settings
  const multicall3 = { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } as const
  const definition = defineChain({
    id: chainId,
    name: 'tickchain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockTime: blockTimeMs,
    ...(predeploys.includes('multicall3') ? { contracts: { multicall3 } } : {}),
    ...(options.reads === 'pending' ? { experimental_preconfirmationTime: partialBlockTimeMs } : {}),
  })
  // A getter, because a test may change the chain id, and existing clients must sign for the new one.
  return Object.defineProperty(definition, 'id', { get: () => chain.settings.chainId })
}

/**
 * The configuration of a viem client for an emulator: its chain, its transport, no cache, and short pauses instead of
 * those that viem derives from the block time.
 *
 * @param chain The emulator.
 * @param options How the client reads.
 * @see viem's `createPublicClient`, `createWalletClient` and `createTestClient`
 * @example
 * const client = createPublicClient(emulatorConfig(chain))
 * await client.getBlockNumber() // => 0n
 */
export function emulatorConfig(chain: Emulator, options: EmulatorChainOptions = {}) {
  return {
    chain: emulatorChain(chain, options),
    transport: emulatorTransport(chain),
    cacheTime: 0,
    pollingInterval: 10,
  }
}

/**
 * Calls `look` for every block that may hold a transaction, in order and one at a time: the open block after each
 * non-empty partial block, and each sealed block. Of consecutive empty blocks it looks at the last one only.
 */
function followClock(
  chain: Emulator,
  look: (number: bigint) => unknown,
  onError: (error: unknown) => void,
): () => void {
  let isEnded = false
  let isLooking = false
  const due: { readonly number: number; readonly isEmpty: boolean }[] = []
  const lookWhileDue = async (): Promise<void> => {
    isLooking = true
    try {
      for (let next = due.shift(); next !== undefined && !isEnded; next = due.shift()) {
        await look(BigInt(next.number))
      }
    } finally {
      isLooking = false
    }
  }
  const add = (number: number, isEmpty: boolean): void => {
    if (due.at(-1)?.isEmpty === true) due.pop()
    due.push({ number, isEmpty })
    if (!isLooking) lookWhileDue().catch(onError)
  }
  const onPartial = ({ blockNumber, transactionHashes }: EmulatorEvents['partialBlock']): void => {
    if (transactionHashes.length > 0) add(blockNumber, false)
  }
  const onSealed = ({ number, transactionHashes }: EmulatorEvents['sealedBlock']): void =>
    add(number, transactionHashes.length === 0)
  chain.on('partialBlock', onPartial)
  chain.on('sealedBlock', onSealed)
  chain.request({ method: 'eth_blockNumber' }).then((head) => add(Number(head), true), onError)
  return () => {
    isEnded = true
    chain.removeListener('partialBlock', onPartial)
    chain.removeListener('sealedBlock', onSealed)
  }
}

/**
 * Actions for a client over an emulator: a `waitForTransactionReceipt` that follows the virtual clock, without a timer.
 * It resolves when the transaction, or its replacement, is pre-confirmed. It has no time-out by default; one that is
 * given is in real time.
 *
 * @param chain The emulator.
 * @see viem's `waitForTransactionReceipt`
 * @example
 * const client = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
 * const waiting = client.waitForTransactionReceipt({ hash })
 * await chain.advance(200)
 * const { status } = await waiting
 * status // => 'success'
 */
export function emulatorActions(chain: Emulator) {
  return <Definition extends Chain | undefined>(client: Client<Transport, Definition>) => ({
    waitForTransactionReceipt: (
      parameters: WaitForTransactionReceiptParameters<Definition>,
    ): Promise<WaitForTransactionReceiptReturnType<Definition>> =>
      new Promise((resolve, reject) => {
        const watchBlockNumber = ({ onBlockNumber }: WatchBlockNumberParameters) =>
          followClock(chain, (head) => onBlockNumber(head, undefined), reject)
        // A number that is not sealed yet is the open block, which may pre-confirm a replacement.
        const getBlockHere = async (query: GetBlockParameters<true>) =>
          getBlock(client, { ...query, includeTransactions: true }).catch((error) => {
            if (!(error instanceof BlockNotFoundError)) throw error
            return getBlock(client, { blockTag: 'pending', includeTransactions: true })
          })
        const follower = { ...client, watchBlockNumber, getBlock: getBlockHere }
        waitForTransactionReceipt(follower, { timeout: 0, ...parameters }).then(resolve, reject)
      }),
  })
}
