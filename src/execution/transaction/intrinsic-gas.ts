// Gas that depends only on the fields of a transaction: intrinsic gas, the calldata floor and the gas cap.

import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { TransactionFields } from './transaction.ts'

type Parameter = keyof Rules['gas']

let lastBytes: Uint8Array | undefined
let lastCount = 0

/** The last count is kept: a transaction needs that of its calldata up to four times. */
function countNonZeroBytes(bytes: Uint8Array): number {
  if (bytes === lastBytes) return lastCount
  let count = 0
  for (let i = 0; i < bytes.length; i++) if (bytes[i] !== 0) count++
  lastBytes = bytes
  lastCount = count
  return count
}

type GasRelevant = Pick<TransactionFields, 'to' | 'input' | 'accessList' | 'authorizationList'>

/** Intrinsic gas: yellow paper 6.2 with EIP-2028, 2930, 3860 and 7702. */
export function intrinsicGas(rules: Rules, transaction: GasRelevant): bigint {
  const cost = (name: Parameter, times: number): bigint =>
    times === 0 ? 0n : rules.gas[name] * BigInt(times)
  const { input, accessList, authorizationList } = transaction
  const nonZero = countNonZeroBytes(input)
  const isCreation = transaction.to === undefined
  const initCodeWords = isCreation && isForkActive(rules, 'shanghai') ? Math.ceil(input.length / 32) : 0
  const storageKeys = accessList.reduce((sum, entry) => sum + entry.storageKeys.length, 0)
  return (
    rules.gas.txGas +
    cost('txCreationGas', isCreation && isForkActive(rules, 'homestead') ? 1 : 0) +
    cost('txDataZeroGas', input.length - nonZero) +
    cost('txDataNonZeroGas', nonZero) +
    cost('initCodeWordGas', initCodeWords) +
    cost('accessListAddressGas', accessList.length) +
    cost('accessListStorageKeyGas', storageKeys) +
    cost('perEmptyAccountCost', authorizationList.length)
  )
}

/** The least gas of a transaction, by its calldata (EIP-7623); zero before prague. */
export function floorGas(rules: Rules, input: Uint8Array): bigint {
  if (!isForkActive(rules, 'prague')) return 0n
  const nonZero = countNonZeroBytes(input)
  const tokens = BigInt(input.length - nonZero + 4 * nonZero)
  return rules.gas.txGas + rules.gas.totalCostFloorPerToken * tokens
}
