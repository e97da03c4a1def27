// Accounts and storage as geth lists them in its debug methods (core/state/dump.go).

import type { BlockView } from '../../chain/chain.ts'
import { toChecksumAddress } from '../../primitives/crypto.ts'
import { bytesToBase64, bytesToHex, type Hex, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { type HashedEntry, pageByHash } from '../../state/state-listing.ts'
import { type CommittedState, stateRoot, storageRoot } from '../../state/state-tries.ts'
import { type Account, codeHashHex, type Storage } from '../../state/world-state.ts'

export interface DumpOrder {
  /** The lowest hashed address. */
  readonly start: Hex
  readonly most: number
  readonly withCode: boolean
  readonly withStorage: boolean
}

/** An account; code and storage only if there are any. */
function formatAccount(
  committed: CommittedState,
  { hash, key: address, value: account }: HashedEntry<Account>,
  { withCode, withStorage }: DumpOrder,
) {
  const { balance, nonce, code, storage } = account
  const { entries } = pageByHash(storage, '0x', withStorage ? Number.POSITIVE_INFINITY : 0)
  // Slots and values, in hex without 0x and leading zeros.
  const slots = entries.map(({ key, value }) => [key, bytesToHex(value).slice(2)])
  return {
    balance: `${balance}`,
    nonce: Number(nonce),
    root: storageRoot(committed, address),
    codeHash: codeHashHex(account),
    ...(withCode && code.bytes.length > 0 ? { code: bytesToHex(code.bytes) } : {}),
    ...(withStorage && !storage.isEmpty ? { storage: Object.fromEntries(slots) } : {}),
    address,
    key: hash,
  }
}

/** A page of accounts by checksummed address; `next` is the hashed address to go on with, in base64. */
export function formatDump(view: BlockView, order: DumpOrder) {
  const { committed } = view.block()
  const { entries, next } = pageByHash(committed.state, order.start, order.most)
  return {
    root: stateRoot(committed).slice(2),
    accounts: Object.fromEntries(
      entries.map((entry) => [toChecksumAddress(entry.key), formatAccount(committed, entry, order)]),
    ),
    ...(next === undefined ? {} : { next: bytesToBase64(hexToBytes(next)) }),
  }
}

/** A page of slots by their hashes; `nextKey` is the hash to go on with. */
export function formatStorageRange(storage: Storage, start: Hex, most: number) {
  const { entries, next } = pageByHash(storage, start, most)
  const shown = entries.map(
    ({ hash, key, value }) => [hash, { key, value: bytesToHex(padLeft(value, 32)) }] as const,
  )
  return { storage: Object.fromEntries(shown), nextKey: next ?? null }
}
