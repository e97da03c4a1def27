// Hardhat's code and message for each kind of error that it has, made of the same details as geth's (EDR 0.22,
// crates/edr_provider/src/error.rs). A kind without a row is one that Hardhat does not have.

import { toChecksumAddress } from '../../primitives/address.ts'
import type { ErrorRow } from '../../primitives/error-table.ts'
import { type DetailOf, ERROR_TABLE, type ErrorKind } from '../../primitives/errors.ts'
import { type Hardfork, isActiveUnder } from '../../rollup/hardforks.ts'

export const INVALID_INPUT = -32000
export const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const UNSUPPORTED_METHOD = -32004

/** Hardhat's name of a fork. */
export function hardhatNameOf(hardfork: string): string {
  const name = hardfork === 'paris' ? 'merge' : hardfork
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

/** Since when Hardhat has a feature, as it says it: of fees too it says BERLIN, where it means London. */
const HOW_TO_USE = "You can use them by running Hardhat Network with 'hardfork' BERLIN or later."

export const NO_ACCESS_LISTS = `Access list received but is not supported by the current hardfork. \n\n${HOW_TO_USE}\n        `

export const NO_FEE_MARKET =
  'EIP-1559 style fee params (maxFeePerGas or maxPriorityFeePerGas) received but they are not supported by the current ' +
  `hardfork.\n\n${HOW_TO_USE}\n        `

export function noAuthorizations(hardfork: string): string {
  const name = hardhatNameOf(hardfork).toUpperCase()
  return `The transaction contains EIP-7702 parameters, but they are not supported by the current hardfork: ${name}. Use the Prague hardfork (or later).`
}

/** Of a signed transaction; the same in a request is refused before it is decoded. */
function unsupportedType({ type, hardfork }: DetailOf<'transactionTypeNotSupported'>): string {
  if (type > 4) return `Invalid transaction type ${type}.`
  // Before byzantium this library refuses legacy transactions, too.
  if (hardfork === undefined || type === 0) return ERROR_TABLE.transactionTypeNotSupported.message({ type })
  if (!isActiveUnder(hardfork as Hardfork, 'berlin')) return NO_ACCESS_LISTS
  if (!isActiveUnder(hardfork as Hardfork, 'london'))
    return `Trying to send an EIP-1559 transaction but they are not supported by the current hard fork.${HOW_TO_USE}`
  if (type === 4) return noAuthorizations(hardfork)
  return ERROR_TABLE.transactionTypeNotSupported.message({ type })
}

const SUBSCRIPTION_TYPES: Readonly<Record<string, string>> = {
  blocks: 'NewHeads',
  pendingTransactions: 'NewPendingTransactions',
}

function notLogs({ id, kind = '' }: DetailOf<'filterNotFound'>): string {
  return `Subscription ${id} is not a Logs subscription, but a ${SUBSCRIPTION_TYPES[kind] ?? kind} subscription`
}

/** Reasons why signed transactions cannot be decoded, which Hardhat's decoder does not tell apart. */
const TOO_SHORT: ReadonlySet<string> = new Set([
  'typed transaction too short',
  'rlp: too few elements',
  'rlp: invalid RLP: total length is larger than the data',
])

function wrongChainId({ given, expected, type }: DetailOf<'wrongChainId'>): string {
  if (type === undefined) return `Invalid chainId ${given} provided, expected ${expected} instead.`
  return type === 0
    ? 'Trying to send an incompatible EIP-155 transaction, signed for another chain.'
    : `Trying to send a raw transaction with an invalid chainId. The expected chainId is ${expected}`
}

const AUTOMINED = "Note that transactions can't be queued when automining."

function nonceTooLow({ next, nonce, isMinedAtOnce }: DetailOf<'nonceTooLow'>): string {
  return isMinedAtOnce === true
    ? `Nonce too low. Expected nonce to be ${next} but got ${nonce}. ${AUTOMINED}`
    : `Transaction nonce too low. Expected nonce to be at least ${next} but got ${nonce}.`
}

/** Of the transaction alone, where that is too much; what is queued counts here, and not in Hardhat. */
function upfrontCost({ balance, cost, queuedCost = 0n }: DetailOf<'insufficientFunds'>): bigint {
  return cost > balance ? cost : cost + queuedCost
}

function row<Detail>(code: number, message: (detail: Detail) => string): ErrorRow<Detail> {
  return { code, message }
}

type HardhatTable = { readonly [Kind in ErrorKind]?: ErrorRow<DetailOf<Kind>> }

export const HARDHAT_TABLE = {
  // Of the first two Hardhat gives no reason, or that of its JSON parser.
  parseError: row(ERROR_TABLE.parseError.code, () => 'Parse error: the body is not JSON'),
  invalidRequest: row(ERROR_TABLE.invalidRequest.code, (e) => `Invalid request: ${e.reason}`),
  methodNotFound: row(UNSUPPORTED_METHOD, (e) => `Method ${e.method} is not supported`),

  blockNotFound: row(
    INVALID_INPUT,
    (e) => `Received invalid block tag ${e.block}. Latest block number is ${e.latest}`,
  ),

  transactionNotFound: row(INVALID_INPUT, (e) => `Unable to find a block containing transaction ${e.hash}`),

  filterNotFound: row(INVALID_PARAMS, notLogs),

  // Admission
  nonceTooLow: row(INVALID_INPUT, nonceTooLow),
  insufficientFunds: row(
    INVALID_INPUT,
    (e) =>
      `Sender doesn't have enough funds to send tx. The max upfront cost is: ${upfrontCost(e)} and the sender's balance is: ${e.balance}.`,
  ),
  alreadyKnown: row(INVALID_INPUT, (e) => `Known transaction: ${e.hash}`),
  replacementUnderpriced: row(
    INVALID_INPUT,
    (e) =>
      `Replacement transaction underpriced. A gasPrice/${e.fee} of at least ${e.least} is necessary to replace the existing transaction with nonce ${e.nonce}.`,
  ),
  tipAboveFeeCap: row(
    INVALID_INPUT,
    (e) => `maxPriorityFeePerGas (${e.tip}) is bigger than maxFeePerGas (${e.feeCap})`,
  ),
  feeCapTooLow: row(
    INVALID_INPUT,
    (e) =>
      `Transaction ${e.type === 0 || e.type === 1 ? 'gasPrice' : 'maxFeePerGas'} (${e.feeCap}) is too low for the next block, which has a baseFeePerGas of ${e.baseFee}`,
  ),
  tipTooLow: row(
    INVALID_INPUT,
    (e) => `Transaction gas price is ${e.tip}, which is below the minimum of ${e.least}`,
  ),
  intrinsicGasTooLow: row(
    INVALID_INPUT,
    (e) => `Transaction requires at least ${e.least} gas but got ${e.gas}`,
  ),
  floorGasTooLow: row(
    INVALID_INPUT,
    (e) => `Transaction requires gas floor of ${e.least} but got limit of ${e.gas}`,
  ),
  exceedsBlockGasLimit: row(
    INVALID_INPUT,
    (e) => `Transaction gas limit is ${e.gas} and exceeds block gas limit of ${e.limit}`,
  ),
  exceedsTransactionGasCap: row(
    INVALID_INPUT,
    (e) => `Transaction gas limit is ${e.gas} and exceeds transaction gas cap of ${e.cap}`,
  ),
  initCodeTooLarge: row(
    INVALID_PARAMS,
    (e) =>
      `\nTrying to send a deployment transaction whose init code length is ${e.size}. The max length allowed by EIP-3860 is ${e.limit}.\n\nEnable the 'allowUnlimitedContractSize' option to allow init codes of any length.`,
  ),
  wrongChainId: row(INVALID_PARAMS, wrongChainId),
  transactionTypeNotSupported: row(INVALID_PARAMS, unsupportedType),
  undecodableTransaction: row(INVALID_PARAMS, ({ reason }) =>
    TOO_SHORT.has(reason) ? 'input too short' : reason,
  ),
  invalidSignature: row(INVALID_PARAMS, () => 'Invalid Signature'),
  emptyAuthorizationList: row(
    INVALID_INPUT,
    () => 'Invalid EIP-7702 transaction: authorization list is empty.',
  ),

  // Requests
  conflictingFees: row(INVALID_INPUT, ({ field }) =>
    // Only one of the two sentences has its noun.
    field === 'maxFeePerGas'
      ? 'Cannot send both gasPrice and maxFeePerGas params'
      : `Cannot send both gasPrice and ${field}`,
  ),
  gasAllowanceExceeded: row(INVALID_INPUT, () => 'Transaction ran out of gas'),
  unknownAccount: row(INVALID_INPUT, (e) =>
    e.address === '0x' ? 'Unknown account 0x' : `Unknown account ${toChecksumAddress(e.address)}`,
  ),
  typedDataInvalid: row(INVALID_INPUT, (e) => ERROR_TABLE.typedDataInvalid.message(e)),

  // Controls
  blockGasLimitZero: row(INVALID_INPUT, () => 'Block gas limit must be greater than 0'),
  needsBaseFee: row(INVALID_INPUT, (e) => `${e.call} is disabled because EIP-1559 is not active`),
  replacedByBaseFee: row(INVALID_INPUT, (e) => ERROR_TABLE.replacedByBaseFee.message(e)),
  needsMerge: row(INVALID_INPUT, ({ call, hardfork }) =>
    ERROR_TABLE.needsMerge.message({ call, hardfork: hardhatNameOf(hardfork) }),
  ),
  nonceWithPooled: row(INTERNAL_ERROR, () => ERROR_TABLE.nonceWithPooled.message()),
} as const satisfies HardhatTable
