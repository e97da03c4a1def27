// Accounts of contracts in the layer 1's genesis state: code with immutables, and storage.

import type { Address, Hex } from '../../core/primitives/hex.ts'
import { unpackContracts, withImmutables } from '../../core/rollup/op/contract-code.ts'
import { type Account, type Code, makeCode } from '../../core/state/account.ts'
import { type Slot, storageOf } from './contract-storage.ts'
import { CODE, CONTRACTS } from './generated-l1.ts'

export type Entry = [Address, Account]

type Contract = keyof typeof CONTRACTS
type Immutables = Readonly<Record<string, Hex | bigint>>

const CODES = unpackContracts(CONTRACTS, CODE)

/** Where proxies keep who upgrades them, and to what (ERC-1967). */
export const ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n
export const IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn

/** The flag that OpenZeppelin's Initializable sets. */
export const INITIALIZED: Slot = [0n, 1n]
/** Slot of the owner of OpenZeppelin's OwnableUpgradeable. */
export const OWNER = 51n

/** Code without immutables, which accounts share by reference. */
const shared = new Map<Contract, Code>()

function codeOf(name: Contract, immutables: Immutables | undefined): Code {
  if (immutables !== undefined) return makeCode(withImmutables(CODES[name], immutables))
  const code = shared.get(name) ?? makeCode(withImmutables(CODES[name], {}))
  shared.set(name, code)
  return code
}

export function contract(
  address: Address,
  name: Contract,
  slots: readonly Slot[],
  immutables?: Immutables,
): Entry {
  const code = codeOf(name, immutables)
  return [address, { nonce: 1n, balance: 0n, code, storage: storageOf(slots) }]
}

/** A proxy with the storage of the initialised contract behind it. */
export function proxy(
  address: Address,
  admin: Address,
  implementation: Address,
  slots: readonly Slot[],
): Entry {
  const proxied: Slot[] = [[ADMIN, BigInt(admin)], [IMPLEMENTATION, BigInt(implementation)], INITIALIZED]
  return contract(address, 'Proxy', [...proxied, ...slots])
}
