// Refusal of requests in Hardhat's words, before they are carried out; loads with the first chain of the flavor hardhat.
// Hardhat's limits of values are held; parameters and fields that only this library has are taken.

import { MAX_INIT_CODE_BYTES } from '../../execution/transaction/intrinsic-gas.ts'
import { type DetailOf, type ErrorKind, failure, reworded, TickchainError } from '../../primitives/errors.ts'
import { isHexBytes } from '../../primitives/hex.ts'
import { MAX_UINT64 } from '../../primitives/numbers.ts'
import { type Hardfork, isActiveUnder } from '../../rollup/hardforks.ts'
import type { Rules } from '../../rollup/rules.ts'
import { asRefusal } from '../codecs/codec.ts'
import { SUBSCRIPTION_FIELDS } from '../codecs/filter.ts'
import { ACCOUNT_FIELDS } from '../codecs/overrides.ts'
import * as hardhat from './hardhat-arguments.ts'
import * as words from './hardhat-messages.ts'
import { HARDHAT_TABLE } from './hardhat-messages.ts'
import * as hardhatMethods from './hardhat-methods.ts'

interface Complaint {
  /** The kind of the error, where this library alone would take the request. */
  readonly kind: ErrorKind
  readonly code: number
  readonly message: string
}

function ofArgument(message: string, code = words.INVALID_PARAMS): Complaint {
  return { kind: 'invalidParameter', code, message }
}

function messageOfValues(
  variant: string | undefined,
  params: readonly hardhatMethods.HardhatArgument[],
  values: readonly unknown[],
): string | undefined {
  return hardhat.firstMessage(values.entries(), ([index, value]) => {
    const message = params[variant === undefined ? 0 : index]?.check(value)
    return message && hardhat.numbered(index, message)
  })
}

function messageOfCount(
  variant: string | undefined,
  params: readonly hardhatMethods.HardhatArgument[],
  { length: count, 0: first }: readonly unknown[],
): string | undefined {
  if (variant !== undefined) {
    if (count > params.length) return 'trailing characters'
    if (count >= params.filter(({ isRequired }) => isRequired).length) return undefined
    return `invalid length ${count}, expected tuple variant MethodInvocation::${variant} with ${params.length} elements`
  }
  if (count === params.length) return undefined
  return params.length === 0 && first !== null && first !== undefined
    ? hardhat.invalidType(first, 'unit')
    : `expected params sequence with length ${params.length} but got ${count}`
}

function ofTable<Kind extends keyof typeof HARDHAT_TABLE>(kind: Kind, detail: DetailOf<Kind>): Complaint {
  const { code, message } = HARDHAT_TABLE[kind]
  return { kind, code, message: (message as (detail: DetailOf<Kind>) => string)(detail) }
}

/** Hardhat gives some readers' messages another code, and an unknown block tag the words of an unknown method. */
function complaintOf(method: string, message: string): Complaint {
  if (message === hardhat.UNKNOWN_VARIANT)
    return { ...ofTable('methodNotFound', { method }), kind: 'invalidParameter' }
  if (message.startsWith(hardhat.STORAGE_VALUE_LENGTH))
    return { kind: 'storageValueLength', code: words.INVALID_INPUT, message }
  if (message === hardhatMethods.INVALID_TYPED_DATA)
    return { kind: 'typedDataInvalid', code: words.INVALID_PARAMS, message }
  const isInput = message.startsWith(hardhat.STORAGE_KEY_TOO_LARGE) || hardhat.OVERSIZED.test(message)
  return ofArgument(message, isInput ? words.INVALID_INPUT : words.INVALID_PARAMS)
}

type Members = Readonly<Record<string, unknown>>

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function isGiven(members: Members, ...names: readonly string[]): boolean {
  return names.some((name) => members[name] !== undefined && members[name] !== null)
}

/** Tags that only proof of stake has. */
function tagComplaint(blocks: readonly unknown[], hardfork: Hardfork): Complaint | undefined {
  if (isActiveUnder(hardfork, 'paris')) return undefined
  const tag = blocks.find((block) => block === 'safe' || block === 'finalized')
  const used = `You are using the '${words.hardhatNameOf(hardfork)}' hardfork.`
  return tag && ofArgument(`The '${tag}' block tag is not allowed in pre-merge hardforks. ${used}`)
}

const BLOBS_UNSUPPORTED = (what: string, issue: number): string =>
  `An EIP-4844 (shard blob) ${what} was received, but Hardhat only supports them via \`eth_sendRawTransaction\`. ` +
  `See https://github.com/NomicFoundation/hardhat/issues/${issue}`

function blobComplaint(request: Members, isSent: boolean): Complaint | undefined {
  const isOfBlobs =
    request['type'] === '0x3' || request['type'] === 3 || isGiven(request, 'blobVersionedHashes')
  if (!(isSent && isOfBlobs) && !isGiven(request, 'blobs', 'blobHashes')) return undefined
  const message = isSent ? BLOBS_UNSUPPORTED('transaction', 5023) : BLOBS_UNSUPPORTED('call request', 5182)
  return { kind: 'transactionTypeNotSupported', code: words.INVALID_INPUT, message }
}

