// L1 attributes deposits that the EVM does not execute: the same receipts and states as with the interpreter of
// @ethereumjs, which executes all of them.

import fc from 'fast-check'
import { hexToBytes } from 'viem'
import { describe, expect, test } from 'vitest'
import { depositTransaction } from '../../../../src/core/pool/decode.ts'
import { type Hash, stripLeadingZeros, toWord } from '../../../../src/core/primitives/hex.ts'
import { PersistentMap } from '../../../../src/core/primitives/persistent-map.ts'
import type { OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { opGenesisAccounts } from '../../../../src/core/rollup/op/genesis-l2.ts'
import { attributesDeposit } from '../../../../src/core/rollup/op/l1-attributes.ts'
import { effectOfAttributes } from '../../../../src/core/rollup/op/l1-block.ts'
import { DEPOSITOR, OP_PREDEPLOYS } from '../../../../src/core/rollup/op/predeploys.ts'
import { IMPLEMENTATION_SLOT } from '../../../../src/core/rollup/op/proxies.ts'
import type { SystemConfig } from '../../../../src/core/rollup/stack.ts'
import { NO_CHANGES, packChanges } from '../../../../src/core/state/state-changes.ts'
import {
  makeCode,
  readAccount,
  updateAccount,
  type WorldState,
  writeStorage,
} from '../../../../src/core/state/world-state.ts'
import { scaled } from '../../../size.ts'
import { COINBASE, opRules, runAll } from '../op-chain.ts'

const FORKS: readonly OpFork[] = ['ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian']
const { L1Block } = OP_PREDEPLOYS
const WORD_BITS = 256n
const IDENTITY = '0x0000000000000000000000000000000000000004'

/** Zero, small ones and any of up to so many bits: a slot that becomes or stays zero has gas of its own. */
function bits(count: bigint): fc.Arbitrary<bigint> {
  const most = (1n << count) - 1n
  return fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 300n }), fc.bigInt({ min: 0n, max: most }))
}

const integer = (count: bigint) => bits(count).map(Number)
const word: fc.Arbitrary<Hash> = bits(WORD_BITS).map(toWord)

const attributes = fc.record({
  origin: fc.record({
    number: integer(52n),
    timestamp: integer(52n),
    hash: word,
    baseFee: bits(WORD_BITS),
    blobBaseFee: bits(WORD_BITS),
  }),
  sequenceNumber: integer(52n),
  system: fc.record({
    batcherHash: word,
    baseFeeScalar: integer(32n),
    blobBaseFeeScalar: integer(32n),
    operatorFeeScalar: integer(32n),
    operatorFeeConstant: bits(64n),
    daFootprintGasScalar: integer(16n),
  }),
})
type Attributes = typeof attributes extends fc.Arbitrary<infer Value> ? Value : never

function genesisOf(fork: OpFork): WorldState {
  return PersistentMap.from(opGenesisAccounts({ rules: opRules(fork) }))
}

function depositOf(fork: OpFork, { system, ...rest }: Attributes, form: OpFork = fork) {
  const unused = { overhead: 0n, scalar: 0n } as SystemConfig
  return attributesDeposit(opRules(fork), { ...rest, system: { ...unused, ...system } }, opRules(form))
}

/** Runs deposits with both interpreters, and expects the same of them. */
async function expectSame(
  fork: OpFork,
  state: WorldState,
  deposits: readonly ReturnType<typeof depositOf>[],
): Promise<readonly (0 | 1)[]> {
  const transactions = deposits.map((deposit) => depositTransaction(deposit))
  const own = await runAll(opRules(fork), state, transactions)
  const reference = await runAll(opRules(fork), state, transactions, 'reference')
  expect(own.executed).toEqual(reference.executed)
  expect(packChanges(reference.state, own.state)).toEqual(NO_CHANGES)
  return own.executed.map(({ receipt }) => receipt.status)
}

const SOME: Attributes = {
  origin: { number: 5, timestamp: 6, hash: toWord(7), baseFee: 8n, blobBaseFee: 9n },
  sequenceNumber: 1,
  system: {
    batcherHash: toWord(2),
    ...{ baseFeeScalar: 3, blobBaseFeeScalar: 4, operatorFeeScalar: 5 },
    ...{ operatorFeeConstant: 6n, daFootprintGasScalar: 7 },
  },
}

describe.each(FORKS)('%s', (fork) => {
  const genesis = genesisOf(fork)

  test('its genesis has the code that is known', () => {
    expect(effectOfAttributes(genesis, depositOf(fork, SOME).data)).toBeDefined()
  })

  test('attributes one after another have the effects that the code has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(attributes, { minLength: 1, maxLength: 4 }), async (each) => {
        const statuses = await expectSame(
          fork,
          genesis,
          each.map((one) => depositOf(fork, one)),
        )
        expect(new Set(statuses)).toEqual(new Set([1]))
      }),
      { numRuns: scaled(60) },
    )
  })

  test('the form of another fork is executed by the code', async () => {
    for (const form of FORKS) await expectSame(fork, genesis, [depositOf(fork, SOME, form)])
  })

  test('data, senders, values and gas that are not the protocol’s are executed by the code', async () => {
    const deposit = depositOf(fork, SOME)
    const { data } = deposit
    await expectSame(fork, genesis, [
      { ...deposit, data: data.subarray(0, data.length - 1) },
      { ...deposit, data: new Uint8Array([...data, 1]) },
      { ...deposit, from: L1Block },
      { ...deposit, mint: 3n, value: 2n },
      { ...deposit, gasLimit: 60_000n },
      { ...deposit, mint: 5n },
      deposit,
    ])
  })

  test('what a test changes is executed by the code', async () => {
    const deposit = depositOf(fork, SOME)
    const { implementation } = effectOfAttributes(genesis, deposit.data) ?? expect.fail('unknown code')
    // PUSH1 1 PUSH1 1 SSTORE.
    const code = makeCode(hexToBytes('0x6001600155'))
    const { code: known } = readAccount(genesis, implementation)
    const movedTo = (address: Hash) =>
      writeStorage(
        updateAccount(genesis, address, { code: known }),
        L1Block,
        IMPLEMENTATION_SLOT,
        stripLeadingZeros(hexToBytes(address)),
      )
    const edited = [
      // The coinbase and the sender are warm, and a precompile does not execute the code at its address.
      movedTo(COINBASE),
      movedTo(DEPOSITOR),
      movedTo(IDENTITY),
      updateAccount(genesis, L1Block, { code }),
      updateAccount(genesis, implementation, { code }),
      writeStorage(genesis, L1Block, IMPLEMENTATION_SLOT, hexToBytes(DEPOSITOR)),
      writeStorage(genesis, L1Block, IMPLEMENTATION_SLOT, new Uint8Array(0)),
      writeStorage(genesis, L1Block, toWord(8), hexToBytes(`0x${'ff'.repeat(32)}`)),
      writeStorage(genesis, L1Block, toWord(3), hexToBytes(`0x${'ff'.repeat(32)}`)),
      // The value of the deposit, with more above it.
      writeStorage(genesis, L1Block, toWord(3), hexToBytes('0xff00000003000000040000000000000001')),
    ]
    for (const state of edited) await expectSame(fork, state, [deposit, deposit])
  })
})
