// Lists of accounts and slots in the order of the tries, which is that of the hashed keys.

import { type Address, bytesToHex, EMPTY_BYTES, equalBytes, type Hash, type Hex } from '../primitives/hex.ts'
import type { ImmutableMap } from '../primitives/immutable-map.ts'
import { isSameBesidesStorage, trieKeyOf } from './state-tries.ts'
import type { Storage, WorldState } from './world-state.ts'

export interface HashedEntry<Value> {
  readonly hash: Hash
  readonly key: Hex
  readonly value: Value
}

export interface HashedPage<Value> {
  readonly entries: readonly HashedEntry<Value>[]
  /** The hashed key after the page; `undefined` at the end. */
  readonly next: Hash | undefined
}

function hashOf(key: Hex): Hash {
  return bytesToHex(trieKeyOf(key))
}

function byHash(a: { readonly hash: Hash }, b: { readonly hash: Hash }): number {
  return a.hash < b.hash ? -1 : 1
}

/** Up to `most` accounts or slots whose hashed keys are not below the bytes of `start`. */
export function pageByHash<Value>(
  map: ImmutableMap<Hex, Value>,
  start: Hex,
  most: number,
): HashedPage<Value> {
  const entries = Array.from(map.entries(), ([key, value]) => ({ hash: hashOf(key), key, value }))
    .filter(({ hash }) => hash >= start)
    .sort(byHash)
  return { entries: entries.slice(0, most), next: entries[most]?.hash }
}

function isSameStorage(a: Storage, b: Storage): boolean {
  let isSame = true
  a.visitChanges(b, (_, before = EMPTY_BYTES, after = EMPTY_BYTES) => {
    isSame &&= equalBytes(before, after)
  })
  return isSame
}

/** The accounts of the later state that the earlier one does not have as they are. */
export function modifiedAccounts(earlier: WorldState, later: WorldState): Address[] {
  const modified: { readonly hash: Hash; readonly address: Address }[] = []
  earlier.visitChanges(later, (address, before, after) => {
    if (
      after === undefined ||
      (before !== undefined &&
        isSameBesidesStorage(before, after) &&
        isSameStorage(before.storage, after.storage))
    )
      return
    modified.push({ hash: hashOf(address), address })
  })
  return modified.sort(byHash).map(({ address }) => address)
}

function keyWithHash(keys: Iterable<Hex>, hash: Hash): Hex | undefined {
  for (const key of keys) if (hashOf(key) === hash) return key
  return undefined
}

function* keysOf<Value>(map: ImmutableMap<Hex, Value>): IterableIterator<Hex> {
  for (const [key] of map.entries()) yield key
}

/** The address or slot with a hash, among those of a state. */
export function preimageIn(state: WorldState, hash: Hash): Hex | undefined {
  const address = keyWithHash(keysOf(state), hash)
  if (address !== undefined) return address
  for (const { storage } of state.values()) {
    const slot = keyWithHash(keysOf(storage), hash)
    if (slot !== undefined) return slot
  }
  return undefined
}

export function codeIn(state: WorldState, hash: Uint8Array): Uint8Array | undefined {
  for (const { code } of state.values()) if (equalBytes(code.hash, hash)) return code.bytes
  return undefined
}
