// Random chains for the differential tests: contracts that write, log, call one another, create children and destroy
// themselves, and transactions that call them. Numbers are small, so that addresses and slots collide.

import fc from 'fast-check'
import { getCreate2Address } from 'viem'
import { type Address, bytesToHex, toWord } from '../../src/core/primitives/hex.ts'
import type { Hardfork } from '../../src/core/rollup/hardforks.ts'
import {
  bytesOf,
  type Code,
  call,
  create,
  create2,
  deploying,
  finish,
  log,
  logUnder,
  op,
  push,
  selfdestruct,
  sload,
  sstore,
  when,
} from './bytecode.ts'
import type { Genesis, Transaction } from './two-states.ts'

const sender: Address = `0x${'5e'.repeat(20)}`
const other: Address = `0x${'07'.repeat(20)}`
/** In genesis, but empty. */
const hollow: Address = `0x${'40'.repeat(20)}`
/** Not in genesis. */
const ghost: Address = `0x${'60'.repeat(20)}`
const contracts = [0xc0, 0xc1, 0xc2].map((byte): Address => `0x${byte.toString(16).repeat(20)}`)

const count = [...sstore(0, [...sload(0), ...push(1), op.ADD]), ...log(sload(0))]
const runtimes: readonly Code[] = [
  count,
  [...when([op.CALLDATASIZE], selfdestruct([op.CALLER])), ...count],
  selfdestruct(push(ghost)),
  [...sstore(0, push(0)), ...sstore(1, [op.CALLVALUE])],
  [...sstore(0, push(5)), ...finish(op.REVERT, push(1))],
  [0xef], // EIP-3541
  [],
]
const setUps: readonly Code[] = [
  [],
  sstore(0, push(7)),
  [...sstore(0, push(7)), ...sstore(0, push(0))],
  [...sstore(1, push(1)), ...selfdestruct([op.CALLER])],
  [...sstore(1, push(1)), ...finish(op.REVERT, push(2))],
  [op.INVALID],
  log(call({ kind: op.CALL, to: [op.CALLER], gas: 30_000 })),
]
const initCodes = runtimes.flatMap((runtime) => setUps.map((setUp) => deploying(runtime, setUp)))
const salts = [0, 1]
/** The addresses of some children made by `CREATE2`. */
const children = contracts
  .flatMap((from) =>
    [0, 7, 8].flatMap((i) =>
      salts.map((salt) =>
        getCreate2Address({ from, salt: toWord(salt), bytecode: bytesToHex(bytesOf(initCodes[i] ?? [])) }),
      ),
    ),
  )
  .map((created) => created.toLowerCase() as Address)
const identity: Address = `0x${'00'.repeat(19)}04`

const initCode = fc.oneof(
  fc.constantFrom(0, 7, 8).map((i) => initCodes[i] ?? []),
  fc.constantFrom(...initCodes),
)
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...contracts) },
  { weight: 2, arbitrary: fc.constantFrom(...children) },
  fc.constantFrom(hollow, ghost, identity, other),
)
const endowment = fc.constantFrom(0, 0, 0, 1, 10_000)

const word: fc.Arbitrary<Code> = fc.oneof(
  fc.integer({ min: 0, max: 2 }).map(push),
  fc.integer({ min: 0, max: 2 }).map(sload),
  fc
    .constantFrom(op.CALLVALUE, op.CALLDATASIZE, op.CALLER, op.GAS, op.RETURNDATASIZE, op.SELFBALANCE)
    .map((o) => [o]),
  fc
    .tuple(target, fc.constantFrom(op.BALANCE, op.EXTCODESIZE, op.EXTCODEHASH))
    .map(([at, opcode]) => [...push(at), opcode]),
)
const callTarget = fc.oneof(target.map(push), fc.constant(sload(3)))
const calls = fc
  .record({
    kind: fc.constantFrom(op.CALL, op.CALL, op.CALL, op.CALLCODE, op.DELEGATECALL, op.STATICCALL),
    to: callTarget,
    value: endowment,
    gas: fc.constantFrom(5_000, 60_000, 60_000, 150_000),
    dataSize: fc.constantFrom(0, 4),
  })
  .map(call)
