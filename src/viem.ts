// The viem entry: a transport without retries and with pushed events, a chain definition with the block times, and
// actions that wait on the virtual clock. Nothing else in the package imports viem.

import {
  type BlockTag,
  type Chain,
  type Client,
  type CustomTransport,
  createTransport,
  custom,
  defineChain,
  formatBlock,
  formatTransaction,
  formatTransactionReceipt,
  type Hash,
  publicActions,
  type ReplacementReason,
  type Transaction,
  type Transport,
  type WaitForTransactionReceiptParameters,
  type WaitForTransactionReceiptReturnType,
  WaitForTransactionReceiptTimeoutError,
  type WatchBlocksParameters,
  type WatchBlocksReturnType,
  type WebSocketTransport,
} from 'viem'
import type { Emulator } from './core/emulator/api.ts'
import { refuseCall, refuseUnlessEmulator } from './core/emulator/checks.ts'
import * as clientAccess from './core/emulator/client-access.ts'
import type { Provider } from './core/emulator/polling.ts'
import type { InclusionOutcome } from './core/rpc/events/waits.ts'
import { L2_CONTRACTS } from './tools/pair/contracts.ts'

/** `subscribe` of viem's own WebSocket transport. */
type Subscribe = NonNullable<ReturnType<WebSocketTransport>['value']>['subscribe']

/** A viem transport with pushed events, of the type that viem calls IPC. */
export type EmulatorTransport = Transport<'ipc', { readonly subscribe: Subscribe }>

const IDENTITY = { key: 'tickchain', name: 'tickchain', retryCount: 0 }

interface Call {
  readonly method: string
  readonly params?: readonly unknown[]
}

/** A request for logs up to the block being built, if the client leaves the end of the range out. */
function untilPending(call: Call): Call {
  if (call.method !== 'eth_getLogs') return call
  const { fromBlock, toBlock, blockHash, ...filter } = Object(call.params?.[0]) as Record<string, unknown>
  if (toBlock !== undefined || blockHash !== undefined) return call
  return { ...call, params: [{ ...filter, fromBlock: fromBlock ?? 'pending', toBlock: 'pending' }] }
}

