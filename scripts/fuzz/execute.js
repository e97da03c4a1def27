// @ts-check
// Execution of a case on the library's execution layer, with all visible effects. The caller passes the library, from
// sources or from the build: see library.js.

import { assemble } from './assembly.js'
import { CONTRACTS, inputOf, toWord } from './world.js'

/**
 * @typedef {import('./world.js').Case} Case
 * @typedef {import('./world.js').Hex} Hex
 * @typedef {import('../../src/core/state/world-state.ts').WorldState} WorldState
 * @typedef {import('../../src/core/execution/evm/pooled-evm.ts').EvmPools} EvmPools
 * @typedef {import('../../src/core/execution/evm/pooled-evm.ts').EvmInstance} EvmInstance
 * @typedef {import('../../src/core/execution/evm/pooled-evm.ts').InterpreterKind} InterpreterKind
 *
 * The library's modules for the fuzzer.
 * @typedef {typeof import('../../src/core/execution/evm/evm-pool.ts')
 *   & typeof import('../../src/core/execution/evm/run-message.ts')
 *   & typeof import('../../src/core/execution/transaction/intrinsic-gas.ts')
 *   & typeof import('../../src/core/execution/trace/observe.ts')
 *   & typeof import('../../src/core/execution/transaction/run-transaction.ts')
 *   & typeof import('../../src/core/rollup/rules.ts')
 *   & typeof import('../../src/core/state/state-tries.ts')
 *   & typeof import('../../src/core/state/world-state.ts')
 *   & typeof import('../../src/core/primitives/crypto.ts')} Library
 *
 * The library, and the EVM pools of one interpreter.
 * @typedef {object} Runner
 * @property {Library} library
 * @property {EvmPools} evmPools
 * @property {(fork: import('./opcodes.js').Fork) => import('../../src/core/rollup/rules.ts').Rules} rulesOf
 *
 * @typedef {Record<string, unknown>} Told what one run told
 * @typedef {{ told: Told, before: WorldState, after: WorldState | undefined }} Outcome
 */

const CHAIN_ID = 31337
const NO_HASH = toWord(0n)

/** @param {number} number @returns {Hex} */
function toAddress(number) {
  return `0x${number.toString(16).padStart(40, '0')}`
}

/** @param {Library} library @param {InterpreterKind | EvmPools} interpreter @returns {Runner} */
export function createRunner(library, interpreter) {
  const rules = new Map()
  return {
    library,
    evmPools:
      typeof interpreter === 'string'
        ? library.createEvmPools({ allowUnlimitedContractSize: false, interpreter })
        : interpreter,
    rulesOf(fork) {
      if (!rules.has(fork)) rules.set(fork, library.makeRules(CHAIN_ID, fork))
      return rules.get(fork)
    },
  }
}

/** @param {bigint} value */
function storedWord(value) {
  const hex = value.toString(16)
  return Uint8Array.from(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex'))
}

/** The accounts of a case before it runs. @param {Library} library @param {Case} that @returns {WorldState} */
export function stateOf({ EMPTY_STORAGE, EMPTY_WORLD_STATE, makeCode }, { accounts }) {
  let state = EMPTY_WORLD_STATE
  for (const { address, nonce, balance, code, storage } of accounts) {
    let slots = EMPTY_STORAGE
    for (const [slot, value] of storage) {
      if (value !== 0n) slots = slots.set(toWord(slot), storedWord(value))
    }
    state = state.set(address, { nonce, balance, code: makeCode(assemble(code)), storage: slots })
  }
  return state
}

/** @param {number} number @returns {Hex | undefined} */
function blockHashOf(number) {
  return number < 0 ? undefined : toWord(BigInt(number) * 0x1_0000_0001_0000_0001_0000_0001n + (7n << 240n))
}

/** @param {Case} that @returns {import('../../src/core/rollup/header.ts').BlockEnvironment} */
function environmentOf({ block }) {
  return {
    ...block,
    parentHash: blockHashOf(block.number - 1) ?? NO_HASH,
    gasLimit: 30_000_000n,
    baseFeePerGas: 7n,
    extraData: Uint8Array.of(),
    parentBeaconBlockRoot: NO_HASH,
    excessBlobGas: 0n,
  }
}

/** @param {Case} that @returns {import('../../src/core/execution/evm/run-message.ts').MessageFields} */
export function messageOf({ message }) {
  return { ...message, input: inputOf(message), authorizationList: [] }
}

/** @param {Case} that @param {bigint} nonce @returns {import('../../src/core/execution/transaction/transaction.ts').Transaction} */
function transactionOf({ message }, nonce) {
  const { from, gasPrice, accessList } = message
  return {
    ...{ type: accessList.length > 0 ? 1 : 0, chainId: BigInt(CHAIN_ID), nonce, gasLimit: message.gasLimit },
    ...{ maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice, to: message.to, value: message.value },
    ...{ input: inputOf(message), accessList, authorizationList: [], maxFeePerBlobGas: 0n },
    ...{ blobVersionedHashes: [], hash: NO_HASH, sender: from, yParity: 0, r: 1n, s: 1n },
    raw: Uint8Array.of(),
  }
}

/** Moves SHA2-256 to the address of a contract; of the others only the identity remains. */
const MOVED = /** @type {import('../../src/core/rollup/precompiles.ts').PrecompileTable} */ (
  new Map([
    [CONTRACTS[1], toAddress(2)],
    [toAddress(4), toAddress(4)],
  ])
)

/** @param {EvmInstance} instance @param {() => Promise<Told>} run */
async function watched({ evm }, run) {
  const listener = () => undefined
  evm.events.on('step', listener)
  try {
    return await run()
  } finally {
    evm.events.off('step', listener)
  }
}

/**
 * Runs a message on a pooled EVM, on the state with its sender's nonce raised.
 * @param {Runner} runner
 * @param {Case} that
 * @param {(instance: EvmInstance, run: () => Promise<Told>) => Promise<Told>} around
 * @returns {Promise<Outcome>}
 */
export async function runCase(runner, that, around = that.steps === 'watched' ? watched : (_, run) => run()) {
  const { library, evmPools } = runner
  const rules = runner.rulesOf(that.fork)
  const before = stateOf(library, that)
  const { nonce } = library.readAccount(before, that.message.from)
  const precompiles = that.precompiles === 'moved' ? MOVED : undefined
  const context = { evmPool: library.evmPoolFor(evmPools, rules), blockHashOf, precompiles }
  const environment = environmentOf(that)
  const start =
    that.kind === 'transaction'
      ? before
      : library.updateAccount(before, that.message.from, { nonce: nonce + 1n })
  const run = async (/** @type {EvmInstance} */ instance) => {
    if (that.kind === 'message')
      // With a settlement, so that the state after it is defined.
      return { ...(await library.runMessage(instance, environment, messageOf(that), (state) => state)) }
    const progress = { gasUsed: 0n, transactionCount: 0, logCount: 0 }
    const { transaction: _, ...rest } = await library.runTransaction(
      instance,
      environment,
      progress,
      transactionOf(that, nonce),
    )
    return rest
  }
  try {
    return await library.withEvm(context, start, async (instance) => {
      const told = await around(instance, () => run(instance))
      return { told, before, after: instance.writer.current }
    })
  } catch (error) {
    return { told: { threw: error instanceof Error ? error.message : `${error}` }, before, after: undefined }
  }
}

/** Whether a message has the gas to begin. @param {Runner} runner @param {Case} that */
export function canBegin({ library, rulesOf }, that) {
  return library.gasShortfall(rulesOf(that.fork), messageOf(that)) === undefined
}