const creations = fc.oneof(
  fc.tuple(initCode, endowment).map(([code, value]) => create(code, value)),
  fc
    .tuple(initCode, fc.constantFrom(...salts), endowment)
    .map(([code, salt, value]) => create2(code, salt, value)),
)

function programs(hardfork: Hardfork): fc.Arbitrary<Code> {
  const transient: fc.Arbitrary<Code>[] = ['cancun', 'prague'].includes(hardfork)
    ? [word.map((value) => [...value, ...push(0), op.TSTORE]), fc.constant(log([...push(0), op.TLOAD]))]
    : []
  const { statement } = fc.letrec<{ statement: Code }>((tie) => ({
    statement: fc.oneof(
      { depthSize: 'small' },
      {
        weight: 4,
        arbitrary: fc.tuple(fc.integer({ min: 0, max: 2 }), word).map(([slot, w]) => sstore(slot, w)),
      },
      word.map(log),
      fc.tuple(word, word).map(([topic, value]) => logUnder(topic, value)),
      ...transient,
      { weight: 3, arbitrary: calls.map(log) },
      { weight: 2, arbitrary: creations.map((creation) => sstore(3, creation)) },
      fc
        .tuple(word, fc.array(tie('statement'), { minLength: 1, maxLength: 3 }))
        .map(([w, b]) => when(w, b.flat())),
    ),
  }))
  const end: fc.Arbitrary<Code> = fc.oneof(
    { weight: 6, arbitrary: fc.constant([op.STOP]) },
    word.map((w) => finish(op.RETURN, w)),
    word.map((w) => finish(op.REVERT, w)),
    callTarget.map(selfdestruct),
    fc.constant([op.INVALID]),
  )
  return fc
    .tuple(fc.array(statement, { minLength: 1, maxLength: 6 }), end)
    .map(([body, last]) => [...body.flat(), ...last])
}

function transactions(program: fc.Arbitrary<Code>, values: readonly bigint[]): fc.Arbitrary<Transaction[]> {
  const shared = {
    from: fc.constantFrom(sender, sender, other),
    value: fc.constantFrom(...values),
    gas: fc.constantFrom(60_000n, 600_000n, 600_000n, 600_000n),
    gasPrice: fc.constantFrom(7n, 10n),
  }
  const toAccount = fc.record({ ...shared, to: target, data: fc.constantFrom([], [1, 2, 3, 4]) })
  const creation = fc.record({ ...shared, data: fc.oneof(initCode, program) })
  return fc.array(fc.oneof({ weight: 4, arbitrary: toAccount }, creation), {
    minLength: 2,
    maxLength: 8,
    size: 'max',
  })
}

export interface RandomChain {
  readonly genesis: Genesis
  readonly transactions: readonly Transaction[]
}

/** Chains whose transactions carry one of these values. */
export function randomChains(hardfork: Hardfork, values: readonly bigint[]): fc.Arbitrary<RandomChain> {
  const program = programs(hardfork)
  const slotValue = fc.integer({ min: 1, max: 2 })
  const storage = fc.record({ 0: slotValue, 1: slotValue }, { requiredKeys: [] })
  const contract = fc.record({ nonce: fc.constant(1n), balance: fc.constant(100n), code: program, storage })
  return fc
    .record({
      inGenesis: fc.tuple(contract, contract, contract),
      // An account with nothing but storage at the address of a child (EIP-7610).
      squatter: fc.constantFrom(...children),
      transactions: transactions(program, values),
    })
    .map(({ inGenesis, squatter, transactions }) => ({
      genesis: {
        [sender]: { balance: 10n ** 20n },
        [other]: { balance: 10n ** 20n },
        [hollow]: {},
        [squatter]: { storage: { 0: 1 } },
        ...Object.fromEntries(contracts.map((at, i) => [at, inGenesis[i] ?? {}])),
      },
      transactions,
    }))
}
