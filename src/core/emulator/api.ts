// What a user holds of a chain: its requests, its clock, snapshots and clones, and all controls.

import type { Predeploy } from '../rollup/predeploys.ts'
import type { StackName } from '../rollup/stacks.ts'
import type { Connection, RpcReply } from '../rpc/envelope.ts'
import type { RequestHeaders, WebRequest, WebResponse } from '../rpc/fetch.ts'
import type { ParamsOf, ResultOf } from '../rpc/method.ts'
import type { METHODS, MethodName } from '../rpc/registry.ts'
import type { AccountControls } from './controls/accounts.ts'
import type { ChainControls, ReorgOptions } from './controls/chain.ts'
import type { FaultControls } from './controls/faults.ts'
import type { ForkControls, ForkInfo } from './controls/fork.ts'
import type { MiningControls } from './controls/mining.ts'
import type { RollupControls } from './controls/rollup.ts'
import type { SubscriptionControls } from './controls/subscriptions.ts'
import type { TimeControls } from './controls/time.ts'
import type { WalletControls } from './controls/wallet.ts'
import type { EmulatorEvents } from './events.ts'
import type { Diagnostics, TraceControls } from './tracing.ts'

/** A handle to a past state of the chain, for any number of reverts. */
export interface Snapshot {
  /**
   * Virtual time in milliseconds when the snapshot was taken. The snapshot includes commands that were still running.
   */
  readonly takenAtMs: number
}

/** A JSON-RPC request in the form of EIP-1193. */
export interface RequestArguments<Name extends string = string, Params = unknown> {
  /** The name of a method, listed in https://github.com/tickchain/tickchain/blob/main/docs/rpc.md. */
  readonly method: Name
  /** Positional parameters. Default none. */
  readonly params?: Params
}

/**
 * Any string in place of hex or a tag, because TypeScript widens the strings of an object in a variable; and `undefined` for
 * a field that may be absent, also with `exactOptionalPropertyTypes`.
 */
type Widened<T> = T extends string
  ? T | (string & {})
  : T extends readonly unknown[]
    ? { [Key in keyof T]: Widened<T[Key]> }
    : T extends object
      ? { [Key in keyof T]: Widened<T[Key]> | (object extends Pick<T, Key> ? undefined : never) }
      : T

/**
 * The positional parameters of the method `Name` as a tuple, listed in
 * https://github.com/tickchain/tickchain/blob/main/docs/rpc.md; `unknown` for other names.
 */
type ParamsFor<Name extends string> = Name extends MethodName
  ? Readonly<Partial<Widened<ParamsOf<(typeof METHODS)[Name]>>>>
  : unknown

/**
 * The result of the method `Name`, described in
 * https://github.com/tickchain/tickchain/blob/main/docs/rpc.md; `unknown` for other names.
 */
type ResultFor<Name extends string> = Name extends MethodName ? ResultOf<(typeof METHODS)[Name]> : unknown

/**
 * Answers JSON-RPC requests; the types of parameters and result follow from the method.
 *
 * @see EIP-1193
 */
export interface RequestFunction {
  /** Answers a request in the form of EIP-1193: `request({ method: 'eth_blockNumber' })`. */
  <Name extends MethodName | (string & {})>(
    request: RequestArguments<Name, ParamsFor<Name>>,
  ): Promise<ResultFor<Name>>
  /** Answers a request by its method and parameters: `request('eth_getBalance', [address, 'latest'])`. */
  <Name extends MethodName | (string & {})>(method: Name, params?: ParamsFor<Name>): Promise<ResultFor<Name>>
}

/**
 * A chain with its clock. Calls take effect in the order in which they are made, awaited or not.
 */
