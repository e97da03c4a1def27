// Parameters of Hardhat's methods, as it reads them (EDR 0.22, crates/edr_provider/src/requests/methods.rs).

import * as hardhat from './hardhat-arguments.ts'
import { sequence } from './hardhat-arguments.ts'

const { blockSpec, variableBytes } = hardhat.CHECKS
const hash = hardhat.fixedBytes(32)
const account = hardhat.fixedBytes(20)

const accessList = sequence((entry) => {
  const message = hardhat.struct('AccessListItem', { address: account, storageKeys: sequence(hash) })(entry)
  if (message !== undefined) return message
  const missing = ['address', 'storageKeys'].find((name) => !Object.hasOwn(entry as object, name))
  return missing === undefined ? undefined : `missing field \`${missing}\``
})

const TRANSACTION_FIELDS = {
  from: account,
  to: account,
  gas: hardhat.uint(8),
  gasPrice: hardhat.uint(16),
  maxFeePerGas: hardhat.uint(16),
  maxPriorityFeePerGas: hardhat.uint(16),
  value: hardhat.uint(32),
  data: variableBytes,
  input: variableBytes,
  nonce: hardhat.uint(8),
  chainId: hardhat.uint(8),
  type: hardhat.uint(1),
  accessList,
}

const slots = hardhat.map(['Storage slot hex string', hash], ['Storage slot', () => undefined])

function slotsOf(name: string): hardhat.Check {
  return (value) => hardhat.placed(`stateOverrideOptions/${name}: `, slots(value))
}

const accountOverride = hardhat.options('AccountOverrideOptions', {
  balance: hardhat.property('balance', 32),
  nonce: hardhat.property('nonce', 8),
  code: variableBytes,
  state: slotsOf('state'),
  stateDiff: slotsOf('stateDiff'),
})

const oneOrMore = (item: hardhat.Check): hardhat.Check => hardhat.untagged('OneOrMore', item, sequence(item))

const logFilter = hardhat.options('LogFilterOptions', {
  fromBlock: blockSpec,
  toBlock: blockSpec,
  blockHash: hash,
  address: oneOrMore(account),
  topics: sequence(hardhat.orAbsent(oneOrMore(hash))),
})

const wholeNumber: hardhat.Check = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 ? undefined : 'not a whole number'

const intervalForm = hardhat.untagged('IntervalConfig', wholeNumber, (value) =>
  Array.isArray(value) && value.length === 2 ? sequence(wholeNumber)(value) : 'not a range',
)

const interval: hardhat.Check = (value) => {
  const message = intervalForm(value)
  if (message !== undefined || !Array.isArray(value)) return message
  return value[0] > value[1] ? 'Minimum value in range is greater than maximum value' : undefined
}

export const INVALID_TYPED_DATA = 'The message parameter is an invalid JSON.'

const typedData: hardhat.Check = (given) => {
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

const subscription: hardhat.Check = (value) => {
  if (typeof value !== 'string') return hardhat.invalidType(value, 'a string')
  return SUBSCRIPTIONS.has(value) ? undefined : 'Invalid subscription type'
}

const ARGUMENTS = {
  ...hardhat.CHECKS,
  account,
  callRequest: hardhat.options('L1CallRequest', TRANSACTION_FIELDS),
  hash,
  interval,
  logFilter,
  overrides: hardhat.map(['address', account], ['stateOverrideOptions', accountOverride]),
  subscription,
  transactionRequest: hardhat.options('L1RpcTransactionRequest', TRANSACTION_FIELDS),
  typedData,
  percentiles: sequence((value) =>
    typeof value === 'number' ? undefined : hardhat.invalidType(value, 'f64'),
  ),
  u64: hardhat.uint(8),
  u128: hardhat.uint(16),
  u256: hardhat.uint(32),
} as const satisfies Readonly<Record<string, hardhat.Check>>

type ArgumentName = keyof typeof ARGUMENTS

/** Without a `variant`, Hardhat's name of a method with several parameters, it has none or exactly one. */
export type HardhatSignature =
  | 'absent'
  | {
      readonly variant?: string
      /** Those with a question mark may be absent; those with a plus are of this library only. */
      readonly params: readonly (ArgumentName | `${ArgumentName}?` | `+${ArgumentName}`)[]
      /** Set if the method takes other values here, too. */
      readonly takesMore?: true
    }

export function hardhatArguments({ params }: Exclude<HardhatSignature, 'absent'>) {
  return params.map((name) => {
    const kind = name.replace(/^\+|\?$/, '') as ArgumentName
    const [isOwn, isOptional] = [name.startsWith('+'), name.endsWith('?')]
    const { [kind]: check } = ARGUMENTS
    return { kind, check: isOptional ? hardhat.orAbsent(check) : check, isRequired: !isOptional, isOwn }
  })
}

export type HardhatArgument = ReturnType<typeof hardhatArguments>[number]