/** Fields of a transaction object that the fork does not know, and what Hardhat asks of set code transactions. */
function requestComplaint(request: Members, hardfork: Hardfork): Complaint | undefined {
  const isMissing = (since: Hardfork, ...names: readonly string[]): boolean =>
    !isActiveUnder(hardfork, since) && isGiven(request, ...names)
  const feature = isMissing('berlin', 'accessList')
    ? words.NO_ACCESS_LISTS
    : isMissing('london', 'maxFeePerGas', 'maxPriorityFeePerGas')
      ? words.NO_FEE_MARKET
      : isMissing('prague', 'authorizationList') && words.noAuthorizations(hardfork)
  if (feature !== false)
    return { kind: 'transactionTypeNotSupported', code: words.INVALID_PARAMS, message: feature }
  const { authorizationList, data, input } = request
  // Two names of one field there; here they may both be given, if they agree.
  if (isGiven(request, 'data') && isGiven(request, 'input') && data !== input)
    return ofArgument('duplicate field `data`')
  if (!Array.isArray(authorizationList)) return undefined
  if (authorizationList.length === 0) return ofTable('emptyAuthorizationList', undefined)
  if (isGiven(request, 'to')) return undefined
  return ofArgument('Invalid EIP-7702 transaction: to (receiver) parameter is missing.', words.INVALID_INPUT)
}

interface ChainRules {
  readonly rules: Rules
  readonly allowUnlimitedContractSize: boolean
}

/** Hardhat measures init code that is sent before it looks at account, nonce and fees, but after the chain id. */
function initCodeComplaint(request: Members, { rules, allowUnlimitedContractSize }: ChainRules) {
  const { data, input, chainId } = request
  const code = data ?? input
  const isOfChain = Number(chainId ?? rules.chainId) === rules.chainId
  const isLimited = isActiveUnder(rules.hardfork, 'shanghai') && !allowUnlimitedContractSize
  if (!isLimited || !isOfChain || isGiven(request, 'to') || typeof code !== 'string') return undefined
  const size = (code.length - (code.startsWith('0x') ? 2 : 0)) / 2
  const limit = MAX_INIT_CODE_BYTES
  return size <= limit ? undefined : ofTable('initCodeTooLarge', { size, limit })
}

const BOTH_STATES =
  "The properties 'state' and 'stateDiff' cannot be used simultaneously when configuring the state override set passed " +
  'to the eth_call method.'

/** Hardhat's refusal of a request whose parameters it can read. */
function complaintOfContents(
  method: string,
  params: readonly hardhatMethods.HardhatArgument[],
  values: readonly unknown[],
  chain: ChainRules,
): Complaint | undefined {
  const { hardfork } = chain.rules
  const given = (...kinds: readonly hardhatMethods.HardhatArgument['kind'][]): unknown =>
    values[params.findIndex(({ kind }) => kinds.includes(kind))]
  const has = (asked: hardhatMethods.HardhatArgument['kind']): boolean =>
    params.some(({ kind }) => kind === asked)
  const disabled = `${method} is disabled. It only works with the London hardfork or a later one.`
  if (has('percentiles') && !isActiveUnder(hardfork, 'london'))
    return ofArgument(disabled, words.INVALID_INPUT)
  const filter = membersOf(given('logFilter'))
  const { fromBlock, toBlock } = filter
  const tag = tagComplaint([given('blockSpec', 'oldBlockSpec'), fromBlock, toBlock], hardfork)
  if (tag !== undefined) return tag
  if (given('subscription') === 'logs' && !isGiven({ filter: values[1] }, 'filter'))
    return ofArgument('Missing params argument')
  if (method.endsWith('AndIndex')) {
    const [, index] = values
    const isTooLarge = typeof index === 'string' && /^0x[0-9a-f]+$/i.test(index) && BigInt(index) > MAX_UINT64
    return isTooLarge ? ofArgument(`Transaction index '${BigInt(index)}' is too large`) : undefined
  }
  if (has('logFilter')) {
    const hasBoth = isGiven(filter, 'blockHash') && isGiven(filter, 'fromBlock', 'toBlock')
    return hasBoth ? ofArgument('blockHash is mutually exclusive with fromBlock/toBlock') : undefined
  }
  const isSent = has('transactionRequest')
  if (!isSent && !has('callRequest')) return undefined
  const request = membersOf(values[0])
  const complaint = blobComplaint(request, isSent) ?? requestComplaint(request, hardfork)
  if (complaint !== undefined) return complaint
  if (isSent) return initCodeComplaint(request, chain)
  const hasBoth = Object.values(membersOf(given('overrides')))
    .map(membersOf)
    .some((override) => isGiven(override, 'state') && isGiven(override, 'stateDiff'))
  return hasBoth ? ofArgument(BOTH_STATES, words.INVALID_INPUT) : undefined
}

