// Hardhat's code and message for each kind of error that it has (EDR 0.22, crates/edr_provider/src/error.rs).

import { toChecksumAddress } from '../../primitives/crypto.ts'
import type { ErrorRow } from '../../primitives/error-table.ts'
import { type DetailOf, ERROR_TABLE, type ErrorKind } from '../../primitives/errors.ts'
import { type Hardfork, isActiveUnder } from '../../rollup/hardforks.ts'

export const INVALID_INPUT = -32000
export const INVALID_PARAMS = -32602
const INTERNAL_ERROR = -32603
const UNSUPPORTED_METHOD = -32004

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

/** The message of a signed transaction; the same in a request is refused before it is decoded. */
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

/** Reasons why signed transactions cannot be decoded, which Hardhat's decoder does not tell apart. */
const TOO_SHORT: ReadonlySet<string> = new Set([
  'typed transaction too short',
  'rlp: too few elements',
  'rlp: invalid RLP: total length is larger than the data',
  'rlp: value size exceeds available input length',
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

type Messages = { readonly [Kind in ErrorKind]?: (detail: DetailOf<Kind>) => string }

function rows<const Rows extends Messages>(
  code: number,
  messages: Rows,
): { readonly [Kind in keyof Rows]: { readonly code: number; readonly message: Rows[Kind] } } {
  const entries = Object.entries(messages).map(([kind, message]) => [kind, { code, message }])
  return Object.fromEntries(entries)
}

export const HARDHAT_TABLE = {
  // Of the body Hardhat gives no reason, or that of its JSON parser.
  ...rows(ERROR_TABLE.parseError.code, { parseError: () => 'Parse error: the body is not JSON' }),
  ...rows(ERROR_TABLE.invalidRequest.code, { invalidRequest: (e) => `Invalid request: ${e.reason}` }),
  ...rows(UNSUPPORTED_METHOD, { methodNotFound: (e) => `Method ${e.method} is not supported` }),
  ...rows(INTERNAL_ERROR, { nonceWithPooled: () => ERROR_TABLE.nonceWithPooled.message() }),

  ...rows(INVALID_PARAMS, {
    filterNotFound: ({ id, kind = '' }) =>
      `Subscription ${id} is not a Logs subscription, but a ${SUBSCRIPTION_TYPES[kind] ?? kind} subscription`,
    initCodeTooLarge: (e) =>
      `\nTrying to send a deployment transaction whose init code length is ${e.size}. The max length allowed by EIP-3860 is ${e.limit}.\n\nEnable the 'allowUnlimitedContractSize' option to allow init codes of any length.`,
    wrongChainId,
    transactionTypeNotSupported: unsupportedType,
    undecodableTransaction: ({ reason }) => (TOO_SHORT.has(reason) ? 'input too short' : reason),
    invalidSignature: () => 'Invalid Signature',
  }),

  ...rows(INVALID_INPUT, {
    blockNotFound: (e) => `Received invalid block tag ${e.block}. Latest block number is ${e.latest}`,
    transactionNotFound: (e) => `Unable to find a block containing transaction ${e.hash}`,

    // Admission
    nonceTooLow,
    // The cost of the transaction alone, where that is too much; what is queued counts here, and not in Hardhat.
    insufficientFunds: ({ balance, cost, queuedCost = 0n }) =>
      `Sender doesn't have enough funds to send tx. The max upfront cost is: ${cost > balance ? cost : cost + queuedCost} and the sender's balance is: ${balance}.`,
    alreadyKnown: (e) => `Known transaction: ${e.hash}`,
    replacementUnderpriced: (e) =>
      `Replacement transaction underpriced. A gasPrice/${e.fee} of at least ${e.least} is necessary to replace the existing transaction with nonce ${e.nonce}.`,
    tipAboveFeeCap: (e) => `maxPriorityFeePerGas (${e.tip}) is bigger than maxFeePerGas (${e.feeCap})`,
    feeCapTooLow: (e) =>
      `Transaction ${e.type === 0 || e.type === 1 ? 'gasPrice' : 'maxFeePerGas'} (${e.feeCap}) is too low for the next block, which has a baseFeePerGas of ${e.baseFee}`,
    tipTooLow: (e) => `Transaction gas price is ${e.tip}, which is below the minimum of ${e.least}`,
    intrinsicGasTooLow: (e) => `Transaction requires at least ${e.least} gas but got ${e.gas}`,
    floorGasTooLow: (e) => `Transaction requires gas floor of ${e.least} but got limit of ${e.gas}`,
    exceedsBlockGasLimit: (e) =>
      `Transaction gas limit is ${e.gas} and exceeds block gas limit of ${e.limit}`,
    exceedsTransactionGasCap: (e) =>
      `Transaction gas limit is ${e.gas} and exceeds transaction gas cap of ${e.cap}`,
    emptyAuthorizationList: () => 'Invalid EIP-7702 transaction: authorization list is empty.',

    // Requests. Only one of the two sentences about fees has its noun.
    conflictingFees: ({ field }) =>
      `Cannot send both gasPrice and ${field}${field === 'maxFeePerGas' ? ' params' : ''}`,
    gasAllowanceExceeded: () => 'Transaction ran out of gas',
    unknownAccount: (e) => `Unknown account ${e.address === '0x' ? '0x' : toChecksumAddress(e.address)}`,
    typedDataInvalid: (e) => ERROR_TABLE.typedDataInvalid.message(e),

    // Controls
    blockGasLimitZero: () => 'Block gas limit must be greater than 0',
    needsBaseFee: (e) => `${e.call} is disabled because EIP-1559 is not active`,
    replacedByBaseFee: (e) => ERROR_TABLE.replacedByBaseFee.message(e),
    needsMerge: ({ call, hardfork }) =>
      ERROR_TABLE.needsMerge.message({ call, hardfork: hardhatNameOf(hardfork) }),
  }),
} as const satisfies { readonly [Kind in ErrorKind]?: ErrorRow<DetailOf<Kind>> }
