// Refusal of a request in Hardhat's words, before it is carried out: its parameters as Hardhat reads them, and then what
// the fork does not have. Hardhat's limits of values are held; parameters and fields that only this library has are taken.

import { MAX_INIT_CODE_BYTES } from '../../execution/transaction/intrinsic-gas.ts'
import { type ErrorKind, TickchainError } from '../../primitives/errors.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { type Hardfork, isActiveUnder } from '../../rollup/hardforks.ts'
import type { Rules } from '../../rollup/rules.ts'
import { asRefusal } from '../codecs/codec.ts'
import {
  type Check,
  invalidType,
  numbered,
  OVERSIZED,
  STORAGE_KEY_TOO_LARGE,
  STORAGE_VALUE_LENGTH,
  UNKNOWN_VARIANT,
} from './hardhat-arguments.ts'
import {
  HARDHAT_TABLE,
  hardhatNameOf,
  INVALID_INPUT,
  INVALID_PARAMS,
  NO_ACCESS_LISTS,
  NO_FEE_MARKET,
  noAuthorizations,
} from './hardhat-messages.ts'
import { ABSENT, INVALID_TYPED_DATA, SIGNATURES, type Signature } from './hardhat-methods.ts'

/** What Hardhat says of a request that it refuses. */
interface Complaint {
  /** The kind of the error, where this library alone would take the request. */
  readonly kind: ErrorKind
  readonly code: number
  readonly message: string
}

function ofArgument(message: string, code = INVALID_PARAMS): Complaint {
  return { kind: 'invalidParameter', code, message }
}

/** The message for a value that is refused. */
function messageOfValues(checks: readonly Check[], values: readonly unknown[]): string | undefined {
  for (const [index, check] of checks.entries()) {
    // Absent values are counted elsewhere, and optional ones have a check that takes them.
    const message = index < values.length ? check(values[index]) : undefined
    if (message !== undefined) return numbered(index, message)
  }
  return undefined
}

/** The message for the number of parameters. */
function messageOfCount(signature: Signature, values: readonly unknown[]): string | undefined {
  const count = values.length
  if (signature.form === 'none') {
    if (count === 0) return undefined
    const [first] = values
    return first === null || first === undefined
      ? `expected params sequence with length 0 but got ${count}`
      : invalidType(first, 'unit')
  }
  if (signature.form === 'one') {
    return count === 1 ? undefined : `expected params sequence with length 1 but got ${count}`
  }
  const { name, checks, least } = signature
  if (count > checks.length) return 'trailing characters'
  if (count >= least) return undefined
  return `invalid length ${count}, expected tuple variant MethodInvocation::${name} with ${checks.length} elements`
}

function checksOf(signature: Signature, count: number): readonly Check[] {
  if (signature.form === 'none') return []
  return signature.form === 'several'
    ? signature.checks
    : Array.from({ length: count }, () => signature.check)
}

function absent(method: string): Complaint {
  const { code, message } = HARDHAT_TABLE.methodNotFound
  return { kind: 'methodNotFound', code, message: message({ method }) }
}

/** Hardhat gives some readers' messages another code, and an unknown block tag the words of an unknown method. */
function complaintOf(method: string, message: string): Complaint {
  if (message === UNKNOWN_VARIANT) return { ...absent(method), kind: 'invalidParameter' }
  if (message.startsWith(STORAGE_VALUE_LENGTH))
    return { kind: 'storageValueLength', code: INVALID_INPUT, message }
  if (message === INVALID_TYPED_DATA) return { kind: 'typedDataInvalid', code: INVALID_PARAMS, message }
  const isInput = message.startsWith(STORAGE_KEY_TOO_LARGE) || OVERSIZED.test(message)
  return ofArgument(message, isInput ? INVALID_INPUT : INVALID_PARAMS)
}

/** Where a method names a block. */
const BLOCK_POSITIONS: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getCode: 1,
  eth_getStorageAt: 2,
  eth_getTransactionByBlockNumberAndIndex: 0,
  eth_getTransactionCount: 1,
}
/** Where a method has a filter of logs. */
const FILTER_POSITIONS: Readonly<Record<string, number>> = {
  eth_getLogs: 0,
  eth_newFilter: 0,
  eth_subscribe: 1,
}

type Members = Readonly<Record<string, unknown>>