export interface Emulator
  extends AccountControls,
    ChainControls,
    Diagnostics,
    FaultControls,
    ForkControls,
    MiningControls,
    RollupControls,
    SubscriptionControls,
    TimeControls,
    TraceControls,
    WalletControls {
  /**
   * Answers a JSON-RPC request: `request({ method, params })`, or `request(method, params)`.
   *
   * @throws TickchainError any row of https://github.com/tickchain/tickchain/blob/main/docs/errors.md that
   *   the method can cause; `code` is the JSON-RPC code
   * @see EIP-1193
   * @example
   * await chain.request({ method: 'eth_chainId' }) // => '0x7a69'
   * await chain.request('eth_getBalance', ['0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'latest']) // => '0x0'
   */
  readonly request: RequestFunction
  /**
   * Answers a JSON-RPC 2.0 body, one request or a batch: text with text, an object with an object. Errors are in the
   * answer; the promise does not reject. The answer to a body of notifications is an empty text or `undefined`.
   *
   * @param body JSON text, or the parsed value.
   * @see JSON-RPC 2.0
   * @example
   * const answer = await chain.handle('{"jsonrpc":"2.0","id":1,"method":"net_version"}')
   * answer // => '{"jsonrpc":"2.0","id":1,"result":"31337"}'
   */
  readonly handle: {
    (body: string): Promise<string>
    (body: unknown): Promise<RpcReply>
  }
  /**
   * Answers an HTTP request as an endpoint would, without a socket. Takes a web-standard `Request` or the arguments of
   * `fetch`, so that a client can use it as its `fetch`. Errors are in the answer.
   *
   * @param input A `Request`, or an address, which is ignored.
   * @param init Method, headers and body, as `fetch` takes them.
   * @see Fetch standard
   * @example
   * const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber' })
   * const headers = { 'content-type': 'application/json' }
   * const response = await chain.fetch('http://chain', { method: 'POST', headers, body })
   * response.status // => 200
   * await response.json() // => { jsonrpc: '2.0', id: 1, result: '0x0' }
   */
  readonly fetch: (input: WebRequest | string | object, init?: object) => Promise<WebResponse>
  /**
   * Opens a connection for JSON-RPC text in both directions, with subscriptions of its own, as over a WebSocket. Requests
   * of all connections share the chain and its filters. Messages of a subscription come after the answer that names it.
   *
   * @param send Takes answers and messages for the client, in order. If it throws, a `listenerError` is emitted.
   * @throws TickchainError `invalidCall` for what is no function
   * @see JSON-RPC 2.0; `chain.acceptsHandshake` for pages
   * @example
   * const sent = []
   * const connection = chain.connect((text) => sent.push(text))
   * await connection.receive('{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}')
   * sent // => ['{"jsonrpc":"2.0","id":1,"result":"0x1"}']
   * await chain.seal()
   * sent.length // => 2
   * connection.close()
   */
  connect(send: (text: string) => void): Connection
  /**
   * Tells whether a server should accept a WebSocket handshake by its header `Origin`: true without one, true for the
   * option `allowedOrigins`, of which an origin without a port stands for all ports, and by default true for pages of
   * `http://localhost`. Pages may open WebSockets to any host unasked, so that nothing else keeps a strange page out.
   *
   * @param request A `Request`, or an `IncomingMessage` of Node; only its headers are read.
   * @throws TickchainError `invalidCall` for what has no headers
   * @see RFC 6455, section 10.2; `wsHandshakeValidator` of geth
   * @example
   * chain.acceptsHandshake({ headers: { origin: 'http://localhost:5173' } }) // => true
   * chain.acceptsHandshake({ headers: { origin: 'https://evil.example' } }) // => false
   */
  acceptsHandshake(request: { readonly headers: RequestHeaders }): boolean
  /**
   * Facts for clients: chain id, both block times in milliseconds, and predeployed contracts; of a
   * rollup also its stack, and the chain id of its layer 1.
   *
   * @example
   * chain.settings // => { chainId: 31337, blockTimeMs: 2000, partialBlockTimeMs: 200, predeploys: [] }
   */
  readonly settings: {
    readonly chainId: number
    readonly blockTimeMs: number
    readonly partialBlockTimeMs: number
    readonly predeploys: readonly Predeploy[]
    readonly rollup?: { readonly stack: StackName; readonly l1ChainId: number }
  }
  /**
   * Virtual time in milliseconds since the Unix epoch. A new chain starts at 2024-01-01T00:00:00Z.
   *
   * @example
   * chain.now // => 1704067200000
   */
  readonly now: number
  /**
   * Where the chain was forked, and what that has cost so far; `undefined` for a chain with a genesis of its own.
   *
   * @example
   * const fork = await createEmulator({ fork: { upstream: chain } })
   * fork.fork?.blockNumber // => 0
   * chain.fork // => undefined
   */
  readonly fork: ForkInfo | undefined
  /**
   * Advances virtual time and performs every partial block and seal that falls due, in order.
   *
   * @param ms Milliseconds, a whole number from 0.
   * @throws TickchainError `invalidCall`, `timeOutOfRange` or `tooManySteps`; nothing has changed then
   * @example
   * await chain.advance(2000) // ten partial blocks, one sealed block
   * await chain.request({ method: 'eth_blockNumber' }) // => '0x1'
   */
  advance(ms: number): Promise<void>
  /**
   * Moves the clock and seals at most one block, at the time of arrival. A block with pre-confirmed transactions keeps
   * its earlier timestamp, because they have seen it.
   *
   * @param ms Milliseconds, a whole number from 0.
   * @throws TickchainError `invalidCall` or `timeOutOfRange`; nothing has changed then
   * @example
   * await chain.jump(86_400_000) // a day, one block
   * await chain.request({ method: 'eth_blockNumber' }) // => '0x1'
   */
  jump(ms: number): Promise<void>
  /**
   * Moves the clock to the next step that is due, a partial block or a seal, and performs it.
   *
   * @throws TickchainError `timeOutOfRange`
   * @example
   * await chain.next()
   * chain.now // => 1704067200200
   */
  next(): Promise<void>
  /**
   * Seals the block being built, with all pooled transactions that fit; the clock moves to the block's timestamp.
   *
   * @throws TickchainError `timeOutOfRange`
   * @see `evm_mine`
   * @example
   * await chain.seal()
   * await chain.request({ method: 'eth_blockNumber' }) // => '0x1'
   */
  seal(): Promise<void>
  /**
   * Replaces the last blocks. Subscriptions get their logs with `removed: true`, their transactions return to the pool
   * in order, and as many empty blocks are sealed instead, unless `blocks` is given.
   *
   * @param options How many blocks are replaced, and with what.
   * @throws TickchainError `invalidCall`, `reorgTooDeep`, `unknownTransaction` or `replacementNotExecutable`;
   *   nothing has changed then
   * @see `anvil_reorg`
   * @example
   * await chain.seal()
   * await chain.reorg({ depth: 1 })
   * await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] }) // => null
   */
  reorg(options: ReorgOptions): Promise<void>
  /**
   * Takes a snapshot of the chain: clock, blocks, pool, faults and settings. The cost does not depend on the size of
   * the chain.
   *
   * @see `evm_snapshot`
   * @example
   * const start = chain.snapshot()
   * await chain.advance(60_000)
   * await chain.revert(start)
   * chain.now // => 1704067200000
   */
  snapshot(): Snapshot
  /**
   * Goes back to a snapshot, or forward to a later one, of this emulator or of any that shares its origin: the original
   * and all clones. Listeners and subscriptions are notified of removed logs and of the blocks that replace others.
   *
   * @param snapshot A handle, which stays valid.
   * @throws TickchainError `unknownSnapshot` for a handle of an unrelated chain
   * @see `evm_revert`
   * @example
   * const before = chain.snapshot()
   * await chain.setBalance('0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 5n)
   * await chain.revert(before)
   * await chain.request('eth_getBalance', ['0xbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'latest']) // => '0x0'
   */
  revert(snapshot: Snapshot): Promise<void>
  /**
   * Creates an independent emulator in the present state of this one, without its listeners, filters and subscriptions.
   * The cost does not depend on the size of the chain.
   *
   * @example
   * const copy = chain.clone()
   * await copy.advance(2000)
   * copy.now - chain.now // => 2000
   */
  clone(): Emulator
  /**
   * Calls `listener` whenever the event occurs, before the call that caused it resolves. The events are those of
   * `EmulatorEvents`. Other names are accepted and never occur, such as `connect`, `disconnect` and `accountsChanged`:
   * an emulator is always connected, and changes of its accounts emit no event.
   *
   * @param event The name of the event.
   * @param listener Gets the payload. If it throws, a `listenerError` is emitted and nothing else is affected.
   * @throws TickchainError `invalidCall` if the listener is not a function
   * @see EIP-1193
   * @example
   * let sealed = 0
   * chain.on('sealedBlock', () => sealed++)
   * await chain.advance(4000)
   * sealed // => 2
   */
  on<Name extends keyof EmulatorEvents>(event: Name, listener: (payload: EmulatorEvents[Name]) => void): this
  on(event: string, listener: (payload: never) => void): this
  /**
   * Undoes one call of `on` with the same listener; does nothing if there was none.
   *
   * @param event The name of the event.
   * @param listener The same function.
   * @see EIP-1193
   * @example
   * const listener = () => expect.unreachable()
   * chain.on('sealedBlock', listener).removeListener('sealedBlock', listener)
   * await chain.seal()
   */
  removeListener(event: string, listener: (payload: never) => void): this
  /**
   * Ends the emulator: removes listeners and rejects pending requests. Later requests and functions that return a
   * promise are refused with `disposed`; the others still answer, and a clone made then is disposed of too.
   *
   * @example
   * chain.dispose()
   * await chain.request({ method: 'eth_chainId' }) // throws disposed
   */
  dispose(): void
}
