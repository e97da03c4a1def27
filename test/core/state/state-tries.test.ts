import { createMPT, verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { createAddressFromString, Account as EvmAccount } from '@ethereumjs/util'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { keccak256, loadCrypto } from '../../../src/core/primitives/crypto.ts'
import {
  type Address,
  bigIntToBytes,
  bytesToHex,
  type Hash,
  hexToBytes,
  toWord,
} from '../../../src/core/primitives/hex.ts'
import { PersistentMap } from '../../../src/core/primitives/persistent-map.ts'
import { proveAccount } from '../../../src/core/state/proofs.ts'
import {
  type CommittedState,
  commitState,
  EMPTY_COMMITTED_STATE,
  stateRoot,
  storageRoot,
} from '../../../src/core/state/state-tries.ts'
import {
  EMPTY_STORAGE,
  EMPTY_WORLD_STATE,
  makeCode,
  updateAccount,
  type WorldState,
  writeStorage,
} from '../../../src/core/state/world-state.ts'

const seed = 20261121
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const addresses = Array.from({ length: 6 }, (_, i): Address => `0x${(i + 1).toString(16).padStart(40, '0')}`)
const slots = Array.from({ length: 6 }, (_, i) => toWord(i))
const [alice, bob] = addresses as [Address, Address]
const [slot0, slot1] = slots as [Hash, Hash]

beforeAll(loadCrypto)

type Change = (state: WorldState) => WorldState

const address = fc.constantFrom(...addresses)
/** Values without leading zeros; none is zero. */
const slotValue = fc.oneof(
  fc.constant(0n),
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
)
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(address, fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 2n ** 90n })).map(
    ([who, nonce, balance]): Change =>
      (state) =>
        updateAccount(state, who, { nonce, balance }),
  ),
  {
    weight: 4,
    arbitrary: fc.tuple(address, fc.constantFrom(...slots), slotValue).map(
      ([who, slot, value]): Change =>
        (state) =>
          writeStorage(state, who, slot, bigIntToBytes(value)),
    ),
  },
  fc.tuple(address, fc.uint8Array({ maxLength: 40 })).map(
    ([who, code]): Change =>
      (state) =>
        updateAccount(state, who, { code: makeCode(code) }),
  ),
  address.map(
    (who): Change =>
      (state) =>
        state.has(who) ? updateAccount(state, who, { storage: EMPTY_STORAGE }) : state,
  ),
  address.map(
    (who): Change =>
      (state) =>
        state.delete(who),
  ),
)
const history = fc.array(fc.array(change, { maxLength: 12 }), { minLength: 1, maxLength: 8 })

function commitHistory(blocks: readonly (readonly Change[])[]): CommittedState[] {
  const versions = [EMPTY_COMMITTED_STATE]
  for (const changes of blocks) {
    const from = versions.at(-1) ?? EMPTY_COMMITTED_STATE
    versions.push(
      commitState(
        from,
        changes.reduce((state, next) => next(state), from.state),
      ),
    )
  }
  return versions
}

/** The same accounts in the state manager of @ethereumjs. */
async function referenceOf(state: WorldState): Promise<MerkleStateManager> {
  const reference = new MerkleStateManager()
  for (const [who, account] of state.entries()) {
    const at = createAddressFromString(who)
    await reference.putAccount(at, new EvmAccount(account.nonce, account.balance))
    if (account.code.bytes.length > 0) await reference.putCode(at, account.code.bytes)
    for (const [slot, value] of account.storage.entries())
      await reference.putStorage(at, hexToBytes(slot), value)
  }
  return reference
}

describe('published roots', () => {
  test('of no accounts is the empty root', () => {
    expect(stateRoot(EMPTY_COMMITTED_STATE)).toBe(EMPTY_ROOT)
    expect(stateRoot(commitState(EMPTY_COMMITTED_STATE, EMPTY_WORLD_STATE))).toBe(EMPTY_ROOT)
  })

  test("of Sepolia's genesis is the one in its genesis block", () => {
    const million = 10n ** 24n
    const balances: Readonly<Record<Address, bigint>> = {
      '0xa2a6d93439144ffe4d27c9e088dcd8b783946263': million,
      '0xbc11295936aa79d594139de1b2e12629414f3bdb': million,
      '0x7cf5b79bfe291a67ab02b393e456ccc4c266f753': million,
      '0xaaec86394441f915bce3e6ab399977e9906f3b69': million,
      '0xf47cae1cf79ca6758bfc787dbd21e6bdbe7112b8': million,
      '0xd7eddb78ed295b3c9629240e8924fb8d8874ddd8': million,
      '0x8b7f0977bb4f0fbe7076fa22bc24aca043583f5e': million,
      '0xe2e2659028143784d557bcec6ff3a0721048880a': million,
      '0xd9a5179f091d85051d3c982785efd1455cec8699': million,
      '0xbeef32ca5b9a198d27b4e02f4c70439fe60356cf': million,
      '0x0000006916a87b82333f4245046623b23794c65c': 10n * million,
      '0xb21c33de1fab3fa15499c62b59fe0cc3250020d1': 100n * million,
      '0x10f5d45854e038071485ac9e402308cf80d2d2fe': 100n * million,
      '0xd7d76c58b3a519e9fa6cc4d22dc017259bc49f1e': 100n * million,
      '0x799d329e5f583419167cd722962485926e338f4a': 10n ** 18n,
    }
    const state = Object.entries(balances).reduce(
      (accounts, [who, balance]) => updateAccount(accounts, who as Address, { balance }),
      EMPTY_WORLD_STATE,
    )
    expect(stateRoot(commitState(EMPTY_COMMITTED_STATE, state))).toBe(
      '0x5eb6e371a698b8d68f665192350ffcecbbbf322916f4b51bd79bb6887da3f494',
    )
  })
})

