// Parameters of Hardhat's methods, as it reads them (EDR 0.22, crates/edr_provider/src/requests/methods.rs).

import {
  CHECKS,
  type Check,
  fixedBytes,
  invalidType,
  map,
  orAbsent,
  placed,
  property,
  sequence,
  struct,
  uint,
  untagged,
} from './hardhat-arguments.ts'

const { blockSpec, variableBytes } = CHECKS
const hash = fixedBytes(32)
const account = fixedBytes(20)

const accessList = sequence((entry) => {
  const message = struct('AccessListItem', { address: account, storageKeys: sequence(hash) })(entry)
  if (message !== undefined) return message
  const missing = ['address', 'storageKeys'].find((name) => !Object.hasOwn(entry as object, name))
  return missing === undefined ? undefined : `missing field \`${missing}\``
})

const TRANSACTION_FIELDS = {
  from: orAbsent(account),
  to: orAbsent(account),
  gas: orAbsent(uint(8)),
  gasPrice: orAbsent(uint(16)),
  maxFeePerGas: orAbsent(uint(16)),
  maxPriorityFeePerGas: orAbsent(uint(16)),
  value: orAbsent(uint(32)),
  data: orAbsent(variableBytes),
  input: orAbsent(variableBytes),
  nonce: orAbsent(uint(8)),
  chainId: orAbsent(uint(8)),
  type: orAbsent(uint(1)),
  accessList: orAbsent(accessList),
}

const callRequest = struct('L1CallRequest', TRANSACTION_FIELDS)
const transactionRequest = struct('L1RpcTransactionRequest', TRANSACTION_FIELDS)

const slots = map(['Storage slot hex string', hash], ['Storage slot', () => undefined])

function slotsOf(name: string): Check {
  return orAbsent((value) => placed(`stateOverrideOptions/${name}: `, slots(value)))
}

const overrides = map(
  ['address', account],
  [
    'stateOverrideOptions',
    struct('AccountOverrideOptions', {
      balance: orAbsent(property('balance', 32)),
      nonce: orAbsent(property('nonce', 8)),
      code: orAbsent(variableBytes),
      state: slotsOf('state'),
      stateDiff: slotsOf('stateDiff'),
    }),
  ],
)

const oneOrMore = (item: Check): Check => untagged('OneOrMore', item, sequence(item))

const logFilter = struct('LogFilterOptions', {
  fromBlock: orAbsent(blockSpec),
  toBlock: orAbsent(blockSpec),
  blockHash: orAbsent(hash),
  address: orAbsent(oneOrMore(account)),
  topics: orAbsent(sequence(orAbsent(oneOrMore(hash)))),
})

const wholeNumber: Check = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? undefined : 'not a whole number'

const intervalForm = untagged('IntervalConfig', wholeNumber, (value) =>
  Array.isArray(value) && value.length === 2 ? sequence(wholeNumber)(value) : 'not a range',
)

const interval: Check = (value) => {
  const message = intervalForm(value)
  if (message !== undefined || !Array.isArray(value)) return message
  return value[0] > value[1] ? 'Minimum value in range is greater than maximum value' : undefined
}

const percentile: Check = (value) => (typeof value === 'number' ? undefined : invalidType(value, 'f64'))

export const INVALID_TYPED_DATA = 'The message parameter is an invalid JSON.'

const typedData: Check = (given) => {
  let value = given
  if (typeof given === 'string') {
    try {
      value = JSON.parse(given)
    } catch {
      return INVALID_TYPED_DATA
    }
  }
  if (typeof value !== 'object' || value === null) return INVALID_TYPED_DATA
  const { types, domain, primaryType } = value as Readonly<Record<string, unknown>>
  const areObjects = [types, domain].every((each) => typeof each === 'object' && each !== null)
  const isWhole = areObjects && typeof primaryType === 'string' && Object.hasOwn(value, 'message')
  return isWhole ? undefined : INVALID_TYPED_DATA
}

const SUBSCRIPTIONS: ReadonlySet<unknown> = new Set(['newHeads', 'logs', 'newPendingTransactions'])

const subscription: Check = (value) => {
  if (typeof value !== 'string') return invalidType(value, 'a string')
  return SUBSCRIPTIONS.has(value) ? undefined : 'Invalid subscription type'
}

const ARGUMENTS = {
  ...CHECKS,
  ...{ account, callRequest, hash, interval, logFilter },
  ...{ overrides, subscription, transactionRequest, typedData },
  percentiles: sequence(percentile),
  u64: uint(8),
  u128: uint(16),
  u256: uint(32),
} as const satisfies Readonly<Record<string, Check>>

type ArgumentName = keyof typeof ARGUMENTS

/**
 * The parameters of a method in Hardhat, by the names of what it takes. Without a `variant`, Hardhat's name of a method
 * with several parameters, it has none or exactly one.
 */
export type HardhatSignature =
  | 'absent'
  | {
      readonly variant?: string
      /** Those with a question mark may be absent; those with a plus are of this library only. */
      readonly params: readonly (ArgumentName | `${ArgumentName}?` | `+${ArgumentName}`)[]
      /** Set if the method takes other values here, too. */
      readonly takesMore?: true
    }

export interface HardhatArgument {
  readonly kind: ArgumentName
  readonly check: Check
  readonly isRequired: boolean
  readonly isOwn: boolean
}

/** The arguments of a signature, in their order. */
export function hardhatArguments({ params }: Exclude<HardhatSignature, 'absent'>): HardhatArgument[] {
  return params.map((name) => {
    const kind = name.replace(/^\+|\?$/, '') as ArgumentName
    const [isOwn, isOptional] = [name.startsWith('+'), name.endsWith('?')]
    const { [kind]: check } = ARGUMENTS
    return { kind, check: isOptional ? orAbsent(check) : check, isRequired: !isOptional, isOwn }
  })
}
