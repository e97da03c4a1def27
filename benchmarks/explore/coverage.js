// @ts-check
// What coverage costs the interpreter: the same calls with and without it, in processor time.

import { createEvmPools, evmPoolFor, withEvm } from '../../dist/core/execution/evm/evm-pool.js'
import { runMessage } from '../../dist/core/execution/evm/run-message.js'
import { loadCrypto } from '../../dist/core/primitives/crypto.js'
import { hexToBytes } from '../../dist/core/primitives/hex.js'
import { makeRules } from '../../dist/core/rollup/rules.js'
import { EMPTY_ACCOUNT, EMPTY_WORLD_STATE, makeCode } from '../../dist/core/state/world-state.js'
import { NO_CHEATS } from '../../dist/tools/cheatcodes/cheat-state.js'
import { createMachine } from '../../dist/tools/explore/contracts/machine.js'

const [CALLER, AT] = /** @type {const} */ ([`0x${'ca'.repeat(20)}`, `0x${'c0'.repeat(20)}`])
const ZERO = /** @type {const} */ (`0x${'00'.repeat(32)}`)
const ROUNDS = 7

const ENVIRONMENT = {
  ...{ number: 1, timestamp: 1_700_000_000, parentHash: ZERO, prevRandao: ZERO, parentBeaconBlockRoot: ZERO },
  ...{ coinbase: CALLER, gasLimit: 100_000_000n, baseFeePerGas: 0n, excessBlobGas: 0n, blobBaseFee: 1n },
  ...{ difficulty: 0n, extraData: new Uint8Array(0) },
}

/** Codes, and how often each is called. @type {readonly (readonly [name: string, code: `0x${string}`, calls: number])[]} */
const CODES = [
  // PUSH3 100000; JUMPDEST, PUSH1 1, SWAP1, SUB, DUP1, PUSH2 4, JUMPI.
  ['a loop of nothing but branches', '0x620186a05b60019003806100045700', 20],
  // The same with a product and its hash in each turn: DUP1 DUP1 MUL PUSH0 MSTORE PUSH1 32 PUSH0 KECCAK256 POP.
  ['a loop of arithmetic', '0x620186a05b8080025f5260205f205060019003806100045700', 5],
  // A hundred slots are read and written.
  ['a loop of storage', '0x60645b805460010181556001900380610002575b00', 500],
]

/** @param {() => Promise<unknown>} action */
async function secondsOf(action) {
  const start = process.cpuUsage()
  await action()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1e6
}

/** The least time of several rounds of each, in turns. */
export async function measureCoverage() {
  await loadCrypto()
  const evmPool = evmPoolFor(
    createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'wasm' }),
    makeRules(31_337, 'osaka'),
  )
  const context = { evmPool, blockHashOf: () => undefined }
  const covered = await createMachine(context, false)
  const rows = []
  for (const [name, code, calls] of CODES) {
    const state = EMPTY_WORLD_STATE.set(CALLER, { ...EMPTY_ACCOUNT, balance: 10n ** 18n }).set(AT, {
      ...EMPTY_ACCOUNT,
      code: makeCode(hexToBytes(code)),
    })
    const message = {
      ...{ from: CALLER, to: AT, value: 0n, input: new Uint8Array(0), gasLimit: 90_000_000n, gasPrice: 0n },
      ...{ accessList: [], authorizationList: [], blobVersionedHashes: [] },
    }
    const without = () =>
      withEvm(context, state, async (/** @type {any} */ instance) => {
        for (let i = 0; i < calls; i++) {
          instance.writer.reset(state)
          await runMessage(instance, ENVIRONMENT, message, (reached) => reached)
        }
      })
    const before = { state, environment: ENVIRONMENT, cheats: NO_CHEATS }
    const withIt = async () => {
      for (let i = 0; i < calls; i++) await covered.run(before, message)
    }
    let [plain, noted] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < ROUNDS; round++) {
      plain = Math.min(plain, await secondsOf(without))
      noted = Math.min(noted, await secondsOf(withIt))
    }
    rows.push({
      code: name,
      without: plain,
      with: noted,
      more: `${(((noted - plain) / plain) * 100).toFixed(0)} %`,
    })
  }
  return rows
}