describe('committing block after block', () => {
  test('gives the roots of committing everything at once', { tags: 'gate' }, () => {
    fc.assert(
      fc.property(history, (blocks) => {
        for (const version of commitHistory(blocks)) {
          const atOnce = commitState(EMPTY_COMMITTED_STATE, version.state)
          expect(stateRoot(version)).toBe(stateRoot(atOnce))
          for (const who of addresses) expect(storageRoot(version, who)).toBe(storageRoot(atOnce, who))
        }
      }),
      { seed, numRuns: 150 },
    )
  })

  test('gives the root that MerkleStateManager gives', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (blocks) => {
        for (const version of commitHistory(blocks)) {
          const reference = await referenceOf(version.state)
          expect(stateRoot(version)).toBe(bytesToHex(await reference.getStateRoot()))
        }
      }),
      { seed, numRuns: 40 },
    )
  })

  test('keeps tries for the accounts that have storage, and for no others', () => {
    fc.assert(
      fc.property(history, (blocks) => {
        const { state, storageTries } = commitHistory(blocks).at(-1) ?? EMPTY_COMMITTED_STATE
        const holders = addresses.filter((who) => state.get(who)?.storage.isEmpty === false)
        expect(addresses.filter((who) => storageTries.has(who))).toEqual(holders)
        expect(storageTries.size).toBe(holders.length)
      }),
      { seed, numRuns: 150 },
    )
  })

  test('may start from any version, a later one or one of another history', () => {
    fc.assert(
      fc.property(history, history, (blocks, otherBlocks) => {
        const versions = [...commitHistory(blocks), ...commitHistory(otherBlocks)]
        for (const [i, from] of versions.entries()) {
          const target = versions[(i * 7 + 3) % versions.length] ?? EMPTY_COMMITTED_STATE
          expect(stateRoot(commitState(from, target.state))).toBe(stateRoot(target))
        }
      }),
      { seed, numRuns: 60 },
    )
  })

  test('leaves the roots of older versions as they were', () => {
    fc.assert(
      fc.property(history, (blocks) => {
        const versions = [EMPTY_COMMITTED_STATE]
        const seen = [EMPTY_ROOT]
        for (const changes of blocks) {
          const from = versions.at(-1) ?? EMPTY_COMMITTED_STATE
          const next = commitState(
            from,
            changes.reduce((state, apply) => apply(state), from.state),
          )
          versions.push(next)
          seen.push(stateRoot(next))
        }
        expect(versions.map(stateRoot)).toEqual(seen)
      }),
      { seed, numRuns: 60 },
    )
  })
})

describe('an account', () => {
  const withSlots = (...values: readonly bigint[]) =>
    values.reduce(
      (state, value, i) => writeStorage(state, alice, slots[i] as Hash, bigIntToBytes(value)),
      updateAccount(EMPTY_WORLD_STATE, alice, { nonce: 1n }),
    )

  test('deleted and made again with other storage has the root of a new one', () => {
    const before = commitState(EMPTY_COMMITTED_STATE, withSlots(1n, 2n, 3n))
    const again = updateAccount(before.state.delete(alice), alice, { nonce: 1n })
    const after = commitState(before, writeStorage(again, alice, slot1, Uint8Array.of(9)))
    const fresh = writeStorage(
      updateAccount(EMPTY_WORLD_STATE, alice, { nonce: 1n }),
      alice,
      slot1,
      Uint8Array.of(9),
    )
    expect(stateRoot(after)).toBe(stateRoot(commitState(EMPTY_COMMITTED_STATE, fresh)))
  })

  test('deleted in one block and made again in the next keeps nothing', () => {
    const before = commitState(EMPTY_COMMITTED_STATE, withSlots(1n, 2n))
    const deleted = commitState(before, before.state.delete(alice))
    expect(stateRoot(deleted)).toBe(EMPTY_ROOT)
    expect(storageRoot(deleted, alice)).toBe(EMPTY_ROOT)
    const again = commitState(deleted, withSlots())
    expect(storageRoot(again, alice)).toBe(EMPTY_ROOT)
  })

  test('whose slots are all emptied has the empty storage root', () => {
    const before = commitState(EMPTY_COMMITTED_STATE, withSlots(1n, 2n))
    expect(storageRoot(before, alice)).not.toBe(EMPTY_ROOT)
    const emptied = [slot0, slot1].reduce(
      (s, slot) => writeStorage(s, alice, slot, Uint8Array.of()),
      before.state,
    )
    const after = commitState(before, emptied)
    expect(storageRoot(after, alice)).toBe(EMPTY_ROOT)
    expect(stateRoot(after)).toBe(stateRoot(commitState(EMPTY_COMMITTED_STATE, withSlots())))
  })

  test('that exists but is empty is still in the trie', () => {
    const state = updateAccount(EMPTY_WORLD_STATE, alice, {})
    expect(stateRoot(commitState(EMPTY_COMMITTED_STATE, state))).not.toBe(EMPTY_ROOT)
  })

  test('untouched by a change to another keeps its storage trie', () => {
    const before = commitState(EMPTY_COMMITTED_STATE, withSlots(1n))
    const after = commitState(before, updateAccount(before.state, bob, { balance: 1n }))
    expect(after.storageTries).toBe(before.storageTries)
  })
})

