// The table of errors: code and message of every failure that a user can cause. Messages follow the specification
// first, geth second; viem and ethers recognise both.

import type { Hex } from './hex.ts'
import { shorten } from './text-of.ts'

const RIGHT_CALLS: ReadonlyMap<string, string> = new Map([
  ['advance', 'advance(200)'],
  ['jump', 'jump(86_400_000)'],
  ['increaseTime', 'increaseTime({ seconds: 60 })'],
  ['setTime', 'setTime(1_735_689_600)'],
  ['setNextBlockTimestamp', 'setNextBlockTimestamp(1_735_689_600)'],
  ['setBlockTimestampInterval', 'setBlockTimestampInterval({ seconds: 12 })'],
  ['setIntervalMining', 'setIntervalMining({ ms: 12_000 })'],
  ['mine', 'mine(10, { intervalSeconds: 60 })'],
  ['closePartial', 'closePartial([hash])'],
  ['revert', 'revert(chain.snapshot())'],
  ['on', "on('partialBlock', listener)"],
  ['reorg', 'reorg({ depth: 1 })'],
  ['delayTransaction', 'delayTransaction(hash, { partials: 2 })'],
  ['subscribe', "subscribe('logs', { address }, listener)"],
  ['setBalance', 'setBalance(address, 10n ** 18n)'],
  ['deal', 'deal({ token, to, amount: 10n ** 18n })'],
  ['setAllowance', 'setAllowance({ token, owner, spender, amount: 10n ** 18n })'],
  ['impersonate', 'impersonate(address)'],
  ['unlockAccount', "unlockAccount(address, 'secret', { seconds: 60 })"],
])

/** The end of a message about a wrong call: how it is written right. */
export function rightCall(call: string): string {
  const right = RIGHT_CALLS.get(call)
  return right === undefined ? '' : `; for example: chain.${right}`
}

export interface ErrorRow<Detail> {
  /** The JSON-RPC code. */
  readonly code: number
  readonly message: (detail: Detail) => string
}

/** The names in braces of a text. */
type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** The row of a text: a detail has the fields that it names. */
type TextRow<Text extends string> = [NamesIn<Text>] extends [never]
  ? ErrorRow<void>
  : ErrorRow<{ readonly [Name in NamesIn<Text>]: Name extends 'reason' ? string : string | number | bigint }>

/** A row with a detail of its own type: a text with its fields in braces, or a function. */
function typed<Detail = void>(code: number, text: string | ((detail: Detail) => string)): ErrorRow<Detail> {
  if (typeof text === 'function') return { code, message: text }
  const message = (detail: Detail) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => `${(detail as Record<string, unknown>)[name]}`)
  return { code, message }
}

/** A row whose text names the fields of its detail in braces. */
function row<Text extends string>(code: number, text: Text): TextRow<Text> {
  return typed(code, text) as TextRow<Text>
}

