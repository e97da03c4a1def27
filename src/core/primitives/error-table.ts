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

/** The row of a code and a text, which names fields of its detail in braces. */
function row<Detail>(codeAndText: string): ErrorRow<Detail> {
  const end = codeAndText.indexOf(' ')
  const text = codeAndText.slice(end + 1)
  const message = (detail: Detail) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => `${(detail as Record<string, unknown>)[name]}`)
  return { code: Number(codeAndText.slice(0, end)), message }
}

/** The row of a message that is more than a text with fields. */
function made<Detail>(code: number, message: (detail: Detail) => string): ErrorRow<Detail> {
  return { code, message }
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

/** Rows by kind: the code and the text in one, or a row with a detail of its own type. */
const ROWS = {
  // Envelope (JSON-RPC 2.0; words of geth)
  parseError: '-32700 parse error: the body is not JSON',
  invalidRequest: '-32600 invalid request: {reason}',
  methodNotFound: made<{ method: string; nearest?: string | undefined }>(
    -32601,
    (e) =>
      `the method ${e.method} does not exist/is not available${e.nearest === undefined ? '' : `; did you mean ${e.nearest}?`}`,
  ),
  missingParameter: '-32602 missing value for required argument {index}: {name}',
  invalidParameter: '-32602 invalid argument {path}: {reason}',
  tooManyParameters: '-32602 too many arguments, want at most {most}',
  internal: '-32603 internal error: {reason}',

  // Library calls
  invalidOption: '-32602 invalid option {option}: {reason}',
  webAssemblyMissing:
    "-32000 WebAssembly is missing, which hashes and signatures need with either interpreter: {reason} (it takes node without --jitless, or the source 'wasm-unsafe-eval' in script-src of the content security policy)",
  invalidCall: made<{ call: string; reason: string }>(
    -32602,
    (e) => `invalid call ${e.call}: ${e.reason}${rightCall(e.call)}`,
  ),
  invalidContracts: '-32602 invalid contracts: {reason}',
  tooManySteps: '-32005 {call} would perform {steps} steps, more than the limit of {most}',
  timeOutOfRange: '-32602 {call} would move the clock past its end at {latestMs} ms',
  reorgTooDeep: '-32602 a reorganisation of depth {depth} is too deep: {most} blocks stand above genesis',
  notExportable:
    '-32000 blocks {first} to {last} were passed in one call, and could not be verified elsewhere',
  notPreconfirmed: '-32602 transaction {hash} is not preconfirmed: {reason}',
  replacementNotExecutable: '-32602 transaction {hash} cannot execute in the replacement block: {reason}',
  // Words of Hardhat
  alreadySealed: "-32602 Transaction {hash} cannot be dropped because it's already mined",
  notWaiting: '-32000 no such transaction of {sender} with nonce {nonce} waits in the pool',
  chainTooLong: '-32000 a chain of {blocks} blocks is too long for a state dump: at most {most}',
  undecodableState: '-32602 failed to decode state dump: {reason}',
  // Forks
  upstreamFailed: '-32000 {reason}: the upstream {did} {request}',
  upstreamAnswer: "-32000 {reason}, in the upstream's answer to {request}",
  upstreamReorganised:
    '-32000 the upstream was reorganised: block {number} was {known}, and is {hash} in the answer to {request}',
  notRecorded: row<{ missing: string; block: number; recording: string }>(
    "-32000 {missing} at block {block} is not in {recording}; a run with fork: { upstream, recording, mode: 'auto' } records it",
  ),
  invalidRecording: '-32602 the recording of the fork cannot be used: {reason}',
  forkBlockNotFound: '-32001 the upstream has no block {block}',
  reorgBelowFork:
    '-32602 a reorganisation of depth {depth} is too deep: {most} blocks stand above block {block}, where the chain was forked',
  proofOnFork:
    "-32000 there are no proofs of states above a fork: their roots commit to the root at the fork and to the changes; the option fork.roots 'proven' makes them true ones",
  unknownTrieNode:
    '-32000 the state root needs {node}, beside which a key was removed, and the upstream does not answer debug_dbGet',
  noNetwork:
    '-32602 {call}: there is no network to fork from; give the option fork.connect, or load a state dump instead',
  unknownTransaction: '-32602 transaction {hash} is neither orphaned nor in the pool',
  unknownSnapshot: '-32602 unknown snapshot handle',
  // EIP-1193
  userRejected: '4001 User rejected the request.',
  unauthorized: '4100 The account {account} has not been authorized by the user.',
  unsupportedMethod: '4200 The Provider does not support the requested method {method}.',
  disposed: '4900 the emulator has been disposed',

  // Reads
  // `block` is a number or a hash.
  blockNotFound: made<{ block: number | Hex; latest: number }>(
    -32001,
    ({ block }) =>
      `block not found: ${typeof block === 'number' ? `0x${block.toString(16)}` : `hash ${block}`}`,
  ),
  // go-ethereum, core/state/database.go
  stateNotAvailable:
    '-32000 historical state of block {block} is not available: the option stateHistory does not keep it',
  replayDiffers:
    '-32000 transaction {index} of block {block} cannot be run again as it ran: it gave {expected} then and gives {got} now; the state was edited during the block, and a state dump does not hold such edits',
  // go-ethereum, eth/api_debug.go, eth/state_accessor.go, eth/tracers/api.go
  transactionNotFound: made<{ hash: Hex; isPooled: boolean }>(
    -32000,
    ({ hash, isPooled }) =>
      `transaction not found: ${hash}${isPooled ? ' waits in the pool, and has not run yet' : ''}`,
  ),
  tracedBlockNotFound: made<{ block: number | Hex }>(-32000, ({ block }) =>
    typeof block === 'number' ? `block #${block} not found` : `block ${block} not found`,
  ),
  genesisNotTraceable: '-32000 genesis is not traceable',
  noTransactionInGenesis: '-32000 no transaction in genesis',
  transactionIndexOutOfRange: '-32000 transaction index {index} out of range for block {block}',
  noParentBlock: made<{ block: number }>(-32000, (e) => `block ${e.block.toString(16)} has no parent`),
  blockHeightsReversed: '-32000 start block height ({start}) must be less than end block height ({end})',
  unknownPreimage: '-32000 unknown preimage',
  traceTooLarge:
    '-32000 the trace is larger than {mostBytes} bytes, the option limits.traceBytes: leave out stack, memory or storage, or cut the steps with limit',
  // geth, rpc/errors.go
  responseTooLarge: '-32003 response too large',
  batchTooExpensive:
    '-32005 not executed: the requests of the batch before this one have used {gas} gas, more than {most}; send smaller batches, or raise limits.batchGas',
  invalidBlock: '-32000 invalid block {number}: {check}: expected {expected}, got {got}',
  // Engine API, Errors
  invalidPayloadAttributes: '-38003 invalid payload attributes: {reason}',
  undecodableBlocks: '-32602 undecodable blocks: {reason}',
  // `kind` is that of a filter that has no logs.
  filterNotFound: made<{ id: number; kind?: string }>(
    -32000,
    ({ id }) => `filter not found: 0x${id.toString(16)}`,
  ),
  notificationsNotSupported: '-32601 notifications not supported',
  forbiddenOnPublicEndpoint:
    '-32601 403 Forbidden: the method {method} does not exist/is not available on a public endpoint',
  confirmationTimeout: made<{ hash: string; ms: number }>(
    4,
    (e) =>
      `Transaction ${e.hash} was added to the mempool but wasn't confirmed within ${formatDuration(e.ms)}.`,
  ),
  timeoutTooLong: '-32602 time out too long, timeout: {ms} ms, max: {most} ms',
  blockRangeReversed: '-32602 invalid block range params',
  blockRangeBeyondHead: '-32602 block range extends beyond current head block',
  blockRangeTooWide: '-32602 query exceeds max block range {most}',
  tooManyReplays:
    '-32005 this would execute more than {most} transactions again; narrow it, or raise limits.replayedTransactions',
  feeHistoryPercentile: '-32000 invalid reward percentile: {reason}',

  // Settings of later blocks
  timestampTooLow: '-32602 timestamp {timestamp} is too low: the next block needs at least {least}',
  timestampTooHigh: '-32602 timestamp {timestamp} is too high: the clock ends at {most}',
  clockBeforeHead: '-32602 the clock cannot be set to {seconds}, before the latest block at {least}',
  blockGasLimitZero: '-32602 block gas limit must be greater than 0',
  extraDataTooLong: '-32602 extra exceeds max length. {size} > {most}',
  invalidExtraData: '-32602 {reason}',
  // Words of anvil and Hardhat
  needsBaseFee: '-32602 {call} is only supported when EIP-1559 is active',
  replacedByBaseFee: '-32602 {call} is not supported when EIP-1559 is active',
  needsMerge: row<{ call: string; hardfork: string }>(
    '-32000 {call} is only available in post-merge hardforks, the current hardfork is {hardfork}',
  ),
  blockBegun: '-32000 the block being built already holds preconfirmed transactions; seal it first',
  notARollup: "-32000 {call}: the chain is not a rollup (createEmulator's option rollup)",
  upgradeUnknown:
    '-32000 the fork {fork} cannot activate in a running chain: the code of its upgrade transactions is not part of this library; begin with it instead',
  layer1Decides: '-32000 {call}: the chain has a real layer 1, whose contracts decide this',
  layersApart: '-32000 the layers of the rollup would no longer belong together: {reason}',
  extraDataDecided:
    "-32000 {call}: since holocene, the extra data of a rollup's blocks is its system configuration; set that",
  depositForced: '-32602 transaction {hash} is a deposit, which the sequencer cannot leave out of its block',

  // Admission to the pool (specification part 7; the rest of geth's table)
  // `isMinedAtOnce` tells flavors that word it otherwise while automining.
  nonceTooLow: row<{ next: bigint; nonce: bigint; isMinedAtOnce?: true }>(
    '-32000 nonce too low: next nonce {next}, tx nonce {nonce}',
  ),
  nonceTooHigh:
    "-32000 Nonce too high. Expected nonce to be {next} but got {nonce}. Note that transactions can't be queued when automining.",
  // `caller` is the sender of a call, which geth words otherwise: it may be nobody that the request names.
  insufficientFunds: made<{ balance: bigint; cost: bigint; queuedCost?: bigint; caller?: Hex }>(
    -32000,
    (e) => {
      const words = 'insufficient funds for gas * price + value'
      if (e.caller !== undefined) return `${words}: address ${e.caller} have ${e.balance} want ${e.cost}`
      const queuedCost = e.queuedCost ?? 0n
      const queued = queuedCost > 0n ? `queued cost ${queuedCost}, ` : ''
      const overshot = e.cost + queuedCost - e.balance
      return `${words}: balance ${e.balance}, ${queued}tx cost ${e.cost}, overshot ${overshot}`
    },
  ),
  alreadyKnown: row<{ hash: Hex }>('-32000 already known'),
  replacementUnderpriced: row<{ nonce: bigint; fee: string; least: bigint }>(
    '-32000 replacement transaction underpriced',
  ),
  tipAboveFeeCap:
    '-32000 max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas {tip}, maxFeePerGas {feeCap}',
  feeCapTooLow: row<{ sender: Hex; feeCap: bigint; baseFee: bigint; type?: number }>(
    '-32000 max fee per gas less than block base fee: address {sender}, maxFeePerGas: {feeCap}, baseFee: {baseFee}',
  ),
  intrinsicGasTooLow: '-32000 intrinsic gas too low: gas {gas}, minimum needed {least}',
  floorGasTooLow: '-32000 insufficient gas for floor data gas cost: gas {gas}, minimum needed {least}',
  exceedsBlockGasLimit: '-32000 exceeds block gas limit: gas {gas}, limit {limit}',
  exceedsTransactionGasCap: '-32000 transaction gas limit too high (cap: {cap}, tx: {gas})',
  oversizedData: '-32000 oversized data: transaction size {size}, limit {limit}',
  initCodeTooLarge: '-32000 max initcode size exceeded: code size {size}, limit {limit}',
  wrongChainId: row<{ given: bigint; expected: number; type?: number }>(
    '-32000 invalid sender: invalid chain id for signer: have {given} want {expected}',
  ),
  chainIdMismatch: "-32000 chainId does not match node's (have={given}, want={expected})",
  notReplayProtected: '-32000 only replay-protected (EIP-155) transactions allowed over RPC',
  invalidSignature: '-32000 invalid sender: invalid transaction v, r, s values',
  undecodableTransaction: '-32000 {reason}',
  transactionTypeNotSupported: made<{ type: number; hardfork?: string }>(
    -32000,
    ({ type }) =>
      `transaction type not supported: ${type === 0x79 ? '0x79 is that of EIP-8130, which no fork has yet (Base: not before zenith)' : `received type ${type}`}`,
  ),
  nonceKeyNotActive:
    '-32602 EIP-8130 RPC features are not active before the Zenith hard fork; the `nonce_key` parameter is not supported at this block',
  senderNotEoa: '-32000 sender not an eoa: address {sender}',
  nonceMax: '-32000 nonce has max value',
  emptyAuthorizationList: '-32000 set code tx must have at least one authorization tuple',
  missingSidecar: '-32000 missing sidecar in blob transaction',
  blobless: '-32000 blobless blob transaction',
  tooManyBlobs: '-32000 transaction blob limit exceeded: blob count {count}, limit {most}',
  invalidBlobHash: '-32000 blob {index} has invalid hash version',
  invalidSidecar: '-32000 {reason}',
  blobFeeTooLow: '-32000 transaction gas price below minimum: blob fee cap {feeCap}, minimum needed {least}',
  poolFull: '-32000 txpool is full',
  tipTooLow: '-32000 transaction gas price below minimum: gas tip cap {tip}, minimum needed {least}',
  feeAboveLimit: made<{ fee: bigint; limit: bigint }>(
    -32000,
    (e) => `tx fee (${formatEther(e.fee)} ether) exceeds the configured cap (${formatEther(e.limit)} ether)`,
  ),
  delegatedNonceGap: '-32000 gapped-nonce tx from delegated accounts',
  delegatedInFlight: '-32000 in-flight transaction limit reached for delegated accounts',

  // Execution
  reverted: made<{ reason: string | undefined }>(3, (e) =>
    e.reason === undefined ? 'execution reverted' : `execution reverted: ${e.reason}`,
  ),
  executionFailed: '-32000 {reason}',
  gasAllowanceExceeded: '-32000 gas required exceeds allowance ({allowance})',
  internalOutOfGas:
    "-32000 Gas estimation failed: an internal call runs out of gas regardless of the transaction's gas limit, so no reliable estimate exists. Set an explicit gas limit for the transaction, or set the network's gasEstimationMode to 'topLevelSuccess' to only require the top-level call to succeed.",
  creationWithoutData: '-32000 Contract creation without any data provided',
  gasLimitAboveCap: '-32000 transaction gas limit ({gasLimit}) is greater than the cap ({cap})',
  accessListUnstable:
    '-32000 the access list still grows after {runs} runs, because what the call accesses depends on its gas',
  conflictingFees: row<{ field: string }>(
    '-32602 both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
  ),

  // Overrides of state (geth, internal/ethapi/override)
  notPrecompile: '-32000 account {address} is not a precompile',
  alreadyOverridden: '-32000 account {address} is already overridden',
  precompileMovedToItself: '-38022 precompile {address} cannot be moved to its own address',

  // Simulation (execution-apis, eth_simulateV1; words of geth)
  simulationBaseNotFound: '-32000 header not found',
  simulatedNonceTooLow: '-38010 nonce too low: address {sender}, tx: {nonce} state: {next}',
  simulatedNonceTooHigh: '-38011 nonce too high: address {sender}, tx: {nonce} state: {next}',
  // The one code of its kind: the vectors of execution-apis record geth's, which does not sort this mistake.
  simulatedNonceMax: '-32603 nonce has max value: address {sender}, nonce: {nonce}',
  simulatedFeeCapTooLow:
    '-38012 max fee per gas less than block base fee: address {sender}, maxFeePerGas: {feeCap}, baseFee: {baseFee}',
  simulatedGasTooLow: '-38013 intrinsic gas too low: have {gas}, want {least}',
  simulatedInsufficientFunds:
    '-38014 insufficient funds for gas * price + value: address {sender} have {balance} want {cost}',
  simulatedBlockGasExceeded: '-38015 block gas limit reached: {gas} > {limit}',
  simulatedNumbersNotInOrder: '-38020 block numbers must be in order: {number} <= {previous}',
  simulatedTimestampsNotInOrder: '-38021 block timestamps must be in order: {timestamp} <= {previous}',
  simulatedInitCodeTooLarge: '-38025 max initcode size exceeded: code size {size} limit {limit}',
  simulationTooLarge: '-38026 too many {what}: at most {most} in a simulation',
  simulatedExecutionFailed: '-32015 {reason}',

  // Wallets (EIP-3326, EIP-5792)
  unrecognizedChain: '4902 unrecognized chain ID {chainId}',
  unsupportedCapability: '5700 unsupported capability {capability}',
  unsupportedChainId: '5710 unsupported chain ID {chainId}',
  duplicateBundle: made<{ id: string }>(5720, (e) => `duplicate bundle ID ${shorten(e.id)}`),
  unknownBundle: made<{ id: string }>(5730, (e) => `unknown bundle ID ${shorten(e.id)}`),
  atomicityNotSupported: '5760 atomicity not supported',

  // Accounts
  unknownAccount: row<{ address: Hex }>(
    '-32000 unknown account {address}: the chain has no key for it; chain.impersonate(address) lets it send',
  ),
  typedDataInvalid: '-32602 invalid typed data: {reason}',
  impersonatedWithoutKey:
    '-32000 account {address} is impersonated: it can send transactions, but has no key to sign with',
  // ganache, personal_…
  accountLocked: '-32000 authentication needed: passphrase or unlock',
  wrongPassphrase: '-32000 could not decrypt key with given password',
  accountExists: '-32000 account already exists',

  // Edits of accounts (words of Hardhat)
  nonceLowered: '-32000 New nonce ({nonce}) must not be smaller than the existing nonce ({current})',
  nonceWithPooled: '-32000 Cannot set account nonce when the transaction pool is not empty',
  storageValueLength: '-32000 Storage value must be exactly 32 bytes long',
  tokenNotSettable: '-32000 cannot set the {what} of token {token}: {reason}',
  tokenNotReadable: '-32000 cannot read balances of token {token}: {reason}',

  // Injected failures
  // The answer of a fault, whose code the test chooses.
  injectedFault: '-32000 {message}',
  callbackFailed: '-32000 {callback} failed: {reason}',
  invalidSchedule: '-32000 invalid schedule of block {blockNumber}, partial block {partialIndex}: {reason}',
  partialNotExecutable:
    '-32000 transaction {hash} cannot execute in this partial block: its nonce, funds, fees or gas do not allow it there',
  notPooled: '-32000 transaction {hash} is not in the pool',

  // Exploring
  invariantBroken: '-32000 the invariant {name} is broken: {reason}{story}',
  assertionFailed: '-32000 {name} fails: {reason}{story}',
  actionThrew: '-32000 the action {name} threw: {reason}{story}',
  storyHung: '-32000 the run hangs in {name}: {reason}{story}',
  coverageUnavailable:
    "-32000 the coverage of contracts needs the option interpreter: 'wasm' and one of the hardforks that can be chosen",
  invalidStory: '-32602 invalid story: {reason}',
  invalidPart: '-32602 invalid part of an exploration: {reason}',
  tooManyStates: '-32005 the scene has more than {most} states: fewer steps or events, or a higher limit',
} as const

type Rows = typeof ROWS

type RowOf<Given> = Given extends `${string} ${infer Text}` ? TextRow<Text> : Given

/** Kind → JSON-RPC code and message. Prefixes in the four admission errors are the specification's, part 7. */
export const ERROR_TABLE = Object.fromEntries(
  Object.entries(ROWS).map(([kind, given]) => [kind, typeof given === 'string' ? row(given) : given]),
) as unknown as { readonly [Kind in keyof Rows]: RowOf<Rows[Kind]> }
