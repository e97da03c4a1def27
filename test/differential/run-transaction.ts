// Transactions run without runTx (docs/decisions/0013), compared with runTx: random transactions of all types under all
// forks leave the same receipt and the same state.

import fc from 'fast-check'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { createEvmPools, evmPoolFor, withEvm } from '../../src/core/execution/evm/evm-pool.ts'
import { gasShortfall } from '../../src/core/execution/transaction/intrinsic-gas.ts'
import { runTransaction } from '../../src/core/execution/transaction/run-transaction.ts'
import type {
  Authorization,
  Transaction,
  TransactionType,
} from '../../src/core/execution/transaction/transaction.ts'
import { unmetPrecondition } from '../../src/core/execution/transaction/validity.ts'
import { unsignedTransaction } from '../../src/core/pool/payload.ts'
import { type Address, EMPTY_BYTES, toWord, ZERO_ADDRESS, ZERO_HASH } from '../../src/core/primitives/hex.ts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import type { BlockEnvironment } from '../../src/core/rollup/header.ts'
import { isForkActive, makeRules, type Rules } from '../../src/core/rollup/rules.ts'
import { commitState, EMPTY_COMMITTED_STATE, stateRoot } from '../../src/core/state/state-tries.ts'
import {
  EMPTY_ACCOUNT,
  EMPTY_WORLD_STATE,
  makeCode,
  readAccount,
  updateAccount,
  type WorldState,
  writeStorage,
} from '../../src/core/state/world-state.ts'
import { bytesOf } from './bytecode.ts'
import { type RandomChain, randomChains } from './random-chains.ts'
import { makeReference } from './reference-transaction.ts'
import type { Genesis } from './two-states.ts'

