// Accounts of contracts in the layer 1's genesis state: code with immutables, and storage as the Solidity compiler lays it
// out.

import { keccak256Hex } from '../../core/primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  concatBytes,
  type Hex,
  hexToBytes,
  toWord,
} from '../../core/primitives/hex.ts'
import { unpackContracts, withImmutables } from '../../core/rollup/op/contract-code.ts'
import { keccakOfText, shortText } from '../../core/rollup/op/solidity-words.ts'
import { type Account, type Code, EMPTY_STORAGE, makeCode, type Storage } from '../../core/state/account.ts'
import { CODE, CONTRACTS } from './generated-l1.ts'

/** Content of a slot, or of a variable in it. */
type Content = bigint | number | Hex

/** A slot's number and its content. */
export type Slot = readonly [slot: bigint, content: Content]

/** Storage with these slots; zeros are absent. */
function storageOf(slots: readonly Slot[]): Storage {
  let storage = EMPTY_STORAGE
  for (const [slot, content] of slots) {
    const value = BigInt(content)
    if (value !== 0n) storage = storage.set(toWord(slot), bigIntToBytes(value))
  }
  return storage
}

/** A slot that several variables share: each with its first byte, counted from the low end. */
export function packed(...variables: readonly (readonly [byte: number, value: Content])[]): bigint {
  return variables.reduce((slot, [byte, value]) => slot | (BigInt(value) << BigInt(8 * byte)), 0n)
}

/** The slot of a mapping's value. */
export function mappingSlot(key: Content, mapping: bigint): bigint {
  const preimage = concatBytes(hexToBytes(toWord(BigInt(key))), hexToBytes(toWord(mapping)))
  return BigInt(keccak256Hex(preimage))
}

/** A slot at the hash of a name. */
export function namedSlot(name: string): bigint {
  return BigInt(keccakOfText(name))
}

/** A slot before the hash of a name (ERC-1967). */
export function slotBefore(name: string): bigint {
  return namedSlot(name) - 1n
}

/** The content of an ASCII string of less than 32 bytes: left-aligned, and twice its length in the last byte. */
export function shortString(text: string): bigint {
  return shortText(text) | BigInt(2 * text.length)
}

export type AccountEntry = [Address, Account]

type Contract = keyof typeof CONTRACTS
type Immutables = Readonly<Record<string, Hex | bigint>>

const CODES = unpackContracts(CONTRACTS, CODE)

/** Where proxies keep who upgrades them, and to what (ERC-1967). */
export const ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n
export const IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn

/** The flag that OpenZeppelin's Initializable sets. */
export const INITIALIZED: Slot = [0n, 1n]
/** Slot of the owner of OpenZeppelin's OwnableUpgradeable. */
export const OWNER_SLOT = 51n

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
): AccountEntry {
  const code = codeOf(name, immutables)
  return [address, { nonce: 1n, balance: 0n, code, storage: storageOf(slots) }]
}

/** A proxy with the storage of the initialised contract behind it. */
export function proxy(
  address: Address,
  admin: Address,
  implementation: Address,
  slots: readonly Slot[],
): AccountEntry {
  const proxied: Slot[] = [[ADMIN, admin], [IMPLEMENTATION, implementation], INITIALIZED]
  return contract(address, 'Proxy', [...proxied, ...slots])
}
