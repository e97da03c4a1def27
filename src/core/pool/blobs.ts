// Additional pool checks of blob transactions (EIP-4844, EIP-7594; geth's txpool/validation.go). They do not verify the
// proofs, which would need the whole trusted setup.

import type { BlobSidecar, Transaction } from '../execution/transaction/transaction.ts'
import { BLOB_HASH_VERSION } from '../execution/transaction/validity.ts'
import { sha256 } from '../primitives/crypto.ts'
import { failure } from '../primitives/errors.ts'
import { bytesToHex, type Hash } from '../primitives/hex.ts'
import { MINIMUM_BLOB_BASE_FEE } from '../rollup/blobs.ts'
import { isForkActive, type Rules } from '../rollup/rules.ts'

const BLOB_BYTES = 131_072
/** Commitments and proofs are compressed points of BLS12-381. */
const POINT_BYTES = 48
/** EIP-7594: cells of an extended blob, each with a proof. */
const CELLS_PER_BLOB = 128

function versionedHash(commitment: Uint8Array): Hash {
  return `${BLOB_HASH_VERSION}${bytesToHex(sha256(commitment)).slice(4)}`
}

function refuse(reason: string): never {
  throw failure('invalidSidecar', { reason })
}

function expectCount(what: string, count: number, expected: number): void {
  if (count !== expected) refuse(`invalid number of ${count} ${what} compared to ${expected} blob hashes`)
}

function expectSize(what: string, items: readonly Uint8Array[], size: number): void {
  for (const [index, { length }] of items.entries()) {
    if (length !== size) refuse(`${what} ${index}: expected ${size} bytes, got ${length}`)
  }
}

function checkHashes({ commitments }: BlobSidecar, hashes: readonly Hash[]): void {
  for (const [index, commitment] of commitments.entries()) {
    const computed = versionedHash(commitment)
    if (computed !== hashes[index]) {
      refuse(`blob ${index}: computed hash ${computed} mismatches transaction one ${hashes[index]}`)
    }
  }
}

function checkSidecar(rules: Rules, sidecar: BlobSidecar, hashes: readonly Hash[]): void {
  const { version, blobs, commitments, proofs } = sidecar
  // geth's RPC accepts version 0 after osaka and computes the cell proofs itself.
  if (version === 1 && !isForkActive(rules, 'osaka')) refuse('unexpected sidecar version, want: 0, got: 1')
  expectCount('blobs', blobs.length, hashes.length)
  expectCount('blob commitments', commitments.length, hashes.length)
  const proofCount = hashes.length * (version === 1 ? CELLS_PER_BLOB : 1)
  if (proofs.length !== proofCount) {
    refuse(`invalid number of ${proofs.length} blob proofs expected ${proofCount}`)
  }
  expectSize('blob', blobs, BLOB_BYTES)
  expectSize('blob commitment', commitments, POINT_BYTES)
  expectSize('blob proof', proofs, POINT_BYTES)
  checkHashes(sidecar, hashes)
}

/** Checks the blob fee cap, and the sidecar against the versioned hashes. */
export function checkBlobs(rules: Rules, transaction: Transaction): void {
  const { maxFeePerBlobGas: feeCap, blobVersionedHashes: hashes, sidecar } = transaction
  const least = MINIMUM_BLOB_BASE_FEE
  if (feeCap < least) throw failure('blobFeeTooLow', { feeCap, least })
  if (sidecar === undefined) throw failure('missingSidecar')
  checkSidecar(rules, sidecar, hashes)
}