function pushTransport(chain: Emulator, options: EmulatorChainOptions): EmulatorTransport {
  const reads = clientAccess.readsOption(options)
  const subscribeTo: Subscribe = async ({ params, onData, onError }) => {
    try {
      const [kind, ...rest] = params as readonly unknown[]
      // Logs of a client that reads what is pre-confirmed are those, too.
      const asked = reads === 'pending' && kind === 'logs' ? ['pendingLogs', ...rest] : params
      // Told of a head, watchBlocks asks for its block.
      if (kind === 'newHeads') clientAccess.accessOf('emulatorTransport', chain).waitForClients()
      const { id, end } = await clientAccess.subscribe(chain, asked, (result, subscription) =>
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
    chain.request((reads === 'pending' ? untilPending(call as Call) : call) as Call) as Promise<never>
  return () => createTransport({ ...IDENTITY, request, type: 'ipc' }, { subscribe: subscribeTo })
}

/**
 * A transport over an emulator. viem's own `custom()` repeats a reverted request three times, in real time, because it
 * does not know the code; this one asks once. Over an emulator watchers get events as the clock moves, without polling;
 * over another provider, such as that of `advanceOnPoll`, they poll. With `reads: 'pending'`, `watchEvent` and
 * `watchContractEvent` get logs when they are pre-confirmed, once, and are not told if a pre-confirmation is dropped.
 *
 * @param chain The emulator.
 * @param options How the client reads.
 * @param provider Or a provider over one.
 * @see viem's `Transport`
 * @example
 * const client = createPublicClient({ transport: emulatorTransport(chain) })
 * await client.getBlockNumber() // => 0n
 */
export function emulatorTransport(chain: Emulator, options?: EmulatorChainOptions): EmulatorTransport
export function emulatorTransport(provider: Provider): CustomTransport
export function emulatorTransport(
  chain: Emulator | Provider,
  options: EmulatorChainOptions = {},
): EmulatorTransport | CustomTransport {
  if (!clientAccess.hasRequest(chain)) refuseUnlessEmulator('emulatorTransport', chain)
  return 'settings' in chain ? pushTransport(chain, options) : custom(chain, IDENTITY)
}

/** Options of a client's reads. */
export interface EmulatorChainOptions {
  /**
   * The state for reads without a block tag, and the logs for watchers: pre-confirmed or sealed. Default 'latest'. viem
   * asks `getCode`, `getStorageAt`, `getTransactionCount`, `getProof`, `getDelegation`, `getFeeHistory`,
   * `createAccessList` and `getBlockTransactionCount` at 'latest', unless the client has `emulatorActions` or they say
   * `blockTag: 'pending'`.
   */
  readonly reads?: 'pending' | 'latest'
}

/**
 * A viem chain for an emulator: its id and block time, Multicall3 if it is predeployed and, with `reads: 'pending'`,
 * viem's support for pre-confirmations: reads and waits use the block being built. A rollup's has the contracts that
 * viem's op-stack actions for a layer 2 call; add `formatters` and `serializers` of `chainConfig` in `viem/op-stack`
 * for the fields of deposits and L1 fees.
 *
 * @param chain The emulator.
 * @param options How clients read.
 * @see viem's `Chain`
 * @example
 * const client = createWalletClient({ chain: emulatorChain(chain), transport: emulatorTransport(chain) })
 * client.chain.id // => 31337
 */
export function emulatorChain(chain: Emulator, options: EmulatorChainOptions = {}): Chain {
  refuseUnlessEmulator('emulatorChain', chain)
  const { chainId, blockTimeMs, partialBlockTimeMs, predeploys, rollup } = chain.settings
  const { multicall3 } = L2_CONTRACTS
  const definition = defineChain({
    id: chainId,
    name: 'tickchain',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockTime: blockTimeMs,
    ...(predeploys.includes('multicall3') ? { contracts: { multicall3 } } : {}),
    ...(rollup === undefined ? {} : { contracts: L2_CONTRACTS, sourceId: rollup.l1ChainId }),
    ...(clientAccess.readsOption(options) === 'pending'
      ? { experimental_preconfirmationTime: partialBlockTimeMs }
      : {}),
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
  refuseUnlessEmulator('emulatorConfig', chain)
  return {
    chain: emulatorChain(chain, options),
    transport: emulatorTransport(chain, options),
    cacheTime: 0,
    pollingInterval: 10,
  }
}

/** Reason of a replacement, in viem's words. */
function reasonOf(replaced: Transaction, by: Transaction): ReplacementReason {
  if (by.to === replaced.to && by.value === replaced.value && by.input === replaced.input) return 'repriced'
  return by.from === by.to && by.value === 0n ? 'cancelled' : 'replaced'
}

/** viem's reads that are of 'latest' on every client, unless they name a block. */
const READS_OF_LATEST = [
  ...(['createAccessList', 'getBlockTransactionCount', 'getCode', 'getDelegation', 'getFeeHistory'] as const),
  ...(['getProof', 'getStorageAt', 'getTransactionCount'] as const),
]

/** The same reads, of the block being built. */
function pendingReads<Definition extends Chain | undefined>(client: Client<Transport, Definition>): object {
  const actions = publicActions(client) as unknown as Record<string, (parameters: object) => unknown>
  const read =
    (name: string) =>
    (parameters: Record<string, unknown> = {}) => {
      const isFree = ['blockNumber', 'blockHash', 'blockTag'].every((key) => parameters[key] === undefined)
      return actions[name]?.(isFree ? { ...parameters, blockTag: 'pending' } : parameters)
    }
  return Object.fromEntries(READS_OF_LATEST.map((name) => [name, read(name)]))
}

function requireClient<Given extends Client>(client: Given): Given {
  const { transport } = Object(client) as Partial<Client>
  return transport === undefined ? refuseCall('emulatorActions', 'a client of viem', client) : client
}

/** A watcher of the block being built, as `newFlashblocks` tells it. */
function watchPartialBlocks<Definition extends Chain | undefined>(
  chain: Emulator,
  client: Client<Transport, Definition>,
  parameters: WatchBlocksParameters<Transport, Definition, boolean, BlockTag>,
): () => void {
  const { onBlock, onError, includeTransactions } = parameters ?? {}
  if (typeof onBlock !== 'function') refuseCall('watchBlocks', 'a function onBlock', onBlock)
  const toBlock = client.chain?.formatters?.block?.format ?? formatBlock
  let before: unknown
  const hear = (told: unknown): void => {
    const { transactions, ...rest } = told as { readonly transactions: readonly { readonly hash: Hash }[] }
    const shown = includeTransactions === true ? transactions : transactions.map(({ hash }) => hash)
    const block = toBlock({ ...rest, transactions: shown } as never, 'getBlock')
    onBlock(block as never, before as never)
    before = block
  }
  const live = clientAccess.subscribe(chain, ['newFlashblocks'], hear)
  live.catch((error) => onError?.(error))
  return () => {
    // Nothing to end if the subscription has failed, or its emulator is disposed of.
    live.then(({ end }) => end()).catch(() => undefined)
  }
}

/**
 * Actions for a client over an emulator: a `waitForTransactionReceipt` that follows the virtual clock, without a timer.
 * It resolves when the transaction, or its replacement, is pre-confirmed, or with `confirmations` from 2 on when so many
 * blocks have confirmed it: before the call that moves the clock there. It has no time-out by default; one that is given
 * is in virtual milliseconds. It asks nothing again, so it does without viem's options for polling.
 * On a client with `reads: 'pending'`, `watchBlocks` tells the block being built after each partial block, and the reads
 * that viem asks at 'latest' on every client, such as `getCode`, are of the block being built, too.
 *
 * @param chain The emulator.
 * @see viem's `waitForTransactionReceipt` and `watchBlocks`
 * @example
 * const client = createPublicClient(emulatorConfig(chain)).extend(emulatorActions(chain))
 * const waiting = client.waitForTransactionReceipt({ hash })
 * await chain.advance(200)
 * const { status } = await waiting
 * status // => 'success'
 */
export function emulatorActions(chain: Emulator) {
  refuseUnlessEmulator('emulatorActions', chain)
  return <Definition extends Chain | undefined>(client: Client<Transport, Definition>) => ({
    ...(requireClient(client).experimental_blockTag === 'pending' ? pendingReads(client) : undefined),
    watchBlocks: <WithTransactions extends boolean = false, Tag extends BlockTag = 'latest'>(
      parameters: WatchBlocksParameters<Transport, Definition, WithTransactions, Tag>,
    ): WatchBlocksReturnType =>
      client.experimental_blockTag === 'pending'
        ? watchPartialBlocks(chain, client, parameters as never)
        : publicActions(client).watchBlocks(parameters),
    waitForTransactionReceipt: (
      {
        hash,
        confirmations = 1,
        checkReplacement = client.chain?.supportsTransactionReplacementDetection ?? true,
        onReplaced,
        timeout = 0,
      }: WaitForTransactionReceiptParameters<Definition> = {} as never,
    ): Promise<WaitForTransactionReceiptReturnType<Definition>> =>
      new Promise((resolve, reject) => {
        const formatters = client.chain?.formatters
        const toReceipt = formatters?.transactionReceipt?.format ?? formatTransactionReceipt
        const toTransaction = formatters?.transaction?.format ?? formatTransaction
        const end = ({ receipt, transaction, replaced }: InclusionOutcome): void => {
          const transactionReceipt = toReceipt(receipt as never, 'getTransactionReceipt')
          if (replaced !== undefined) {
            const [before, after] = [replaced, transaction].map((each) =>
              toTransaction(each as never, 'getTransaction'),
            ) as [Transaction, Transaction]
            const change = { replacedTransaction: before, transaction: after, transactionReceipt }
            onReplaced?.({ reason: reasonOf(before, after), ...change } as never)
          }
          resolve(transactionReceipt as WaitForTransactionReceiptReturnType<Definition>)
        }
        const fail = (error: unknown): void =>
          reject(error ?? new WaitForTransactionReceiptTimeoutError({ hash }))
        const timeoutMs = timeout === 0 ? undefined : timeout
        const asked = { hash, confirmations, followsReplacement: checkReplacement, timeoutMs }
        clientAccess.accessOf('emulatorActions', chain).waitForInclusion(asked, end, fail)
      }),
  })
}