function complaint(
  method: string,
  signature: hardhatMethods.HardhatSignature,
  values: readonly unknown[],
  chain: ChainRules,
  isRefused: boolean,
): Complaint | undefined {
  if (signature === 'absent') return ofTable('methodNotFound', { method })
  const params = hardhatMethods.hardhatArguments(signature)
  const own = params.filter(({ isOwn }) => !isOwn)
  const { variant, takesMore } = signature
  const areValuesHeld = isRefused || takesMore !== true
  const ofValues = areValuesHeld ? messageOfValues(variant, own, values) : undefined
  const message = ofValues ?? (isRefused ? messageOfCount(variant, own, values) : undefined)
  if (message !== undefined) return complaintOf(method, message)
  return complaintOfContents(method, params, values, chain)
}

const MAX_PARAMETERS = 100

/** Hardhat's refusal. Where only this library refuses (`refusal`), that stays as it is. */
export function hardhatRefusal<Refused extends TickchainError | undefined>(
  method: string,
  signature: hardhatMethods.HardhatSignature | undefined,
  params: unknown,
  chain: ChainRules,
  refusal: Refused,
): Refused | TickchainError {
  // No method has more parameters; a sparse array may claim billions.
  if (signature === undefined || (Array.isArray(params) && params.length > MAX_PARAMETERS)) return refusal
  let found: Complaint | undefined
  try {
    const values = Array.isArray(params) ? Array.from(params) : []
    const isList = Array.isArray(params) || params === undefined || params === null
    found = isList ? complaint(method, signature, values, chain, refusal !== undefined) : undefined
  } catch (error) {
    // A getter or a proxy that throws.
    return refusal ?? asRefusal('params', error, (unreadable) => unreadable)
  }
  if (found === undefined) return refusal
  const { kind, code, message } = found
  return new TickchainError(kind === 'methodNotFound' ? kind : (refusal?.kind ?? kind), code, message)
}

type Reader = (value: unknown, path: string) => unknown

/** The known fields of an object; Hardhat ignores others. */
function pick(names: readonly string[], value: unknown): unknown {
  if (!hardhat.isMap(value)) return value
  return Object.fromEntries(names.filter((name) => name in value).map((name) => [name, value[name]]))
}

/** Hex of a length with the prefix that Hardhat does not ask for. */
function prefixed(text: string, bytes: number): string {
  return isHexBytes(`0x${text}`, bytes) ? `0x${text}` : text
}

function mapEntries(value: unknown, bytes: number, read = (each: unknown) => each): unknown {
  if (!hardhat.isMap(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [prefixed(key, bytes), read(each)]))
}

/** Slots of an override; which keys Hardhat refuses is in hardhat-methods.ts. */
function storage(value: unknown): unknown {
  return mapEntries(value, 32)
}

function accountOverride(given: unknown): unknown {
  const known = pick(ACCOUNT_FIELDS, given)
  if (!hardhat.isMap(known)) return known
  return { ...known, state: storage(known['state']), stateDiff: storage(known['stateDiff']) }
}

const overrides: Reader = (value) => mapEntries(value, 20, accountOverride)

function invalidInput(path: string, reason: string): TickchainError {
  return reworded(failure('invalidParameter', { path, reason }), words.INVALID_INPUT, reason)
}

/** More are refused anyway. */
const MAX_PERCENTILES = 100

const percentiles: Reader = (value, path) => {
  if (!Array.isArray(value) || value.length > MAX_PERCENTILES) return value
  for (const [index, percentile] of value.entries()) {
    if (typeof percentile !== 'number' || (percentile >= 0 && percentile <= 100)) continue
    const rule = 'is invalid. It must be a float between 0 and 100, but is'
    throw invalidInput(path, `The reward percentile number ${index + 1} ${rule} ${percentile} instead.`)
  }
  const unordered = value.findIndex((percentile, index) => percentile > value[index + 1])
  if (unordered === -1) return value
  const rule = 'The reward percentiles should be in non-decreasing order, but the percentile number'
  throw invalidInput(path, `${rule} ${unordered + 1} is greater than the next one`)
}

export type Readers = readonly (Reader | undefined)[]

const READERS: { readonly [Kind in hardhatMethods.HardhatArgument['kind']]?: Reader } = {
  logFilter: (value) => pick(SUBSCRIPTION_FIELDS, value),
  percentiles,
  overrides,
}

/** The readers of a method; `undefined` where the codecs read the values as they are. */
export function readersOf(signature: hardhatMethods.HardhatSignature | undefined): Readers | undefined {
  if (signature === undefined || signature === 'absent') return undefined
  return hardhatMethods.hardhatArguments(signature).map(({ kind }) => READERS[kind])
}

/** Names that other emulators gave to methods, and Hardhat does not have. */
const NAMES_OF_OTHERS = /^(anvil|ganache|miner|tenderly)_|^evm_setAccount/

/** The signature of a method under a name; `undefined` if Hardhat has no such method and takes no notice of it. */
export function signatureUnder(
  name: string,
  { hardhat }: { readonly hardhat?: hardhatMethods.HardhatSignature | undefined },
): hardhatMethods.HardhatSignature | undefined {
  return NAMES_OF_OTHERS.test(name) ? undefined : hardhat
}
