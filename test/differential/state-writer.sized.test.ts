// The state writer and its roots against MerkleStateManager of @ethereumjs/statemanager: single calls, then the EVM.

import type { StateManagerInterface } from '@ethereumjs/common'
import { MerkleStateManager } from '@ethereumjs/statemanager'
import { Account, createAddressFromString, type Address as EvmAddress } from '@ethereumjs/util'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ReferenceState } from '../../src/core/execution/evm/reference-state.ts'
import { loadCrypto } from '../../src/core/primitives/crypto.ts'
import { bytesToHex, padLeft } from '../../src/core/primitives/hex.ts'
import { commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../src/core/state/state-tries.ts'
import { EMPTY_WORLD_STATE, StateWriter } from '../../src/core/state/world-state.ts'
import { sampled, scaled } from '../size.ts'
import { randomChains } from './random-chains.ts'
import { makeTwoStates } from './two-states.ts'

const seed = 20261121

beforeAll(loadCrypto)

const addresses = [1, 2, 3].map((n) => createAddressFromString(`0x${n.toString(16).padStart(40, '0')}`))
const slots = [0, 1, 2].map((n) => padLeft(Uint8Array.of(n), 32))

/** One call, made to both managers. */
type Call = (manager: StateManagerInterface) => Promise<void>

/** As the EVM does: an account is read, changed and written back; a new one starts without storage. */
async function changeAccount(
  manager: StateManagerInterface,
  address: EvmAddress,
  change: (account: Account) => void,
) {
  const existing = await manager.getAccount(address)
  const account = existing ?? new Account()
  change(account)
  await manager.putAccount(address, account)
  if (existing === undefined) await manager.clearStorage(address)
}

const onExisting =
  (address: EvmAddress, call: Call): Call =>
  async (manager) => {
    if ((await manager.getAccount(address)) !== undefined) await call(manager)
  }

const address = fc.constantFrom(...addresses)
const slot = fc.constantFrom(...slots)
const amount = fc.bigInt({ min: 0n, max: 5n })
const storageValue = fc.oneof(
  fc.constant(Uint8Array.of()),
  fc.constant(new Uint8Array(32)),
  fc.integer({ min: 0, max: 3 }).map((n) => Uint8Array.of(n)),
  fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => padLeft(bytes, 32)),
)

const write: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(address, amount, amount).map(
    ([at, nonce, balance]): Call =>
      (manager) =>
        changeAccount(manager, at, (account) => Object.assign(account, { nonce, balance })),
  ),
  address.map(
    (at): Call =>
      (manager) =>
        changeAccount(manager, at, () => {}),
  ),
  fc
    .tuple(address, amount)
    .map(([at, balance]) => onExisting(at, (manager) => manager.modifyAccountFields(at, { balance }))),
  fc
    .tuple(address, amount)
    .map(([at, nonce]) => onExisting(at, (manager) => manager.modifyAccountFields(at, { nonce }))),
  fc
    .tuple(address, fc.uint8Array({ maxLength: 3 }))
    .map(([at, code]) => onExisting(at, (manager) => manager.putCode(at, code))),
  {
    weight: 6,
    arbitrary: fc
      .tuple(address, slot, storageValue)
      .map(([at, key, value]) => onExisting(at, (manager) => manager.putStorage(at, key, value.slice()))),
  },
  address.map((at) => onExisting(at, (manager) => manager.clearStorage(at))),
  address.map(
    (at): Call =>
      (manager) =>
        manager.deleteAccount(at),
  ),
  address.map(
    (at): Call =>
      (manager) =>
        manager.putAccount(at, undefined),
  ),
)

/** A transaction: writes, and nested frames that are committed or reverted. */
interface Frame {
  readonly steps: readonly (Call | Frame)[]
  readonly reverts: boolean
}

const { frame } = fc.letrec<{ frame: Frame; step: Call | Frame }>((tie) => ({
  step: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: write },
    tie('frame'),
  ),
  frame: fc.record({ steps: fc.array(tie('step'), { maxLength: 8 }), reverts: fc.boolean() }),
}))

async function readEverything(manager: StateManagerInterface) {
  const all: unknown[] = []
  for (const at of addresses) {
    const account = await manager.getAccount(at)
    all.push({
      nonce: account?.nonce,
      balance: account?.balance,
      codeHash: account && bytesToHex(account.codeHash),
      isEmpty: account?.isEmpty(),
      isContract: account?.isContract(),
      hasStorage: account && bytesToHex(account.storageRoot) !== EMPTY_ROOT,
      code: bytesToHex(await manager.getCode(at)),
      codeSize: await manager.getCodeSize(at),
    })
    for (const key of slots) {
      all.push(bytesToHex(await manager.getStorage(at, key)))
      all.push(bytesToHex(await manager.originalStorageCache.get(at, key)))
    }
  }
  return all
}

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const rootOf = ({ writer }: ReferenceState) => stateRoot(commitState(EMPTY_COMMITTED_STATE, writer.current))

describe('call by call, the state writer answers as MerkleStateManager does', () => {
  async function runFrame(writer: ReferenceState, reference: MerkleStateManager, { steps, reverts }: Frame) {
    for (const manager of [writer, reference]) await manager.checkpoint()
    expect(await readEverything(writer)).toEqual(await readEverything(reference))
    for (const step of steps) {
      if (typeof step === 'function') for (const manager of [writer, reference]) await step(manager)
      else await runFrame(writer, reference, step)
      expect(await readEverything(writer)).toEqual(await readEverything(reference))
    }
    for (const manager of [writer, reference]) await (reverts ? manager.revert() : manager.commit())
  }

  test('in random transactions of nested frames', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: frame }, write), { maxLength: 6 }),
        async (steps) => {
          const writer = new ReferenceState(new StateWriter(EMPTY_WORLD_STATE))
          const reference = new MerkleStateManager()
          for (const step of steps) {
            if (typeof step === 'function') for (const manager of [writer, reference]) await step(manager)
            else await runFrame(writer, reference, step)
            expect(rootOf(writer)).toBe(bytesToHex(await reference.getStateRoot()))
          }
        },
      ),
      { seed, numRuns: scaled(40) },
    )
  })
})

describe('under the EVM, random programs do to the state writer what they do to MerkleStateManager', () => {
  const moreThanAnyoneHas = 10n ** 30n
  const forks = ['istanbul', 'london', 'shanghai', 'cancun', 'prague'] as const

  test.each(sampled(forks))('in transactions under %s', async (hardfork) => {
    await fc.assert(
      fc.asyncProperty(
        randomChains(hardfork, [0n, 0n, 0n, 0n, 0n, 1n, 1n, moreThanAnyoneHas]),
        async ({ genesis, transactions }) => {
          const states = await makeTwoStates(hardfork, genesis)
          for (const transaction of transactions) await states.send(transaction)
        },
      ),
      { seed, numRuns: scaled(24) },
    )
  })

  test.each(sampled(forks))('in bare calls under %s', async (hardfork) => {
    await fc.assert(
      fc.asyncProperty(randomChains(hardfork, [0n, 1n]), async ({ genesis, transactions }) => {
        const states = await makeTwoStates(hardfork, genesis)
        for (const transaction of transactions) await states.call(transaction)
      }),
      { seed, numRuns: scaled(15) },
    )
  })
})
