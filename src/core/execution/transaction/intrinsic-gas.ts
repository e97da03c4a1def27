// Gas that depends only on the fields of a transaction: intrinsic gas, the calldata floor and the gas cap.

import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { TransactionFields } from './transaction.ts'

let lastBytes: Uint8Array | undefined
let lastCount = 0

/** The last count is kept: a transaction needs that of its calldata up to four times. */
function countNonZeroBytes(bytes: Uint8Array): number {
  if (bytes === lastBytes) return lastCount
  const { length } = bytes
  let count = length
  // A loop over all bytes of a creation is the first that V8 optimises, which takes longer than the jumps over its code.
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at)) {
    for (; at < length && bytes[at] === 0; at++) count--
  }
  lastBytes = bytes
  lastCount = count
  return count
}

type GasRelevant = Pick<TransactionFields, 'to' | 'input' | 'accessList' | 'authorizationList'>

function creationGas(rules: Rules, { length }: Uint8Array): bigint {
  const { gas } = rules
  const words = isForkActive(rules, 'shanghai') ? Math.ceil(length / 32) : 0
  const creation = isForkActive(rules, 'homestead') ? gas.txCreationGas : 0n
  return creation + gas.initCodeWordGas * BigInt(words)
}

/** Intrinsic gas: yellow paper 6.2 with EIP-2028, 2930, 3860 and 7702. */
export function intrinsicGas(rules: Rules, transaction: GasRelevant): bigint {
  const { gas } = rules
  const { to, input, accessList, authorizationList } = transaction
  const nonZero = countNonZeroBytes(input)
  const ofZeros = Number(gas.txDataZeroGas) * (input.length - nonZero)
  let total = gas.txGas + BigInt(ofZeros + Number(gas.txDataNonZeroGas) * nonZero)
  if (to === undefined) total += creationGas(rules, input)
  if (accessList.length > 0) {
    const storageKeys = accessList.reduce((sum, entry) => sum + entry.storageKeys.length, 0)
    total += gas.accessListAddressGas * BigInt(accessList.length)
    total += gas.accessListStorageKeyGas * BigInt(storageKeys)
  }
  if (authorizationList.length > 0) total += gas.perEmptyAccountCost * BigInt(authorizationList.length)
  return total
}

/** The least gas of a transaction, by its calldata (EIP-7623); zero before prague. */
export function floorGas(rules: Rules, input: Uint8Array): bigint {
  if (!isForkActive(rules, 'prague')) return 0n
  const nonZero = countNonZeroBytes(input)
  const tokens = BigInt(input.length - nonZero + 4 * nonZero)
  return rules.gas.txGas + rules.gas.totalCostFloorPerToken * tokens
}