const CHAIN_ID = 31_337
export const FORKS = [
  'homestead',
  'spuriousDragon',
  'byzantium',
  'istanbul',
  'berlin',
  'london',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const satisfies readonly Hardfork[]

/** Accounts that sign authorizations; the second is not there at first. */
const authorities = [1n, 2n].map((key) => privateKeyToAccount(toWord(key)))
const [contract] = [0xc0].map((byte): Address => `0x${byte.toString(16).repeat(20)}`)
const sender: Address = `0x${'5e'.repeat(20)}`
const hollow: Address = `0x${'40'.repeat(20)}`
const fresh: Address = `0x${'fe'.repeat(20)}`

function fill(genesis: Genesis): WorldState {
  let state = EMPTY_WORLD_STATE
  for (const [address, account] of Object.entries(genesis) as [Address, Genesis[Address]][]) {
    const { nonce = 0n, balance = 0n, code = [], storage = {} } = account ?? {}
    state = updateAccount(state, address, { ...EMPTY_ACCOUNT, nonce, balance, code: makeCode(bytesOf(code)) })
    for (const [slot, value] of Object.entries(storage)) {
      state = writeStorage(state, address, toWord(BigInt(slot)), Uint8Array.of(value))
    }
  }
  const known = authorities[0]?.address.toLowerCase() as Address
  return updateAccount(state, known, { balance: 10n ** 18n })
}

/** Turns a plain transaction into one of a type. */
interface Manner {
  readonly type: TransactionType
  readonly tip: bigint
  readonly calldata: number
  readonly accessList: Transaction['accessList']
  readonly delegations: readonly {
    readonly by: number
    readonly to: Address
    readonly chainId: number
    readonly nonceBehind: bigint
    readonly isBroken: boolean
  }[]
}

const someAddress = fc.constantFrom(sender, hollow, fresh, contract as Address, ZERO_ADDRESS)

function manners(rules: Rules): fc.Arbitrary<Manner> {
  const since = ['chainstart', 'berlin', 'london', 'cancun', 'prague'] as const
  const types = ([0, 1, 2, 3, 4] as const).filter((type) => isForkActive(rules, since[type]))
  return fc.record({
    type: fc.constantFrom(...types),
    tip: fc.constantFrom(0n, 1n, 3n),
    calldata: fc.constantFrom(0, 0, 40, 900),
    accessList: fc.array(
      fc.record({
        address: someAddress,
        storageKeys: fc.array(
          fc.integer({ min: 0, max: 2 }).map((slot) => toWord(slot)),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 2 },
    ),
    delegations: fc.array(
      fc.record({
        by: fc.integer({ min: 0, max: 1 }),
        to: someAddress,
        chainId: fc.constantFrom(0, CHAIN_ID, CHAIN_ID, 1),
        nonceBehind: fc.constantFrom(0n, 0n, 0n, 1n),
        isBroken: fc.constantFrom(false, false, false, true),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
}

async function authorize(state: WorldState, manner: Manner): Promise<Authorization[]> {
  const used = new Map<number, bigint>()
  const signed: Authorization[] = []
  for (const { by, to, chainId, nonceBehind, isBroken } of manner.delegations) {
    const account = authorities[by] as (typeof authorities)[number]
    const next = readAccount(state, account.address.toLowerCase() as Address).nonce + (used.get(by) ?? 0n)
    const nonce = next + nonceBehind
    if (nonceBehind === 0n && !isBroken && chainId !== 1) used.set(by, (used.get(by) ?? 0n) + 1n)
    const { r, s, yParity } = await account.signAuthorization({ address: to, chainId, nonce: Number(nonce) })
    const broken = isBroken ? 1n : 0n
    signed.push({
      ...{ chainId: BigInt(chainId), address: to, nonce, yParity: BigInt(yParity ?? 0) },
      ...{ r: BigInt(r) + broken, s: BigInt(s) },
    })
  }
  return signed
}

async function toTransaction(
  state: WorldState,
  plain: RandomChain['transactions'][number],
  manner: Manner,
): Promise<Transaction> {
  const { type, tip, calldata } = manner
  const { from, to, value = 0n, data = [], gas = 0n, gasPrice = 10n } = plain
  const input = data.length === 0 ? new Uint8Array(calldata).fill(1, 0, calldata >> 1) : bytesOf(data)
  // Blob and set-code transactions create nothing.
  const recipient = to ?? (type > 2 ? fresh : undefined)
  return unsignedTransaction(
    {
      ...{ type, chainId: BigInt(CHAIN_ID), nonce: readAccount(state, from).nonce, gasLimit: gas },
      maxFeePerGas: gasPrice,
      maxPriorityFeePerGas: type < 2 ? gasPrice : tip,
      ...{ to: recipient, value, input: to === undefined && type > 2 ? EMPTY_BYTES : input },
      accessList: type === 0 ? [] : manner.accessList,
      authorizationList: type === 4 ? await authorize(state, manner) : [],
      maxFeePerBlobGas: type === 3 ? 5n : 0n,
      blobVersionedHashes: type === 3 ? [`0x01${'ab'.repeat(31)}`] : [],
    },
    from,
  )
}

function environmentUnder(rules: Rules, coinbase: Address): BlockEnvironment {
  return {
    ...{ number: 1, timestamp: 1_700_000_000, parentHash: ZERO_HASH, coinbase, gasLimit: 30_000_000n },
    baseFeePerGas: isForkActive(rules, 'london') ? 7n : 0n,
    ...{ prevRandao: ZERO_HASH, extraData: EMPTY_BYTES, parentBeaconBlockRoot: ZERO_HASH },
    ...{ excessBlobGas: 0n, blobBaseFee: 1n, difficulty: isForkActive(rules, 'paris') ? 0n : 1n },
  }
}

function rootOf(state: WorldState): string {
  return stateRoot(commitState(EMPTY_COMMITTED_STATE, state))
}

const PROGRESS = { gasUsed: 0n, transactionCount: 0, logCount: 0 }

/** Runs transactions on random chains, with runTx and without. */
export function testTransactions(hardfork: (typeof FORKS)[number], chains: number): void {
  test(`a transaction leaves what runTx leaves under ${hardfork}, on ${chains} chains`, async () => {
    const rules = makeRules(CHAIN_ID, hardfork)
    const reference = await makeReference(rules)
    const context = {
      evmPool: evmPoolFor(createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'wasm' }), rules),
      blockHashOf: () => undefined,
    }
    const kinds = new Map<string, number>()
    const coinbases = fc.constantFrom(fresh, fresh, hollow, sender, contract as Address)
    const scene = fc.record({
      chain: randomChains(hardfork, [0n, 1n, 10_000n]),
      manners: fc.array(manners(rules), { minLength: 8, maxLength: 8 }),
      coinbase: coinbases,
    })
    await fc.assert(
      fc.asyncProperty(scene, async ({ chain, manners, coinbase }) => {
        const environment = environmentUnder(rules, coinbase)
        let state = fill(chain.genesis)
        for (const [index, plain] of chain.transactions.entries()) {
          const transaction = await toTransaction(state, plain, manners[index] as Manner)
          if (unmetPrecondition(rules, state, environment, transaction) !== undefined) continue
          if (gasShortfall(rules, transaction) !== undefined) continue
          const expected = await reference.run(state, environment, transaction)
          const ran = await withEvm(context, state, async (instance) => ({
            executed: await runTransaction(instance, environment, PROGRESS, transaction),
            state: instance.writer.current,
          }))
          const { consoleCalls, ...executed } = ran.executed
          expect(executed).toEqual(expected.executed)
          expect(rootOf(ran.state)).toBe(rootOf(expected.state))
          const kind = `type ${transaction.type}, ${executed.failure ?? 'success'}`
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
          state = ran.state
        }
      }),
      { seed: 20261121, numRuns: chains },
    )
    // It has seen transactions of each type succeed and fail.
    const seen = [...kinds.keys()]
    const latest = hardfork === 'prague' || hardfork === 'osaka' ? 4 : 0
    for (const type of [0, latest]) expect(seen).toContain(`type ${type}, success`)
    expect(seen.some((kind) => !kind.endsWith('success'))).toBe(true)
  })
}
