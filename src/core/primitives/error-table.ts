// The table of errors: code and message of every failure that a user can cause. Messages follow the specification
// first, geth second; viem and ethers recognise both.

import type { Hex } from './hex.ts'
import { rightCall } from './right-calls.ts'
import { shorten } from './text-of.ts'

export interface ErrorRow<Detail> {
  /** The JSON-RPC code. */
  readonly code: number
  readonly message: (detail: Detail) => string
}

function row<Detail = void>(code: number, message: (detail: Detail) => string): ErrorRow<Detail> {
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

/** Kind → JSON-RPC code and message. Prefixes in the four admission errors are the specification's, part 7. */
export const ERROR_TABLE = {
  // Envelope (JSON-RPC 2.0; words of geth)
  parseError: row(-32700, () => 'parse error: the body is not JSON'),
  invalidRequest: row<{ reason: string }>(-32600, (e) => `invalid request: ${e.reason}`),
  methodNotFound: row<{ method: string; nearest?: string | undefined }>(
    -32601,
    (e) =>
      `the method ${e.method} does not exist/is not available${e.nearest === undefined ? '' : `; did you mean ${e.nearest}?`}`,
  ),
  missingParameter: row<{ index: number; name: string }>(
    -32602,
    (e) => `missing value for required argument ${e.index}: ${e.name}`,
  ),
  invalidParameter: row<{ path: string; reason: string }>(
    -32602,
    (e) => `invalid argument ${e.path}: ${e.reason}`,
  ),
  tooManyParameters: row<{ most: number }>(-32602, (e) => `too many arguments, want at most ${e.most}`),
  internal: row<{ reason: string }>(-32603, (e) => `internal error: ${e.reason}`),

  // Library calls
  invalidOption: row<{ option: string; reason: string }>(
    -32602,
    (e) => `invalid option ${e.option}: ${e.reason}`,
  ),
  webAssemblyMissing: row<{ reason: string }>(
    -32000,
    (e) =>
      `WebAssembly is missing, which hashes and signatures need with either interpreter: ${e.reason} ` +
      "(it takes node without --jitless, or the source 'wasm-unsafe-eval' in script-src of the content security policy)",
  ),
  invalidCall: row<{ call: string; reason: string }>(
    -32602,
    (e) => `invalid call ${e.call}: ${e.reason}${rightCall(e.call)}`,
  ),
  invalidContracts: row<{ reason: string }>(-32602, (e) => `invalid contracts: ${e.reason}`),
  tooManySteps: row<{ call: string; steps: number; most: number }>(
    -32005,
    (e) => `${e.call} would perform ${e.steps} steps, more than the limit of ${e.most}`,
  ),
  timeOutOfRange: row<{ call: string; latestMs: number }>(
    -32602,
    (e) => `${e.call} would move the clock past its end at ${e.latestMs} ms`,
  ),
  reorgTooDeep: row<{ depth: number; most: number }>(
    -32602,
    (e) => `a reorganisation of depth ${e.depth} is too deep: ${e.most} blocks stand above genesis`,
  ),
  notExportable: row<{ first: number; last: number }>(
    -32000,
    (e) => `blocks ${e.first} to ${e.last} were passed in one call, and could not be verified elsewhere`,
  ),
  notPreconfirmed: row<{ hash: string }>(-32602, (e) => `transaction ${e.hash} is not preconfirmed`),
  replacementNotExecutable: row<{ hash: string; reason: string }>(
    -32602,
    (e) => `transaction ${e.hash} cannot execute in the replacement block: ${e.reason}`,
  ),
  // Words of Hardhat
  alreadySealed: row<{ hash: string }>(
    -32602,
    (e) => `Transaction ${e.hash} cannot be dropped because it's already mined`,
  ),
  notWaiting: row<{ sender: string; nonce: bigint }>(
    -32000,
    (e) => `no such transaction of ${e.sender} with nonce ${e.nonce} waits in the pool`,
  ),
  chainTooLong: row<{ blocks: number; most: number }>(
    -32000,
    (e) => `a chain of ${e.blocks} blocks is too long for a state dump: at most ${e.most}`,
  ),
  undecodableState: row<{ reason: string }>(-32602, (e) => `failed to decode state dump: ${e.reason}`),
  // Forks
  upstreamFailed: row<{ request: string; reason: string }>(
    -32000,
    (e) => `the upstream did not answer ${e.request}: ${e.reason}`,
  ),
  upstreamAnswer: row<{ request: string; reason: string }>(
    -32000,
    (e) => `the upstream's answer to ${e.request} is not what it should be: ${e.reason}`,
  ),
  notRecorded: row<{ missing: string; block: number; recording: string }>(
    -32000,
    (e) =>
      `${e.missing} at block ${e.block} is not in ${e.recording}; a run with ` +
      "fork: { upstream, recording, mode: 'auto' } records it",
  ),
  invalidRecording: row<{ reason: string }>(
    -32602,
    (e) => `the recording of the fork cannot be used: ${e.reason}`,
  ),
  forkBlockNotFound: row<{ block: string }>(-32001, (e) => `the upstream has no block ${e.block}`),
  reorgBelowFork: row<{ depth: number; most: number; block: number }>(
    -32602,
    (e) =>
      `a reorganisation of depth ${e.depth} is too deep: ${e.most} blocks stand above block ${e.block}, where the chain was forked`,
  ),
  proofOnFork: row(
    -32000,
    () =>
      "there are no proofs of states above a fork: their roots commit to the root at the fork and to the changes; the option fork.roots 'proven' makes them true ones",
  ),
  unknownTrieNode: row<{ node: string }>(
    -32000,
    (e) =>
      `the state root needs ${e.node}, beside which a key was removed, and the upstream does not answer debug_dbGet`,
  ),
  noNetwork: row<{ call: string }>(
    -32602,
    (e) =>
      `${e.call}: there is no network to fork from; give the option fork.connect, or load a state dump instead`,
  ),
  unknownTransaction: row<{ hash: string }>(
    -32602,
    (e) => `transaction ${e.hash} is neither orphaned nor in the pool`,
  ),
  unknownSnapshot: row(-32602, () => 'unknown snapshot handle'),
  // EIP-1193
  userRejected: row(4001, () => 'User rejected the request.'),
  unauthorized: row<{ account: string }>(
    4100,
    (e) => `The account ${e.account} has not been authorized by the user.`,
  ),
  unsupportedMethod: row<{ method: string }>(
    4200,
    (e) => `The Provider does not support the requested method ${e.method}.`,
  ),
  disposed: row(4900, () => 'the emulator has been disposed'),

  // Reads
  // `block` is a number or a hash.
  blockNotFound: row<{ block: number | Hex; latest: number }>(
    -32001,
    ({ block }) =>
      `block not found: ${typeof block === 'number' ? `0x${block.toString(16)}` : `hash ${block}`}`,
  ),
  // go-ethereum, core/state/database.go
  stateNotAvailable: row<{ block: number }>(
    -32000,
    (e) => `historical state of block ${e.block} is not available: the option stateHistory does not keep it`,
  ),
  replayDiffers: row<{ block: number; index: number; expected: string; got: string }>(
    -32000,
    (e) =>
      `transaction ${e.index} of block ${e.block} cannot be run again as it ran: it gave ${e.expected} then and gives ` +
      `${e.got} now; the state was edited during the block, and a state dump does not hold such edits`,
  ),
  // go-ethereum, eth/api_debug.go, eth/state_accessor.go, eth/tracers/api.go
  transactionNotFound: row<{ hash: Hex; isPooled: boolean }>(
    -32000,
    ({ hash, isPooled }) =>
      `transaction not found: ${hash}${isPooled ? ' waits in the pool, and has not run yet' : ''}`,
  ),
  tracedBlockNotFound: row<{ block: number | Hex }>(-32000, ({ block }) =>
    typeof block === 'number' ? `block #${block} not found` : `block ${block} not found`,
  ),
  genesisNotTraceable: row(-32000, () => 'genesis is not traceable'),
  noTransactionInGenesis: row(-32000, () => 'no transaction in genesis'),
  transactionIndexOutOfRange: row<{ index: number; block: Hex }>(
    -32000,
    (e) => `transaction index ${e.index} out of range for block ${e.block}`,
  ),
  noParentBlock: row<{ block: number }>(-32000, (e) => `block ${e.block.toString(16)} has no parent`),
  blockHeightsReversed: row<{ start: number; end: number }>(
    -32000,
    (e) => `start block height (${e.start}) must be less than end block height (${e.end})`,
  ),
  unknownPreimage: row(-32000, () => 'unknown preimage'),
  traceTooLarge: row<{ mostBytes: number }>(
    -32000,
    (e) =>
      `the trace is larger than ${e.mostBytes} bytes, the option limits.traceBytes: leave out stack, memory or storage, ` +
      'or cut the steps with limit',
  ),
  // geth, rpc/errors.go
  responseTooLarge: row(-32003, () => 'response too large'),
  batchTooExpensive: row<{ gas: bigint; most: number }>(
    -32005,
    (e) =>
      `not executed: the requests of the batch before this one have used ${e.gas} gas, more than ${e.most}; ` +
      'send smaller batches, or raise limits.batchGas',
  ),
  invalidBlock: row<{ number: number; check: string; expected: string; got: string }>(
    -32000,
    (e) => `invalid block ${e.number}: ${e.check}: expected ${e.expected}, got ${e.got}`,
  ),
  // Engine API, Errors
  invalidPayloadAttributes: row<{ reason: string }>(-38003, (e) => `invalid payload attributes: ${e.reason}`),
  undecodableBlocks: row<{ reason: string }>(-32602, (e) => `undecodable blocks: ${e.reason}`),
  // `kind` is that of a filter that has no logs.
  filterNotFound: row<{ id: number; kind?: string }>(-32000, () => 'filter not found'),
  notificationsNotSupported: row(-32601, () => 'notifications not supported'),
  forbiddenOnPublicEndpoint: row<{ method: string }>(
    -32601,
    (e) => `403 Forbidden: the method ${e.method} does not exist/is not available on a public endpoint`,
  ),
  confirmationTimeout: row<{ hash: string; ms: number }>(
    4,
    (e) =>
      `Transaction ${e.hash} was added to the mempool but wasn't confirmed within ${formatDuration(e.ms)}.`,
  ),
  timeoutTooLong: row<{ ms: number; most: number }>(
    -32602,
    (e) => `time out too long, timeout: ${e.ms} ms, max: ${e.most} ms`,
  ),
  blockRangeReversed: row(-32602, () => 'invalid block range params'),
  blockRangeBeyondHead: row(-32602, () => 'block range extends beyond current head block'),
  blockRangeTooWide: row<{ most: number }>(-32602, (e) => `query exceeds max block range ${e.most}`),
  tooManyReplays: row<{ most: number }>(
    -32005,
    (e) =>
      `this would execute more than ${e.most} transactions again; narrow it, or raise limits.replayedTransactions`,
  ),
  feeHistoryPercentile: row<{ reason: string }>(-32000, (e) => `invalid reward percentile: ${e.reason}`),

  // Settings of later blocks
  timestampTooLow: row<{ timestamp: number; least: number }>(
    -32602,
    (e) => `timestamp ${e.timestamp} is too low: the next block needs at least ${e.least}`,
  ),
  timestampTooHigh: row<{ timestamp: number; most: number }>(
    -32602,
    (e) => `timestamp ${e.timestamp} is too high: the clock ends at ${e.most}`,
  ),
  clockBeforeHead: row<{ seconds: number; least: number }>(
    -32602,
    (e) => `the clock cannot be set to ${e.seconds}, before the latest block at ${e.least}`,
  ),
  blockGasLimitZero: row(-32602, () => 'block gas limit must be greater than 0'),
  extraDataTooLong: row<{ size: number; most: number }>(
    -32602,
    (e) => `extra exceeds max length. ${e.size} > ${e.most}`,
  ),
  invalidExtraData: row<{ reason: string }>(-32602, (e) => e.reason),
  // Words of anvil and Hardhat
  needsBaseFee: row<{ call: string }>(-32602, (e) => `${e.call} is only supported when EIP-1559 is active`),
  replacedByBaseFee: row<{ call: string }>(
    -32602,
    (e) => `${e.call} is not supported when EIP-1559 is active`,
  ),
  needsMerge: row<{ call: string; hardfork: string }>(
    -32000,
    (e) => `${e.call} is only available in post-merge hardforks, the current hardfork is ${e.hardfork}`,
  ),
  blockBegun: row(
    -32000,
    () => 'the block being built already holds preconfirmed transactions; seal it first',
  ),
  notARollup: row<{ call: string }>(
    -32000,
    (e) => `${e.call}: the chain is not a rollup (createEmulator's option rollup)`,
  ),
  layer1Decides: row<{ call: string }>(
    -32000,
    (e) => `${e.call}: the chain has a real layer 1, whose contracts decide this`,
  ),
  layersApart: row<{ reason: string }>(
    -32000,
    (e) => `the layers of the rollup would no longer belong together: ${e.reason}`,
  ),
  extraDataDecided: row<{ call: string }>(
    -32000,
    (e) =>
      `${e.call}: since holocene, the extra data of a rollup's blocks is its system configuration; set that`,
  ),
  depositForced: row<{ hash: string }>(
    -32602,
    (e) => `transaction ${e.hash} is a deposit, which the sequencer cannot leave out of its block`,
  ),

  // Admission to the pool (specification part 7; the rest of geth's table)
  // `isMinedAtOnce` tells flavors that word it otherwise while automining.
  nonceTooLow: row<{ next: bigint; nonce: bigint; isMinedAtOnce?: true }>(
    -32000,
    (e) => `nonce too low: next nonce ${e.next}, tx nonce ${e.nonce}`,
  ),
  nonceTooHigh: row<{ next: bigint; nonce: bigint }>(
    -32000,
    (e) =>
      `Nonce too high. Expected nonce to be ${e.next} but got ${e.nonce}. Note that transactions can't be queued when automining.`,
  ),
  insufficientFunds: row<{ balance: bigint; cost: bigint; queuedCost?: bigint }>(-32000, (e) => {
    const queuedCost = e.queuedCost ?? 0n
    const queued = queuedCost > 0n ? `queued cost ${queuedCost}, ` : ''
    const overshot = e.cost + queuedCost - e.balance
    return `insufficient funds for gas * price + value: balance ${e.balance}, ${queued}tx cost ${e.cost}, overshot ${overshot}`
  }),
  alreadyKnown: row<{ hash: Hex }>(-32000, () => 'already known'),
  replacementUnderpriced: row<{ nonce: bigint; fee: string; least: bigint }>(
    -32000,
    () => 'replacement transaction underpriced',
  ),
  tipAboveFeeCap: row<{ tip: bigint; feeCap: bigint }>(
    -32000,
    (e) =>
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas ${e.tip}, maxFeePerGas ${e.feeCap}`,
  ),
  feeCapTooLow: row<{ sender: Hex; feeCap: bigint; baseFee: bigint; type?: number }>(
    -32000,
    (e) =>
      `max fee per gas less than block base fee: address ${e.sender}, maxFeePerGas: ${e.feeCap}, baseFee: ${e.baseFee}`,
  ),
  intrinsicGasTooLow: row<{ gas: bigint; least: bigint }>(
    -32000,
    (e) => `intrinsic gas too low: gas ${e.gas}, minimum needed ${e.least}`,
  ),
  floorGasTooLow: row<{ gas: bigint; least: bigint }>(
    -32000,
    (e) => `insufficient gas for floor data gas cost: gas ${e.gas}, minimum needed ${e.least}`,
  ),
  exceedsBlockGasLimit: row<{ gas: bigint; limit: bigint }>(-32000, () => 'exceeds block gas limit'),
  exceedsTransactionGasCap: row<{ cap: bigint; gas: bigint }>(
    -32000,
    (e) => `transaction gas limit too high (cap: ${e.cap}, tx: ${e.gas})`,
  ),
  oversizedData: row<{ size: number; limit: number }>(
    -32000,
    (e) => `oversized data: transaction size ${e.size}, limit ${e.limit}`,
  ),
  initCodeTooLarge: row<{ size: number; limit: number }>(
    -32000,
    (e) => `max initcode size exceeded: code size ${e.size}, limit ${e.limit}`,
  ),
  wrongChainId: row<{ given: bigint; expected: number; type?: number }>(
    -32000,
    (e) => `invalid sender: invalid chain id for signer: have ${e.given} want ${e.expected}`,
  ),
  chainIdMismatch: row<{ given: bigint; expected: number }>(
    -32000,
    (e) => `chainId does not match node's (have=${e.given}, want=${e.expected})`,
  ),
  notReplayProtected: row(-32000, () => 'only replay-protected (EIP-155) transactions allowed over RPC'),
  invalidSignature: row(-32000, () => 'invalid sender: invalid transaction v, r, s values'),
  undecodableTransaction: row<{ reason: string }>(-32000, (e) => e.reason),
  transactionTypeNotSupported: row<{ type: number; hardfork?: string }>(
    -32000,
    () => 'transaction type not supported',
  ),
  senderNotEoa: row<{ sender: Hex }>(-32000, (e) => `sender not an eoa: address ${e.sender}`),
  nonceMax: row(-32000, () => 'nonce has max value'),
  emptyAuthorizationList: row(-32000, () => 'set code tx must have at least one authorization tuple'),
  missingSidecar: row(-32000, () => 'missing sidecar in blob transaction'),
  blobless: row(-32000, () => 'blobless blob transaction'),
  tooManyBlobs: row<{ count: number; most: number }>(
    -32000,
    (e) => `transaction blob limit exceeded: blob count ${e.count}, limit ${e.most}`,
  ),
  invalidBlobHash: row<{ index: number }>(-32000, (e) => `blob ${e.index} has invalid hash version`),
  invalidSidecar: row<{ reason: string }>(-32000, (e) => e.reason),
  blobFeeTooLow: row<{ feeCap: bigint; least: bigint }>(
    -32000,
    (e) => `transaction gas price below minimum: blob fee cap ${e.feeCap}, minimum needed ${e.least}`,
  ),
  poolFull: row(-32000, () => 'txpool is full'),
  tipTooLow: row<{ tip: bigint; least: bigint }>(
    -32000,
    (e) => `transaction gas price below minimum: gas tip cap ${e.tip}, minimum needed ${e.least}`,
  ),
  feeAboveLimit: row<{ fee: bigint; limit: bigint }>(
    -32000,
    (e) => `tx fee (${formatEther(e.fee)} ether) exceeds the configured cap (${formatEther(e.limit)} ether)`,
  ),
  delegatedNonceGap: row(-32000, () => 'gapped-nonce tx from delegated accounts'),
  delegatedInFlight: row(-32000, () => 'in-flight transaction limit reached for delegated accounts'),

  // Execution
  reverted: row<{ reason: string | undefined }>(3, (e) =>
    e.reason === undefined ? 'execution reverted' : `execution reverted: ${e.reason}`,
  ),
  executionFailed: row<{ reason: string }>(-32000, (e) => e.reason),
  gasAllowanceExceeded: row<{ allowance: bigint }>(
    -32000,
    (e) => `gas required exceeds allowance (${e.allowance})`,
  ),
  internalOutOfGas: row(
    -32000,
    () =>
      "Gas estimation failed: an internal call runs out of gas regardless of the transaction's gas limit, so no reliable estimate exists. Set an explicit gas limit for the transaction, or set the network's gasEstimationMode to 'topLevelSuccess' to only require the top-level call to succeed.",
  ),
  creationWithoutData: row(-32000, () => 'Contract creation without any data provided'),
  gasLimitAboveCap: row<{ gasLimit: bigint; cap: bigint }>(
    -32000,
    (e) => `transaction gas limit (${e.gasLimit}) is greater than the cap (${e.cap})`,
  ),
  accessListUnstable: row<{ runs: number }>(
    -32000,
    (e) =>
      `the access list still grows after ${e.runs} runs, because what the call accesses depends on its gas`,
  ),
  conflictingFees: row<{ field: string }>(
    -32602,
    () => 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified',
  ),

  // Overrides of state (geth, internal/ethapi/override)
  notPrecompile: row<{ address: Hex }>(-32000, (e) => `account ${e.address} is not a precompile`),
  alreadyOverridden: row<{ address: Hex }>(-32000, (e) => `account ${e.address} is already overridden`),
  precompileMovedToItself: row<{ address: Hex }>(
    -38022,
    (e) => `precompile ${e.address} cannot be moved to its own address`,
  ),

  // Simulation (execution-apis, eth_simulateV1; words of geth)
  simulationBaseNotFound: row(-32000, () => 'header not found'),
  simulatedNonceTooLow: row<{ sender: Hex; nonce: bigint; next: bigint }>(
    -38010,
    (e) => `nonce too low: address ${e.sender}, tx: ${e.nonce} state: ${e.next}`,
  ),
  simulatedNonceTooHigh: row<{ sender: Hex; nonce: bigint; next: bigint }>(
    -38011,
    (e) => `nonce too high: address ${e.sender}, tx: ${e.nonce} state: ${e.next}`,
  ),
  // The one code of its kind: the vectors of execution-apis record geth's, which does not sort this mistake.
  simulatedNonceMax: row<{ sender: Hex; nonce: bigint }>(
    -32603,
    (e) => `nonce has max value: address ${e.sender}, nonce: ${e.nonce}`,
  ),
  simulatedFeeCapTooLow: row<{ sender: Hex; feeCap: bigint; baseFee: bigint }>(
    -38012,
    (e) =>
      `max fee per gas less than block base fee: address ${e.sender}, maxFeePerGas: ${e.feeCap}, baseFee: ${e.baseFee}`,
  ),
  simulatedGasTooLow: row<{ gas: bigint; least: bigint }>(
    -38013,
    (e) => `intrinsic gas too low: have ${e.gas}, want ${e.least}`,
  ),
  simulatedInsufficientFunds: row<{ sender: Hex; balance: bigint; cost: bigint }>(
    -38014,
    (e) => `insufficient funds for gas * price + value: address ${e.sender} have ${e.balance} want ${e.cost}`,
  ),
  simulatedBlockGasExceeded: row<{ gas: bigint; limit: bigint }>(
    -38015,
    (e) => `block gas limit reached: ${e.gas} > ${e.limit}`,
  ),
  simulatedNumbersNotInOrder: row<{ number: number; previous: number }>(
    -38020,
    (e) => `block numbers must be in order: ${e.number} <= ${e.previous}`,
  ),
  simulatedTimestampsNotInOrder: row<{ timestamp: number; previous: number }>(
    -38021,
    (e) => `block timestamps must be in order: ${e.timestamp} <= ${e.previous}`,
  ),
  simulatedInitCodeTooLarge: row<{ size: number; limit: number }>(
    -38025,
    (e) => `max initcode size exceeded: code size ${e.size} limit ${e.limit}`,
  ),
  simulationTooLarge: row<{ what: string; most: number | bigint }>(
    -38026,
    (e) => `too many ${e.what}: at most ${e.most} in a simulation`,
  ),
  simulatedExecutionFailed: row<{ reason: string }>(-32015, (e) => e.reason),

  // Wallets (EIP-3326, EIP-5792)
  unrecognizedChain: row<{ chainId: bigint }>(4902, (e) => `unrecognized chain ID ${e.chainId}`),
  unsupportedCapability: row<{ capability: string }>(5700, (e) => `unsupported capability ${e.capability}`),
  unsupportedChainId: row<{ chainId: bigint }>(5710, (e) => `unsupported chain ID ${e.chainId}`),
  duplicateBundle: row<{ id: string }>(5720, (e) => `duplicate bundle ID ${shorten(e.id)}`),
  unknownBundle: row<{ id: string }>(5730, (e) => `unknown bundle ID ${shorten(e.id)}`),
  atomicityNotSupported: row(5760, () => 'atomicity not supported'),

  // Accounts
  unknownAccount: row<{ address: Hex }>(-32000, (e) => `unknown account ${e.address}`),
  typedDataInvalid: row<{ reason: string }>(-32602, (e) => `invalid typed data: ${e.reason}`),
  impersonatedWithoutKey: row<{ address: Hex }>(
    -32000,
    (e) => `account ${e.address} is impersonated: it can send transactions, but has no key to sign with`,
  ),
  // ganache, personal_…
  accountLocked: row(-32000, () => 'authentication needed: passphrase or unlock'),
  wrongPassphrase: row(-32000, () => 'could not decrypt key with given password'),
  accountExists: row(-32000, () => 'account already exists'),

  // Edits of accounts (words of Hardhat)
  nonceLowered: row<{ nonce: bigint; current: bigint }>(
    -32000,
    (e) => `New nonce (${e.nonce}) must not be smaller than the existing nonce (${e.current})`,
  ),
  nonceWithPooled: row(-32000, () => 'Cannot set account nonce when the transaction pool is not empty'),
  storageValueLength: row(-32000, () => 'Storage value must be exactly 32 bytes long'),
  tokenNotSettable: row<{ token: Hex; what: string; reason: string }>(
    -32000,
    (e) => `cannot set the ${e.what} of token ${e.token}: ${e.reason}`,
  ),
  tokenNotReadable: row<{ token: Hex; reason: string }>(
    -32000,
    (e) => `cannot read balances of token ${e.token}: ${e.reason}`,
  ),

  // Injected failures
  // The answer of a fault, whose code the test chooses.
  injectedFault: row<{ message: string }>(-32000, (e) => e.message),
  callbackFailed: row<{ callback: string; reason: string }>(
    -32000,
    (e) => `${e.callback} failed: ${e.reason}`,
  ),
  invalidSchedule: row<{ blockNumber: number; partialIndex: number; reason: string }>(
    -32000,
    (e) => `invalid schedule of block ${e.blockNumber}, partial block ${e.partialIndex}: ${e.reason}`,
  ),
  partialNotExecutable: row<{ hash: string }>(
    -32000,
    (e) =>
      `transaction ${e.hash} cannot execute in this partial block: its nonce, funds, fees or gas do not allow it there`,
  ),
  notPooled: row<{ hash: string }>(-32000, (e) => `transaction ${e.hash} is not in the pool`),

  // Exploring
  invariantBroken: row<{ name: string; reason: string; story: string }>(
    -32000,
    (e) => `the invariant ${e.name} is broken: ${e.reason}${e.story}`,
  ),
  assertionFailed: row<{ name: string; reason: string; story: string }>(
    -32000,
    (e) => `${e.name} fails: ${e.reason}${e.story}`,
  ),
  actionThrew: row<{ name: string; reason: string; story: string }>(
    -32000,
    (e) => `the action ${e.name} threw: ${e.reason}${e.story}`,
  ),
  storyHung: row<{ name: string; reason: string; story: string }>(
    -32000,
    (e) => `the run hangs in ${e.name}: ${e.reason}${e.story}`,
  ),
  coverageUnavailable: row(
    -32000,
    () =>
      "the coverage of contracts needs the option interpreter: 'wasm' and one of the hardforks that can be chosen",
  ),
  invalidStory: row<{ reason: string }>(-32602, (e) => `invalid story: ${e.reason}`),
  invalidPart: row<{ reason: string }>(-32602, (e) => `invalid part of an exploration: ${e.reason}`),
  tooManyStates: row<{ most: number }>(
    -32005,
    (e) => `the scene has more than ${e.most} states: fewer steps or events, or a higher limit`,
  ),
} as const
