// The one error class and the one table of everything that can go wrong for a user: code and words in one
// place. Words follow the specification first, geth second; viem and ethers recognise both.

import type { Hex } from './hex.ts'

/** Ether with two decimals, as geth prints a fee. */
function formatEther(wei: bigint): string {
  const hundredths = (wei + 5n * 10n ** 15n) / 10n ** 16n
  return `${hundredths / 100n}.${(hundredths % 100n).toString().padStart(2, '0')}`
}

/** Seconds where they are whole, else milliseconds. */
function formatDuration(ms: number): string {
  return ms > 0 && ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`
}

interface ErrorRow<Detail> {
  readonly code: number
  readonly message: (detail: Detail) => string
}

function row<Detail = void>(code: number, message: (detail: Detail) => string): ErrorRow<Detail> {
  return { code, message }
}

/** Kind → JSON-RPC code and message. Prefixes in the four admission errors are the specification's, part 7. */
export const ERROR_TABLE = {
  // Envelope (JSON-RPC 2.0; words of geth)
  parseError: row(-32700, () => 'parse error: the body is not JSON'),
  invalidRequest: row<{ reason: string }>(-32600, (e) => `invalid request: ${e.reason}`),
  methodNotFound: row<{ method: string }>(
    -32601,
    (e) => `the method ${e.method} does not exist/is not available`,
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
  invalidOption: row<{ option: string; expected: string; given: string }>(
    -32602,
    (e) => `invalid option ${e.option}: expected ${e.expected}, got ${e.given}`,
  ),
  invalidCall: row<{ call: string; expected: string; given: string }>(
    -32602,
    (e) => `invalid call ${e.call}: expected ${e.expected}, got ${e.given}`,
  ),
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
  notPreconfirmed: row<{ hash: string }>(-32602, (e) => `transaction ${e.hash} is not preconfirmed`),
  replacementNotExecutable: row<{ hash: string; reason: string }>(
    -32602,
    (e) => `transaction ${e.hash} cannot execute in the replacement block: ${e.reason}`,
  ),
  unknownTransaction: row<{ hash: string }>(
    -32602,
    (e) => `transaction ${e.hash} is neither orphaned nor in the pool`,
  ),
  unknownSnapshot: row(-32602, () => 'unknown snapshot handle'),
  disposed: row(4900, () => 'the emulator has been disposed'),

  // Reads
  blockNotFound: row<{ block: string }>(-32001, (e) => `block not found: ${e.block}`),
  timestampTooLow: row<{ timestamp: number; least: number }>(
    -32602,
    (e) => `timestamp ${e.timestamp} is too low: the next block needs at least ${e.least}`,
  ),
  timestampTooHigh: row<{ timestamp: number; most: number }>(
    -32602,
    (e) => `timestamp ${e.timestamp} is too high: the clock ends at ${e.most}`,
  ),
  blockBegun: row(
    -32000,
    () => 'the block being built already holds preconfirmed transactions; seal it first',
  ),
  filterNotFound: row(-32000, () => 'filter not found'),
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
  feeHistoryPercentile: row<{ reason: string }>(-32000, (e) => `invalid reward percentile: ${e.reason}`),

  // Admission to the pool (specification part 7; the rest of geth's table)
  nonceTooLow: row<{ next: bigint; nonce: bigint }>(
    -32000,
    (e) => `nonce too low: next nonce ${e.next}, tx nonce ${e.nonce}`,
  ),
  insufficientFunds: row<{ balance: bigint; cost: bigint; queuedCost?: bigint }>(-32000, (e) => {
    const queuedCost = e.queuedCost ?? 0n
    const queued = queuedCost > 0n ? `queued cost ${queuedCost}, ` : ''
    const overshot = e.cost + queuedCost - e.balance
    return `insufficient funds for gas * price + value: balance ${e.balance}, ${queued}tx cost ${e.cost}, overshot ${overshot}`
  }),
  alreadyKnown: row(-32000, () => 'already known'),
  replacementUnderpriced: row(-32000, () => 'replacement transaction underpriced'),
  tipAboveFeeCap: row<{ tip: bigint; feeCap: bigint }>(
    -32000,
    (e) =>
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas ${e.tip}, maxFeePerGas ${e.feeCap}`,
  ),
  feeCapTooLow: row<{ sender: Hex; feeCap: bigint; baseFee: bigint }>(
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
  exceedsBlockGasLimit: row(-32000, () => 'exceeds block gas limit'),
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
  wrongChainId: row<{ given: bigint; expected: number }>(
    -32000,
    (e) => `invalid sender: invalid chain id for signer: have ${e.given} want ${e.expected}`,
  ),
  notReplayProtected: row(-32000, () => 'only replay-protected (EIP-155) transactions allowed over RPC'),
  invalidSignature: row(-32000, () => 'invalid sender: invalid transaction v, r, s values'),
  undecodableTransaction: row<{ reason: string }>(-32000, (e) => e.reason),
  transactionTypeNotSupported: row(-32000, () => 'transaction type not supported'),
  senderNotEoa: row<{ sender: Hex }>(-32000, (e) => `sender not an eoa: address ${e.sender}`),
  nonceMax: row(-32000, () => 'nonce has max value'),
  emptyAuthorizationList: row(-32000, () => 'set code tx must have at least one authorization tuple'),
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
  conflictingFees: row(-32602, () => 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified'),

  // Accounts
  unknownAccount: row<{ address: Hex }>(-32000, (e) => `unknown account ${e.address}`),
  typedDataInvalid: row<{ reason: string }>(-32602, (e) => `invalid typed data: ${e.reason}`),
} as const

/** The stable names of all errors; docs/errors.md has them with their codes and words. */
export type ErrorKind = keyof typeof ERROR_TABLE
type DetailOf<Kind extends ErrorKind> = Parameters<(typeof ERROR_TABLE)[Kind]['message']>[0]

/**
 * Every failure that a user can cause: a JSON-RPC error with a stable `kind` to test against.
 *
 * @example
 * const chain = await createEmulator()
 * const error = await chain.request({ method: 'eth_nothing' }).catch((thrown) => thrown)
 * if (!(error instanceof TickchainError) || error.kind !== 'methodNotFound') throw error
 */
export class TickchainError extends Error {
  override readonly name = 'TickchainError'
  readonly kind: ErrorKind
  /** The JSON-RPC error code. */
  readonly code: number
  /** For a revert, the return bytes as hex; other errors have no such property. */
  declare readonly data?: Hex

  constructor(kind: ErrorKind, code: number, message: string, data?: Hex) {
    super(message)
    this.kind = kind
    this.code = code
    if (data !== undefined) this.data = data
  }
}

/** Makes the error of a kind, with its code and words from the table. */
export function failure<Kind extends ErrorKind>(
  kind: Kind,
  ...detail: DetailOf<Kind> extends undefined ? [] : [detail: DetailOf<Kind>]
): TickchainError {
  const { code, message } = ERROR_TABLE[kind] as ErrorRow<unknown>
  return new TickchainError(kind, code, message(detail[0]))
}

/** The same error with `data`. */
export function withData(error: TickchainError, data: Hex): TickchainError {
  return new TickchainError(error.kind, error.code, error.message, data)
}

/** A revert: code 3 and the return bytes as `data`, the shape geth, viem and ethers share. */
export function revertFailure(reason: string | undefined, data: Hex): TickchainError {
  return new TickchainError(
    'reverted',
    ERROR_TABLE.reverted.code,
    ERROR_TABLE.reverted.message({ reason }),
    data,
  )
}