/** Ether with two decimals, as geth prints a fee. */
function formatEther(wei: bigint): string {
  const hundredths = (wei + 5n * 10n ** 15n) / 10n ** 16n
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`
}

/** Seconds where they are whole, else milliseconds. */
function formatDuration(ms: number): string {
  return ms > 0 && ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
}

/** Kind → JSON-RPC code and message. Prefixes in the four admission errors are the specification's, part 7. */
export const ERROR_TABLE = {
  // Envelope (JSON-RPC 2.0; words of geth)
  parseError: row(-32700, 'parse error: the body is not JSON'),
  invalidRequest: row(-32600, 'invalid request: {reason}'),
  methodNotFound: typed<{ method: string; nearest?: string | undefined }>(
    -32601,
    (e) =>
      `the method ${e.method} does not exist/is not available${e.nearest === undefined ? '' : `; did you mean ${e.nearest}?`}`,
  ),
  missingParameter: row(-32602, 'missing value for required argument {index}: {name}'),
  invalidParameter: row(-32602, 'invalid argument {path}: {reason}'),
  tooManyParameters: row(-32602, 'too many arguments, want at most {most}'),
  internal: row(-32603, 'internal error: {reason}'),

  // Library calls
  invalidOption: row(-32602, 'invalid option {option}: {reason}'),
  webAssemblyMissing: typed<{ reason: string }>(
    -32000,
    (e) =>
      `WebAssembly is missing, which hashes and signatures need with either interpreter: ${e.reason} ` +
      "(it takes node without --jitless, or the source 'wasm-unsafe-eval' in script-src of the content security policy)",
  ),
  invalidCall: typed<{ call: string; reason: string }>(
    -32602,
    (e) => `invalid call ${e.call}: ${e.reason}${rightCall(e.call)}`,
  ),
  invalidContracts: row(-32602, 'invalid contracts: {reason}'),
  tooManySteps: row(-32005, '{call} would perform {steps} steps, more than the limit of {most}'),
  timeOutOfRange: row(-32602, '{call} would move the clock past its end at {latestMs} ms'),
  reorgTooDeep: row(
    -32602,
    'a reorganisation of depth {depth} is too deep: {most} blocks stand above genesis',
  ),
  notExportable: row(
    -32000,
    'blocks {first} to {last} were passed in one call, and could not be verified elsewhere',
  ),
  notPreconfirmed: row(-32602, 'transaction {hash} is not preconfirmed'),
  replacementNotExecutable: row(
    -32602,
    'transaction {hash} cannot execute in the replacement block: {reason}',
  ),
  // Words of Hardhat
  alreadySealed: row(-32602, "Transaction {hash} cannot be dropped because it's already mined"),
  notWaiting: row(-32000, 'no such transaction of {sender} with nonce {nonce} waits in the pool'),
  chainTooLong: row(-32000, 'a chain of {blocks} blocks is too long for a state dump: at most {most}'),
  undecodableState: row(-32602, 'failed to decode state dump: {reason}'),
  // Forks
  upstreamFailed: row(-32000, '{reason}: the upstream {did} {request}'),
  upstreamAnswer: row(-32000, "{reason}, in the upstream's answer to {request}"),
  upstreamReorganised: row(
    -32000,
    'the upstream was reorganised: block {number} was {known}, and is {hash} in the answer to {request}',
  ),
  notRecorded: typed<{ missing: string; block: number; recording: string }>(
    -32000,
    (e) =>
      `${e.missing} at block ${e.block} is not in ${e.recording}; a run with ` +
      "fork: { upstream, recording, mode: 'auto' } records it",
  ),
  invalidRecording: row(-32602, 'the recording of the fork cannot be used: {reason}'),
  forkBlockNotFound: row(-32001, 'the upstream has no block {block}'),
  reorgBelowFork: row(
    -32602,
    'a reorganisation of depth {depth} is too deep: {most} blocks stand above block {block}, where the chain was forked',
  ),
  proofOnFork: row(
    -32000,
    "there are no proofs of states above a fork: their roots commit to the root at the fork and to the changes; the option fork.roots 'proven' makes them true ones",
  ),
  unknownTrieNode: row(
    -32000,
    'the state root needs {node}, beside which a key was removed, and the upstream does not answer debug_dbGet',
  ),
  noNetwork: row(
    -32602,
    '{call}: there is no network to fork from; give the option fork.connect, or load a state dump instead',
  ),
  unknownTransaction: row(-32602, 'transaction {hash} is neither orphaned nor in the pool'),
  unknownSnapshot: row(-32602, 'unknown snapshot handle'),
  // EIP-1193
  userRejected: row(4001, 'User rejected the request.'),
  unauthorized: row(4100, 'The account {account} has not been authorized by the user.'),
  unsupportedMethod: row(4200, 'The Provider does not support the requested method {method}.'),
  disposed: row(4900, 'the emulator has been disposed'),

  // Reads
  // `block` is a number or a hash.
  blockNotFound: typed<{ block: number | Hex; latest: number }>(
    -32001,
    ({ block }) =>
      `block not found: ${typeof block === 'number' ? `0x${block.toString(16)}` : `hash ${block}`}`,
  ),
  // go-ethereum, core/state/database.go
  stateNotAvailable: row(
    -32000,
    'historical state of block {block} is not available: the option stateHistory does not keep it',
  ),
  replayDiffers: typed<{ block: number; index: number; expected: string; got: string }>(
    -32000,
    (e) =>
      `transaction ${e.index} of block ${e.block} cannot be run again as it ran: it gave ${e.expected} then and gives ` +
      `${e.got} now; the state was edited during the block, and a state dump does not hold such edits`,
  ),
  // go-ethereum, eth/api_debug.go, eth/state_accessor.go, eth/tracers/api.go
  transactionNotFound: typed<{ hash: Hex; isPooled: boolean }>(
    -32000,
    ({ hash, isPooled }) =>
      `transaction not found: ${hash}${isPooled ? ' waits in the pool, and has not run yet' : ''}`,
  ),
  tracedBlockNotFound: typed<{ block: number | Hex }>(-32000, ({ block }) =>
    typeof block === 'number' ? `block #${block} not found` : `block ${block} not found`,
  ),
  genesisNotTraceable: row(-32000, 'genesis is not traceable'),
  noTransactionInGenesis: row(-32000, 'no transaction in genesis'),
  transactionIndexOutOfRange: row(-32000, 'transaction index {index} out of range for block {block}'),
  noParentBlock: typed<{ block: number }>(-32000, (e) => `block ${e.block.toString(16)} has no parent`),
  blockHeightsReversed: row(
    -32000,
    'start block height ({start}) must be less than end block height ({end})',
  ),
  unknownPreimage: row(-32000, 'unknown preimage'),
  traceTooLarge: typed<{ mostBytes: number }>(
    -32000,
    (e) =>
      `the trace is larger than ${e.mostBytes} bytes, the option limits.traceBytes: leave out stack, memory or storage, ` +
      'or cut the steps with limit',
  ),
  // geth, rpc/errors.go
  responseTooLarge: row(-32003, 'response too large'),
  batchTooExpensive: typed<{ gas: bigint; most: number }>(
    -32005,
    (e) =>
      `not executed: the requests of the batch before this one have used ${e.gas} gas, more than ${e.most}; ` +
      'send smaller batches, or raise limits.batchGas',
  ),
  invalidBlock: row(-32000, 'invalid block {number}: {check}: expected {expected}, got {got}'),
  // Engine API, Errors
  invalidPayloadAttributes: row(-38003, 'invalid payload attributes: {reason}'),
  undecodableBlocks: row(-32602, 'undecodable blocks: {reason}'),
  // `kind` is that of a filter that has no logs.
  filterNotFound: typed<{ id: number; kind?: string }>(-32000, 'filter not found'),
  notificationsNotSupported: row(-32601, 'notifications not supported'),
  forbiddenOnPublicEndpoint: row(
    -32601,
    '403 Forbidden: the method {method} does not exist/is not available on a public endpoint',
  ),
  confirmationTimeout: typed<{ hash: string; ms: number }>(
    4,
    (e) =>
      `Transaction ${e.hash} was added to the mempool but wasn't confirmed within ${formatDuration(e.ms)}.`,
  ),
  timeoutTooLong: row(-32602, 'time out too long, timeout: {ms} ms, max: {most} ms'),
  blockRangeReversed: row(-32602, 'invalid block range params'),
  blockRangeBeyondHead: row(-32602, 'block range extends beyond current head block'),
  blockRangeTooWide: row(-32602, 'query exceeds max block range {most}'),
  tooManyReplays: row(
    -32005,
    'this would execute more than {most} transactions again; narrow it, or raise limits.replayedTransactions',
  ),
  feeHistoryPercentile: row(-32000, 'invalid reward percentile: {reason}'),

  // Settings of later blocks
  timestampTooLow: row(-32602, 'timestamp {timestamp} is too low: the next block needs at least {least}'),
  timestampTooHigh: row(-32602, 'timestamp {timestamp} is too high: the clock ends at {most}'),
  clockBeforeHead: row(-32602, 'the clock cannot be set to {seconds}, before the latest block at {least}'),
  blockGasLimitZero: row(-32602, 'block gas limit must be greater than 0'),
  extraDataTooLong: row(-32602, 'extra exceeds max length. {size} > {most}'),
  invalidExtraData: row(-32602, '{reason}'),
  // Words of anvil and Hardhat
  needsBaseFee: row(-32602, '{call} is only supported when EIP-1559 is active'),
  replacedByBaseFee: row(-32602, '{call} is not supported when EIP-1559 is active'),
  needsMerge: typed<{ call: string; hardfork: string }>(
    -32000,
    '{call} is only available in post-merge hardforks, the current hardfork is {hardfork}',
  ),
  blockBegun: row(-32000, 'the block being built already holds preconfirmed transactions; seal it first'),
  notARollup: row(-32000, "{call}: the chain is not a rollup (createEmulator's option rollup)"),
  upgradeUnknown: row(
    -32000,
    'the fork {fork} cannot activate in a running chain: the code of its upgrade transactions is not part of this library; begin with it instead',
  ),
  layer1Decides: row(-32000, '{call}: the chain has a real layer 1, whose contracts decide this'),
  layersApart: row(-32000, 'the layers of the rollup would no longer belong together: {reason}'),
  extraDataDecided: row(
    -32000,
    "{call}: since holocene, the extra data of a rollup's blocks is its system configuration; set that",
  ),
  depositForced: row(
    -32602,
    'transaction {hash} is a deposit, which the sequencer cannot leave out of its block',
  ),

  // Admission to the pool (specification part 7; the rest of geth's table)
  // `isMinedAtOnce` tells flavors that word it otherwise while automining.
  nonceTooLow: typed<{ next: bigint; nonce: bigint; isMinedAtOnce?: true }>(
    -32000,
    'nonce too low: next nonce {next}, tx nonce {nonce}',
  ),
  nonceTooHigh: row(
    -32000,
    "Nonce too high. Expected nonce to be {next} but got {nonce}. Note that transactions can't be queued when automining.",
  ),
  insufficientFunds: typed<{ balance: bigint; cost: bigint; queuedCost?: bigint }>(-32000, (e) => {
    const queuedCost = e.queuedCost ?? 0n
    const queued = queuedCost > 0n ? `queued cost ${queuedCost}, ` : ''
    const overshot = e.cost + queuedCost - e.balance
    return `insufficient funds for gas * price + value: balance ${e.balance}, ${queued}tx cost ${e.cost}, overshot ${overshot}`
  }),
  alreadyKnown: typed<{ hash: Hex }>(-32000, 'already known'),
  replacementUnderpriced: typed<{ nonce: bigint; fee: string; least: bigint }>(
    -32000,
    'replacement transaction underpriced',
  ),
  tipAboveFeeCap: row(
    -32000,
    'max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas {tip}, maxFeePerGas {feeCap}',
  ),
  feeCapTooLow: typed<{ sender: Hex; feeCap: bigint; baseFee: bigint; type?: number }>(
    -32000,
    'max fee per gas less than block base fee: address {sender}, maxFeePerGas: {feeCap}, baseFee: {baseFee}',
  ),
  intrinsicGasTooLow: row(-32000, 'intrinsic gas too low: gas {gas}, minimum needed {least}'),
  floorGasTooLow: row(-32000, 'insufficient gas for floor data gas cost: gas {gas}, minimum needed {least}'),
  exceedsBlockGasLimit: typed<{ gas: bigint; limit: bigint }>(-32000, 'exceeds block gas limit'),
  exceedsTransactionGasCap: row(-32000, 'transaction gas limit too high (cap: {cap}, tx: {gas})'),
  oversizedData: row(-32000, 'oversized data: transaction size {size}, limit {limit}'),
  initCodeTooLarge: row(-32000, 'max initcode size exceeded: code size {size}, limit {limit}'),
  wrongChainId: typed<{ given: bigint; expected: number; type?: number }>(
    -32000,
    'invalid sender: invalid chain id for signer: have {given} want {expected}',
  ),
  chainIdMismatch: row(-32000, "chainId does not match node's (have={given}, want={expected})"),
  notReplayProtected: row(-32000, 'only replay-protected (EIP-155) transactions allowed over RPC'),
  invalidSignature: row(-32000, 'invalid sender: invalid transaction v, r, s values'),
  undecodableTransaction: row(-32000, '{reason}'),
  transactionTypeNotSupported: typed<{ type: number; hardfork?: string }>(
    -32000,
    ({ type }) =>
      `transaction type not supported${type === 0x79 ? ': 0x79 is that of EIP-8130, which no fork has yet (Base: not before zenith)' : ''}`,
  ),
  nonceKeyNotActive: row(
    -32602,
    'EIP-8130 RPC features are not active before the Zenith hard fork; the `nonce_key` parameter is not supported at this block',
  ),
  senderNotEoa: row(-32000, 'sender not an eoa: address {sender}'),
  nonceMax: row(-32000, 'nonce has max value'),
  emptyAuthorizationList: row(-32000, 'set code tx must have at least one authorization tuple'),
  missingSidecar: row(-32000, 'missing sidecar in blob transaction'),
  blobless: row(-32000, 'blobless blob transaction'),
  tooManyBlobs: row(-32000, 'transaction blob limit exceeded: blob count {count}, limit {most}'),
  invalidBlobHash: row(-32000, 'blob {index} has invalid hash version'),
  invalidSidecar: row(-32000, '{reason}'),
  blobFeeTooLow: row(
    -32000,
    'transaction gas price below minimum: blob fee cap {feeCap}, minimum needed {least}',
  ),
  poolFull: row(-32000, 'txpool is full'),
  tipTooLow: row(-32000, 'transaction gas price below minimum: gas tip cap {tip}, minimum needed {least}'),
  feeAboveLimit: typed<{ fee: bigint; limit: bigint }>(
    -32000,
    (e) => `tx fee (${formatEther(e.fee)} ether) exceeds the configured cap (${formatEther(e.limit)} ether)`,
  ),
  delegatedNonceGap: row(-32000, 'gapped-nonce tx from delegated accounts'),
  delegatedInFlight: row(-32000, 'in-flight transaction limit reached for delegated accounts'),

  // Execution
  reverted: typed<{ reason: string | undefined }>(3, (e) =>
    e.reason === undefined ? 'execution reverted' : `execution reverted: ${e.reason}`,
  ),
  executionFailed: row(-32000, '{reason}'),
  gasAllowanceExceeded: row(-32000, 'gas required exceeds allowance ({allowance})'),
  internalOutOfGas: row(
    -32000,
    "Gas estimation failed: an internal call runs out of gas regardless of the transaction's gas limit, so no reliable estimate exists. Set an explicit gas limit for the transaction, or set the network's gasEstimationMode to 'topLevelSuccess' to only require the top-level call to succeed.",
  ),
  creationWithoutData: row(-32000, 'Contract creation without any data provided'),
  gasLimitAboveCap: row(-32000, 'transaction gas limit ({gasLimit}) is greater than the cap ({cap})'),
  accessListUnstable: row(
    -32000,
    'the access list still grows after {runs} runs, because what the call accesses depends on its gas',
  ),
  conflictingFees: typed<{ field: string }>(
    -32602,
    'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
  ),

  // Overrides of state (geth, internal/ethapi/override)
  notPrecompile: row(-32000, 'account {address} is not a precompile'),
  alreadyOverridden: row(-32000, 'account {address} is already overridden'),
  precompileMovedToItself: row(-38022, 'precompile {address} cannot be moved to its own address'),

  // Simulation (execution-apis, eth_simulateV1; words of geth)
  simulationBaseNotFound: row(-32000, 'header not found'),
  simulatedNonceTooLow: row(-38010, 'nonce too low: address {sender}, tx: {nonce} state: {next}'),
  simulatedNonceTooHigh: row(-38011, 'nonce too high: address {sender}, tx: {nonce} state: {next}'),
  // The one code of its kind: the vectors of execution-apis record geth's, which does not sort this mistake.
  simulatedNonceMax: row(-32603, 'nonce has max value: address {sender}, nonce: {nonce}'),
  simulatedFeeCapTooLow: row(
    -38012,
    'max fee per gas less than block base fee: address {sender}, maxFeePerGas: {feeCap}, baseFee: {baseFee}',
  ),
  simulatedGasTooLow: row(-38013, 'intrinsic gas too low: have {gas}, want {least}'),
  simulatedInsufficientFunds: row(
    -38014,
    'insufficient funds for gas * price + value: address {sender} have {balance} want {cost}',
  ),
  simulatedBlockGasExceeded: row(-38015, 'block gas limit reached: {gas} > {limit}'),
  simulatedNumbersNotInOrder: row(-38020, 'block numbers must be in order: {number} <= {previous}'),
  simulatedTimestampsNotInOrder: row(-38021, 'block timestamps must be in order: {timestamp} <= {previous}'),
  simulatedInitCodeTooLarge: row(-38025, 'max initcode size exceeded: code size {size} limit {limit}'),
  simulationTooLarge: row(-38026, 'too many {what}: at most {most} in a simulation'),
  simulatedExecutionFailed: row(-32015, '{reason}'),

  // Wallets (EIP-3326, EIP-5792)
  unrecognizedChain: row(4902, 'unrecognized chain ID {chainId}'),
  unsupportedCapability: row(5700, 'unsupported capability {capability}'),
  unsupportedChainId: row(5710, 'unsupported chain ID {chainId}'),
  duplicateBundle: typed<{ id: string }>(5720, (e) => `duplicate bundle ID ${shorten(e.id)}`),
  unknownBundle: typed<{ id: string }>(5730, (e) => `unknown bundle ID ${shorten(e.id)}`),
  atomicityNotSupported: row(5760, 'atomicity not supported'),

  // Accounts
  unknownAccount: typed<{ address: Hex }>(-32000, 'unknown account {address}'),
  typedDataInvalid: row(-32602, 'invalid typed data: {reason}'),
  impersonatedWithoutKey: row(
    -32000,
    'account {address} is impersonated: it can send transactions, but has no key to sign with',
  ),
  // ganache, personal_…
  accountLocked: row(-32000, 'authentication needed: passphrase or unlock'),
  wrongPassphrase: row(-32000, 'could not decrypt key with given password'),
  accountExists: row(-32000, 'account already exists'),

  // Edits of accounts (words of Hardhat)
  nonceLowered: row(-32000, 'New nonce ({nonce}) must not be smaller than the existing nonce ({current})'),
  nonceWithPooled: row(-32000, 'Cannot set account nonce when the transaction pool is not empty'),
  storageValueLength: row(-32000, 'Storage value must be exactly 32 bytes long'),
  tokenNotSettable: row(-32000, 'cannot set the {what} of token {token}: {reason}'),
  tokenNotReadable: row(-32000, 'cannot read balances of token {token}: {reason}'),

  // Injected failures
  // The answer of a fault, whose code the test chooses.
  injectedFault: row(-32000, '{message}'),
  callbackFailed: row(-32000, '{callback} failed: {reason}'),
  invalidSchedule: row(
    -32000,
    'invalid schedule of block {blockNumber}, partial block {partialIndex}: {reason}',
  ),
  partialNotExecutable: row(
    -32000,
    'transaction {hash} cannot execute in this partial block: its nonce, funds, fees or gas do not allow it there',
  ),
  notPooled: row(-32000, 'transaction {hash} is not in the pool'),

  // Exploring
  invariantBroken: row(-32000, 'the invariant {name} is broken: {reason}{story}'),
  assertionFailed: row(-32000, '{name} fails: {reason}{story}'),
  actionThrew: row(-32000, 'the action {name} threw: {reason}{story}'),
  storyHung: row(-32000, 'the run hangs in {name}: {reason}{story}'),
  coverageUnavailable: row(
    -32000,
    "the coverage of contracts needs the option interpreter: 'wasm' and one of the hardforks that can be chosen",
  ),
  invalidStory: row(-32602, 'invalid story: {reason}'),
  invalidPart: row(-32602, 'invalid part of an exploration: {reason}'),
  tooManyStates: row(
    -32005,
    'the scene has more than {most} states: fewer steps or events, or a higher limit',
  ),
} as const
