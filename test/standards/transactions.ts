// Transactions of all types under all forks, held to @ethereumjs/tx: both take and refuse the same bytes, and read the
// same fields, hash and sender from those that they take.

import { createTxFromRLP } from '@ethereumjs/tx'
import fc from 'fast-check'
import { bytesToHex, type Hex, hexToBytes } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { decodeTransaction } from '../../src/core/pool/decode.ts'
import { signTransaction } from '../../src/core/pool/payload.ts'
import { loadCrypto } from '../../src/core/primitives/crypto.ts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import { isForkActive, makeRules, type Rules } from '../../src/core/rollup/rules.ts'
import { type Item, integer } from '../core/pool/by-hand.ts'
import { sampled } from '../size.ts'
import { deviationOf } from './deviations.ts'
import {
  byteChange,
  CHAIN_ID,
  changed,
  encodeNetworkForm,
  KEY,
  networkForms,
  SIGNER,
  signed,
  type TypeChoice,
  unsigned,
  wronglyBuilt,
  wronglySigned,
} from './random-transactions.ts'
import { ALL_FORKS, referenceParameters } from './reference-parameters.ts'
import { ownVerdict, referenceVerdict } from './transaction-outcomes.ts'

const TYPES = [0, 1, 2, 3, 4] as const
const FIRST_FORK = { 0: 'chainstart', 1: 'berlin', 2: 'london', 3: 'cancun', 4: 'prague' } as const

function typesUnder(rules: Rules): readonly (typeof TYPES)[number][] {
  return TYPES.filter((type) => isForkActive(rules, FIRST_FORK[type]))
}

/** Mostly types of the fork. */
function choiceUnder(rules: Rules): TypeChoice {
  const active = typesUnder(rules)
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...active) }, fc.constantFrom(...TYPES))
}

/** Counts of what was taken, by type, and of what was refused. */
type Tally = Map<number | 'refused' | 'deviating', number>

/** Compares what both say of the bytes; an exception must be a known one. */
function comparisonUnder(hardfork: Hardfork): { compare: (bytes: Uint8Array) => void; tally: Tally } {
  const rules = makeRules(CHAIN_ID, hardfork)
  const common = referenceParameters(hardfork, CHAIN_ID)
  const tally: Tally = new Map()
  const count = (key: number | 'refused' | 'deviating'): void => {
    tally.set(key, (tally.get(key) ?? 0) + 1)
  }
  const compare = (bytes: Uint8Array): void => {
    const own = ownVerdict(rules, bytes)
    const reference = referenceVerdict(common, bytes)
    if ('refused' in own && 'taken' in reference && deviationOf(hardfork, bytes) !== undefined) {
      count('deviating')
      return
    }
    // Messages differ, so a refusal equals any other.
    const isRefused = 'refused' in own && 'refused' in reference
    if (!isRefused) expect(own, bytesToHex(bytes)).toEqual(reference)
    count('taken' in own ? own.taken.type : 'refused')
  }
  return { compare, tally }
}

