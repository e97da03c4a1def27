// Gas that depends only on the fields of a transaction: intrinsic gas, the calldata floor and the gas cap.

import { memoizeLru } from '../../primitives/lru-cache.ts'
import { isForkActive, type Rules } from '../../rollup/rules.ts'
import type { TransactionFields } from './transaction.ts'

/** The last count is kept: a transaction needs that of its calldata up to four times. */
const countNonZeroBytes = memoizeLru(1, (bytes: Uint8Array): number => {
  const { length } = bytes
  let count = length
  // A loop over all bytes of a creation is the first that V8 optimises, which takes longer than the jumps over its code.
  for (let at = bytes.indexOf(0); at !== -1; at = bytes.indexOf(0, at)) {
    for (; at < length && bytes[at] === 0; at++) count--
  }
  return count
})

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

/** Why the gas limit is too low for a message to begin, with the minimum; `undefined` if it suffices. */
export function gasShortfall(
  rules: Rules,
  message: GasRelevant & Pick<TransactionFields, 'gasLimit'>,
): { readonly kind: 'intrinsicGasTooLow' | 'floorGasTooLow'; readonly least: bigint } | undefined {
  const intrinsic = intrinsicGas(rules, message)
  if (message.gasLimit < intrinsic) return { kind: 'intrinsicGasTooLow', least: intrinsic }
  const floor = floorGas(rules, message.input)
  return message.gasLimit < floor ? { kind: 'floorGasTooLow', least: floor } : undefined
}

/** EIP-3860, from shanghai on. */
export const MAX_INIT_CODE_BYTES = 49_152

/** The limit that the init code of a creation exceeds; `undefined` for any other message. */
export function exceededInitCodeLimit(
  rules: Rules,
  { to, input }: Pick<TransactionFields, 'to' | 'input'>,
  isUnlimited: boolean,
): number | undefined {
  if (to !== undefined || isUnlimited || !isForkActive(rules, 'shanghai')) return undefined
  return input.length > MAX_INIT_CODE_BYTES ? MAX_INIT_CODE_BYTES : undefined
}
