// Accounts and storage as geth lists them in its debug methods (core/state/dump.go).

import type { BlockView } from '../../chain/view.ts'
import { toChecksumAddress } from '../../primitives/address.ts'
import { bytesToBase64 } from '../../primitives/base64.ts'
import { bytesToHex, type Hash, type Hex, hexToBytes, padLeft } from '../../primitives/hex.ts'
import { type Account, codeHashHex, type Storage } from '../../state/account.ts'
import { type HashedEntry, pageByHash } from '../../state/state-listing.ts'
import { type CommittedState, stateRoot, storageRoot } from '../../state/state-tries.ts'

/** Which accounts a dump has, and what of them. */
export interface DumpOrder {
  /** The lowest hashed address. */
  readonly start: Hex
  readonly most: number
  readonly withCode: boolean
  readonly withStorage: boolean
}

export interface RpcDumpAccount {
  /** Wei, in decimal digits. */
  readonly balance: string
  readonly nonce: number
  readonly root: Hash
  readonly codeHash: Hash
  /** Absent if there is none. */
  readonly code?: Hex
  /** Slot → value, in hex without 0x and leading zeros; absent if there is none. */
  readonly storage?: Readonly<Record<Hash, string>>
  readonly address: Hex
  /** The hash of the address. */
  readonly key: Hash
}

export interface RpcDump {
  /** The state root, in hex without 0x. */
  readonly root: string
  /** By checksummed address. */
  readonly accounts: Readonly<Record<Hex, RpcDumpAccount>>
  /** The hashed address to go on with, in base64; absent at the end. */
  readonly next?: string
}

function formatSlots(storage: Storage): Record<Hash, string> {
  const { entries } = pageByHash(storage, '0x', Number.POSITIVE_INFINITY)
  return Object.fromEntries(entries.map(({ key, value }) => [key, bytesToHex(value).slice(2)]))
}

function formatAccount(
  committed: CommittedState,
  { hash, key: address, value: account }: HashedEntry<Account>,
  { withCode, withStorage }: DumpOrder,
): RpcDumpAccount {
  const { balance, nonce, code, storage } = account
  return {
    balance: `${balance}`,
    nonce: Number(nonce),
    root: storageRoot(committed, address),
    codeHash: codeHashHex(account),
    ...(withCode && code.bytes.length > 0 ? { code: bytesToHex(code.bytes) } : {}),
    ...(withStorage && !storage.isEmpty ? { storage: formatSlots(storage) } : {}),
    address,
    key: hash,
  }
}

export function formatDump(view: BlockView, order: DumpOrder): RpcDump {
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

export interface RpcStorageRange {
  /** By the hash of the slot. */
  readonly storage: Readonly<Record<Hash, { readonly key: Hash; readonly value: Hex }>>
  /** The hash of the slot to go on with; null at the end. */
  readonly nextKey: Hash | null
}

export function formatStorageRange(storage: Storage, start: Hex, most: number): RpcStorageRange {
  const { entries, next } = pageByHash(storage, start, most)
  const shown = entries.map(
    ({ hash, key, value }) => [hash, { key, value: bytesToHex(padLeft(value, 32)) }] as const,
  )
  return { storage: Object.fromEntries(shown), nextKey: next ?? null }
}