function membersAt(values: readonly unknown[], index: number | undefined): Members {
  const value = index === undefined ? undefined : values[index]
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function isGiven(members: Members, name: string): boolean {
  const { [name]: value } = members
  return value !== undefined && value !== null
}

/** Tags that only proof of stake has. */
function tagComplaint(method: string, values: readonly unknown[], hardfork: Hardfork): Complaint | undefined {
  if (isActiveUnder(hardfork, 'paris')) return undefined
  const { fromBlock, toBlock } = membersAt(values, FILTER_POSITIONS[method])
  const blocks = [values[BLOCK_POSITIONS[method] ?? Number.NaN], fromBlock, toBlock]
  const tag = blocks.find((block) => block === 'safe' || block === 'finalized')
  if (tag === undefined) return undefined
  const name = hardhatNameOf(hardfork)
  return ofArgument(
    `The '${tag}' block tag is not allowed in pre-merge hardforks. You are using the '${name}' hardfork.`,
  )
}

function filterComplaint(filter: Members): Complaint | undefined {
  const hasRange = isGiven(filter, 'fromBlock') || isGiven(filter, 'toBlock')
  if (!hasRange || !isGiven(filter, 'blockHash')) return undefined
  return ofArgument('blockHash is mutually exclusive with fromBlock/toBlock')
}

const BLOBS_UNSUPPORTED = (what: string, issue: number): string =>
  `An EIP-4844 (shard blob) ${what} was received, but Hardhat only supports them via \`eth_sendRawTransaction\`. ` +
  `See https://github.com/NomicFoundation/hardhat/issues/${issue}`

function blobComplaint(request: Members, isSent: boolean): Complaint | undefined {
  const isOfBlobs =
    request['type'] === '0x3' || request['type'] === 3 || isGiven(request, 'blobVersionedHashes')
  if (!(isSent && isOfBlobs) && !isGiven(request, 'blobs') && !isGiven(request, 'blobHashes'))
    return undefined
  const message = isSent ? BLOBS_UNSUPPORTED('transaction', 5023) : BLOBS_UNSUPPORTED('call request', 5182)
  return { kind: 'transactionTypeNotSupported', code: INVALID_INPUT, message }
}

function feature(message: string): Complaint {
  return { kind: 'transactionTypeNotSupported', code: INVALID_PARAMS, message }
}

/** Fields of a transaction object that the fork does not know, and what Hardhat asks of set code transactions. */
function requestComplaint(request: Members, hardfork: Hardfork): Complaint | undefined {
  const isMissing = (since: Hardfork, ...names: readonly string[]): boolean =>
    !isActiveUnder(hardfork, since) && names.some((name) => isGiven(request, name))
  if (isMissing('berlin', 'accessList')) return feature(NO_ACCESS_LISTS)
  if (isMissing('london', 'maxFeePerGas', 'maxPriorityFeePerGas')) return feature(NO_FEE_MARKET)
  if (isMissing('prague', 'authorizationList')) return feature(noAuthorizations(hardfork))
  const { authorizationList, data, input } = request
  // Two names of one field there; here they may both be given, if they agree.
  if (isGiven(request, 'data') && isGiven(request, 'input') && data !== input)
    return ofArgument('duplicate field `data`')
  if (!Array.isArray(authorizationList)) return undefined
  if (authorizationList.length === 0) {
    const { code, message } = HARDHAT_TABLE.emptyAuthorizationList
    return { kind: 'emptyAuthorizationList', code, message: message() }
  }
  if (isGiven(request, 'to')) return undefined
  return ofArgument('Invalid EIP-7702 transaction: to (receiver) parameter is missing.', INVALID_INPUT)
}

/** What the size of init code depends on, besides the request. */
interface ChainRules {
  readonly rules: Rules
  readonly allowUnlimitedContractSize: boolean
}

/** Hardhat measures init code that is sent before it looks at account, nonce and fees, but after the chain id. */
function initCodeComplaint(
  request: Members,
  { rules, allowUnlimitedContractSize }: ChainRules,
): Complaint | undefined {
  const { data, input, chainId } = request
  const code = data ?? input
  const isOfChain = Number(chainId ?? rules.chainId) === rules.chainId
  const isLimited = isActiveUnder(rules.hardfork, 'shanghai') && !allowUnlimitedContractSize
  if (!isLimited || !isOfChain || isGiven(request, 'to') || typeof code !== 'string') return undefined
  const size = (code.length - (code.startsWith('0x') ? 2 : 0)) / 2
  if (size <= MAX_INIT_CODE_BYTES) return undefined
  const row = HARDHAT_TABLE.initCodeTooLarge
  const message = row.message({ size, limit: MAX_INIT_CODE_BYTES })
  return { kind: 'initCodeTooLarge', code: row.code, message }
}

const BOTH_STATES =
  "The properties 'state' and 'stateDiff' cannot be used simultaneously when configuring the state override set passed " +
  'to the eth_call method.'

function overrideComplaint(overrides: Members): Complaint | undefined {
  const hasBoth = Object.keys(overrides).some((account) => {
    const override = membersAt([overrides[account]], 0)
    return isGiven(override, 'state') && isGiven(override, 'stateDiff')
  })
  return hasBoth ? ofArgument(BOTH_STATES, INVALID_INPUT) : undefined
}

function indexComplaint(index: unknown): Complaint | undefined {
  const isTooLarge = typeof index === 'string' && /^0x[0-9a-f]+$/i.test(index) && BigInt(index) > MAX_UINT64
  return isTooLarge ? ofArgument(`Transaction index '${BigInt(index)}' is too large`) : undefined
}

/** What Hardhat says of a request whose parameters it can read. */
function complaintOfContents(
  method: string,
  values: readonly unknown[],
  chain: ChainRules,
): Complaint | undefined {
  const { hardfork } = chain.rules
  if (method === 'eth_feeHistory' && !isActiveUnder(hardfork, 'london')) {
    return ofArgument(
      'eth_feeHistory is disabled. It only works with the London hardfork or a later one.',
      INVALID_INPUT,
    )
  }
  const tag = tagComplaint(method, values, hardfork)
  if (tag !== undefined) return tag
  if (method === 'eth_subscribe' && values[0] === 'logs' && !isGiven({ filter: values[1] }, 'filter')) {
    return ofArgument('Missing params argument')
  }
  if (method.endsWith('AndIndex')) return indexComplaint(values[1])
  if (method in FILTER_POSITIONS) return filterComplaint(membersAt(values, FILTER_POSITIONS[method]))
  const isSent = method === 'eth_sendTransaction'
  if (!isSent && method !== 'eth_call' && method !== 'eth_estimateGas') return undefined
  const request = membersAt(values, 0)
  const complaint = blobComplaint(request, isSent) ?? requestComplaint(request, hardfork)
  return complaint ?? (isSent ? initCodeComplaint(request, chain) : overrideComplaint(membersAt(values, 2)))
}

/** Methods that take more than Hardhat's: other subscriptions, and an object with a number of blocks. */
const EXTENDED: ReadonlySet<string> = new Set(['eth_subscribe', 'evm_mine'])

function complaint(
  method: string,
  values: readonly unknown[],
  chain: ChainRules,
  isRefused: boolean,
): Complaint | undefined {
  if (ABSENT.has(method)) return absent(method)
  const signature = SIGNATURES.get(method)
  if (signature === undefined) return undefined
  const areValuesHeld = isRefused || !EXTENDED.has(method)
  const ofValues = areValuesHeld ? messageOfValues(checksOf(signature, values.length), values) : undefined
  const message = ofValues ?? (isRefused ? messageOfCount(signature, values) : undefined)
  if (message !== undefined) return complaintOf(method, message)
  return complaintOfContents(method, values, chain)
}

const MAX_PARAMETERS = 100

/**
 * Hardhat's refusal of a request. `refusal` is this library's; without one it would take the request. Where only this
 * library refuses, the refusal stays as it is.
 */
export function hardhatRefusal<Refused extends TickchainError | undefined>(
  method: string,
  params: unknown,
  chain: ChainRules,
  refusal: Refused,
): Refused | TickchainError {
  if (!SIGNATURES.has(method) && !ABSENT.has(method)) return refusal
  const isRefused = refusal !== undefined
  // No method has more; a sparse array may claim billions.
  if (Array.isArray(params) && params.length > MAX_PARAMETERS) return refusal
  let found: Complaint | undefined
  try {
    const values = Array.isArray(params) ? Array.from(params) : []
    const isList = Array.isArray(params) || params === undefined || params === null
    found = isList ? complaint(method, values, chain, isRefused) : undefined
  } catch (error) {
    // A getter or a proxy that throws.
    return refusal ?? asRefusal('params', error, (unreadable) => unreadable)
  }
  if (found === undefined) return refusal
  const { kind, code, message } = found
  const isAbsent = kind === 'methodNotFound'
  return new TickchainError(isAbsent ? kind : (refusal?.kind ?? kind), code, message)
}