describe('proofs', () => {
  const keyOf = (hex: string) => keccak256(hexToBytes(hex))

  test('of accounts and slots, there or not, hold against the roots of every version', {
    tags: 'gate',
  }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (blocks) => {
        const versions = commitHistory(blocks)
        for (const version of versions) {
          const root = hexToBytes(stateRoot(version))
          for (const who of addresses) {
            const proven = proveAccount(version, who, slots)
            if (version.state.isEmpty) {
              expect(proven.accountProof).toEqual([])
              continue
            }
            const account = version.state.get(who)
            const expected =
              account === undefined
                ? null
                : new EvmAccount(
                    account.nonce,
                    account.balance,
                    hexToBytes(proven.storageRoot),
                    account.code.hash,
                  ).serialize()
            expect(await verifyMerkleProof(keyOf(who), [...proven.accountProof], { root })).toEqual(expected)
          }
        }
      }),
      { seed, numRuns: 20 },
    )
  })

  test('of slots hold against the storage root', { tags: 'gate' }, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (blocks) => {
        for (const version of commitHistory(blocks)) {
          for (const [who, account] of version.state.entries()) {
            const { storageProofs, storageRoot: root } = proveAccount(version, who, slots)
            for (const [i, { value, proof }] of storageProofs.entries()) {
              const slot = slots[i] as Hash
              expect(value).toEqual(account.storage.get(slot) ?? Uint8Array.of())
              if (account.storage.isEmpty) {
                expect(proof).toEqual([])
                continue
              }
              const held = await verifyMerkleProof(keyOf(slot), [...proof], { root: hexToBytes(root) })
              expect(held).toEqual(value.length === 0 ? null : RLP.encode(value))
            }
          }
        }
      }),
      { seed, numRuns: 20 },
    )
  })

  test('of an account that is not there tell an empty one', () => {
    const committed = commitState(
      EMPTY_COMMITTED_STATE,
      updateAccount(EMPTY_WORLD_STATE, bob, { balance: 5n }),
    )
    const proven = proveAccount(committed, alice, [slot0])
    expect(proven).toMatchObject({ storageRoot: EMPTY_ROOT, account: { nonce: 0n, balance: 0n } })
    expect(bytesToHex(proven.account.code.hash)).toBe(
      '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470',
    )
    expect(proven.storageProofs).toEqual([{ value: Uint8Array.of(), proof: [] }])
    expect(proven.accountProof).toHaveLength(1)
  })

  test('of another root do not hold', async () => {
    const one = commitState(EMPTY_COMMITTED_STATE, updateAccount(EMPTY_WORLD_STATE, alice, { balance: 1n }))
    const two = commitState(one, updateAccount(one.state, alice, { balance: 2n }))
    const { accountProof } = proveAccount(one, alice, [])
    await expect(
      verifyMerkleProof(keyOf(alice), [...accountProof], { root: hexToBytes(stateRoot(two)) }),
    ).rejects.toThrow('Invalid proof')
  })
})

test('a storage trie holds RLP values under hashed slots', async () => {
  const values: [Hash, bigint][] = [
    [slot0, 0x7fn],
    [slot1, 0x80n],
    [toWord(2n ** 255n), 2n ** 256n - 1n],
  ]
  const reference = await createMPT({ useKeyHashing: true })
  for (const [slot, value] of values) await reference.put(hexToBytes(slot), RLP.encode(bigIntToBytes(value)))
  const storage = PersistentMap.from(values.map(([slot, value]) => [slot, bigIntToBytes(value)]))
  const committed = commitState(EMPTY_COMMITTED_STATE, updateAccount(EMPTY_WORLD_STATE, alice, { storage }))
  expect(storageRoot(committed, alice)).toBe(bytesToHex(reference.root()))
})