function testVerdicts(hardfork: Hardfork, numRuns: number): void {
  test(`under ${hardfork}`, async () => {
    const rules = makeRules(CHAIN_ID, hardfork)
    const { compare, tally } = comparisonUnder(hardfork)
    const types = choiceUnder(rules)
    const options = { seed: 20261122, numRuns }
    const send = async (make: Promise<Hex>): Promise<void> => compare(hexToBytes(await make))
    await fc.assert(
      fc.asyncProperty(unsigned(types), (it) => send(signed(it))),
      options,
    )
    await fc.assert(
      fc.asyncProperty(wronglyBuilt(types), (it) => send(signed(it))),
      options,
    )
    await fc.assert(
      fc.asyncProperty(wronglySigned(types), (it) => send(it())),
      options,
    )
    const changes = fc.array(byteChange, { minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(unsigned(types), changes, async (it, list) =>
        compare(list.reduce(changed, hexToBytes(await signed(it)))),
      ),
      options,
    )
    for (const type of typesUnder(rules)) expect(tally.get(type), `type ${type}`).toBeGreaterThan(0)
    expect(tally.get('refused')).toBeGreaterThan(numRuns / 4)
  })
}

function testNetworkForms(hardfork: Hardfork, numRuns: number): void {
  test(`with blobs, under ${hardfork}`, async () => {
    const { compare, tally } = comparisonUnder(hardfork)
    await fc.assert(
      fc.asyncProperty(networkForms, async (form) => compare(hexToBytes(await encodeNetworkForm(form)))),
      { seed: 20261122, numRuns },
    )
    expect(tally.get('refused')).toBeGreaterThan(0)
    if (isForkActive(makeRules(CHAIN_ID, hardfork), 'cancun')) expect(tally.get(3)).toBeGreaterThan(0)
  })
}

/** Signing is deterministic (RFC 6979), so the signatures are equal only if the signed hashes are. */
function testEncoding(numRuns: number): void {
  test('signed by both they are the same bytes', async () => {
    const latest = referenceParameters('osaka', CHAIN_ID)
    const homestead = referenceParameters('homestead', CHAIN_ID)
    await fc.assert(
      fc.asyncProperty(unsigned(fc.constantFrom(...TYPES)), async (it) => {
        const raw = hexToBytes(await signed(it))
        // From spuriousDragon on, @ethereumjs/tx signs legacy transactions with the chain id only.
        const common = it.type === 0 && !it.isProtected ? homestead : latest
        const reference = createTxFromRLP(raw, { common })
        expect(reference.serialize()).toEqual(raw)
        const own = signTransaction(decodeTransaction(raw), SIGNER, hexToBytes(KEY))
        const signedByReference = reference.sign(hexToBytes(KEY), false)
        expect(own.raw).toEqual(signedByReference.serialize())
        expect(own.hash).toBe(bytesToHex(signedByReference.hash()))
      }),
      { seed: 20261122, numRuns },
    )
  })
}

const ADDRESS: Hex = `0x${'ab'.repeat(20)}`
const dynamic: readonly Item[] = [
  integer(CHAIN_ID),
  '0x',
  '0x01',
  '0x02',
  '0x0f4240',
  ADDRESS,
  '0x',
  '0x',
  [],
]
const blobHash = (version: string): Hex => `0x${version}${'22'.repeat(31)}`

const blob: readonly Item[] = [...dynamic, '0x01', [blobHash('01')]]

const sign = (type: 2 | 3, items: readonly Item[]): Promise<Hex> => signed({ type, items, isProtected: true })
const withBlobs = (version: Item): Promise<Hex> =>
  encodeNetworkForm({
    it: { type: 3, items: blob, isProtected: true },
    version,
    commitments: [`0xc0${'00'.repeat(47)}`],
  })

/** One transaction for each known deviation. */
const DEVIATING: readonly (readonly [name: string, hardfork: Hardfork, make: () => Promise<Hex>])[] = [
  [
    'a chain id with leading zeros',
    'osaka',
    () => sign(2, dynamic.with(0, `0x00${integer(CHAIN_ID).slice(2)}`)),
  ],
  ['an empty string for an access list', 'osaka', () => sign(2, dynamic.with(8, '0x'))],
  ['an empty string for storage keys', 'osaka', () => sign(2, dynamic.with(8, [[ADDRESS, '0x']]))],
  ['a versioned hash of version 0x1a to 0x1f', 'osaka', () => sign(3, blob.with(10, [blobHash('1a')]))],
  ['cell proofs before osaka', 'prague', () => withBlobs('0x01')],
  ['a sidecar whose written version is not 0x01', 'osaka', () => withBlobs('0x0001')],
]

function testDeviations(): void {
  test.each(DEVIATING)(
    'takes %s, which the standard and this library refuse',
    async (name, hardfork, make) => {
      const bytes = hexToBytes(await make())
      expect(deviationOf(hardfork, bytes)).toBe(name)
      expect(ownVerdict(makeRules(CHAIN_ID, hardfork), bytes)).toHaveProperty('refused')
      expect(referenceVerdict(referenceParameters(hardfork, CHAIN_ID), bytes)).toHaveProperty('taken')
    },
  )
}

export function testTransactions(numRuns: number): void {
  beforeAll(loadCrypto)
  describe('random transactions are taken and refused as by @ethereumjs/tx', () => {
    for (const hardfork of sampled(ALL_FORKS)) testVerdicts(hardfork, numRuns)
    for (const hardfork of sampled(['shanghai', 'cancun', 'prague', 'osaka'] as const))
      testNetworkForms(hardfork, numRuns)
  })
  testEncoding(numRuns)
  describe('@ethereumjs/tx', testDeviations)
}
