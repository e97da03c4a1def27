// Execution of code on an interpreter, as a call to an account with that code.
import { concat, type Hex, hexToBytes, numberToHex, padHex } from 'viem'
import { createEvmPools, evmPoolFor, withEvm } from '../../../src/core/execution/evm/evm-pool.ts'
import type { InterpreterKind } from '../../../src/core/execution/evm/pooled-evm.ts'
import { type MessageResult, runMessage } from '../../../src/core/execution/evm/run-message.ts'
import { observe } from '../../../src/core/execution/trace/observe.ts'
import type { Observer } from '../../../src/core/execution/trace/observer.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { PersistentMap } from '../../../src/core/primitives/persistent-map.ts'
import type { Hardfork } from '../../../src/core/rollup/hardforks.ts'
import { makeRules, type Rules } from '../../../src/core/rollup/rules.ts'
import {
  type Account,
  EMPTY_ACCOUNT,
  makeCode,
  type WorldState,
} from '../../../src/core/state/world-state.ts'

export const CALLER: Hex = `0x${'ca'.repeat(20)}`
export const CONTRACT: Hex = `0x${'c0'.repeat(20)}`
export const OTHER: Hex = `0x${'0e'.repeat(20)}`
export const COINBASE: Hex = `0x${'cb'.repeat(20)}`

/** Like a message call: no intrinsic gas. */
export const INTRINSIC = 21_000n

await loadCrypto()

const rules = new Map<Hardfork, Rules>()
const evmPools = {
  wasm: createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'wasm' }),
  reference: createEvmPools({ allowUnlimitedContractSize: false, interpreter: 'reference' }),
}

function rulesOf(fork: Hardfork): Rules {
  const known = rules.get(fork) ?? makeRules(31_337, fork)
  rules.set(fork, known)
  return known
}

export interface Run {
  readonly fork?: Hardfork
  readonly gas?: bigint
  readonly input?: Hex
  readonly value?: bigint
  readonly accounts?: Readonly<Record<Hex, Partial<Account>>>
  readonly interpreter?: InterpreterKind
  readonly observer?: Observer
  /** Whether the state afterwards is dropped, as that of eth_call: the result has none. */
  readonly isCall?: boolean
  readonly accessList?: readonly { readonly address: Hex; readonly storageKeys: readonly Hex[] }[]
  readonly blobVersionedHashes?: readonly Hex[]
}

export interface RunResult extends MessageResult {
  /** All accounts afterwards, in comparable form. */
  readonly state: readonly unknown[]
}

export function codeOf(hex: Hex): Pick<Account, 'code'> {
  return { code: makeCode(hexToBytes(hex)) }
}

function stateOf(accounts: Readonly<Record<Hex, Partial<Account>>>): PersistentMap<Hex, Account> {
  return PersistentMap.from(
    Object.entries(accounts).map(([address, account]) => [address as Hex, { ...EMPTY_ACCOUNT, ...account }]),
  )
}

export const ENVIRONMENT = {
  number: 1000,
  timestamp: 1_700_000_000,
  parentHash: padHex('0x999', { size: 32 }),
  coinbase: COINBASE,
  gasLimit: 45_000_000n,
  baseFeePerGas: 7n,
  prevRandao: padHex('0xabcdef', { size: 32 }),
  extraData: new Uint8Array(0),
  parentBeaconBlockRoot: padHex('0x', { size: 32 }),
  excessBlobGas: 0n,
  blobBaseFee: 3n,
  difficulty: 131_072n,
}

/** The hash of block `n` is the number `n`. */
export function blockHashOf(number: number): Hex {
  return padHex(numberToHex(number), { size: 32 })
}

function deleteDestroyed(state: WorldState, { destroyed }: MessageResult): WorldState {
  return destroyed.reduce((left, address) => left.delete(address), state)
}

/** Calls an account that has `code`. */
export async function runCode(code: Hex, run: Run = {}): Promise<RunResult> {
  const { fork = 'osaka', interpreter = 'wasm', gas = 10_000_000n } = run
  const pool = evmPoolFor(evmPools[interpreter], rulesOf(fork))
  const state = stateOf({
    [CALLER]: { balance: 10n ** 20n },
    [CONTRACT]: { balance: 1000n, nonce: 1n, ...codeOf(code) },
    ...run.accounts,
  })
  return withEvm({ evmPool: pool, blockHashOf }, state, async (instance) => {
    const message = {
      from: CALLER,
      to: CONTRACT,
      value: run.value ?? 0n,
      input: hexToBytes(run.input ?? '0x'),
      gasLimit: gas,
      gasPrice: 11n,
      accessList: run.accessList ?? [],
      authorizationList: [],
      blobVersionedHashes: run.blobVersionedHashes ?? [],
    }
    const settle = run.isCall === true ? undefined : deleteDestroyed
    const start = () => runMessage(instance, ENVIRONMENT, message, settle)
    const result = await (run.observer === undefined ? start() : observe(instance, run.observer, start))
    if (settle === undefined) return { ...result, state: [] }
    const accounts = [...instance.writer.current.entries()].map(
      ([address, { nonce, balance, code, storage }]) => ({
        ...{ address, nonce, balance, code: code.bytes },
        storage: [...storage.entries()].sort(([a], [b]) => (a < b ? -1 : 1)),
      }),
    )
    return { ...result, state: accounts.sort((a, b) => (a.address < b.address ? -1 : 1)) }
  })
}

/** PUSHes words, the last of them to the top. */
export function push(...words: readonly (bigint | number)[]): Hex {
  return concat(words.map((word) => concat(['0x7f', numberToHex(word, { size: 32 })])))
}

/** Returns the top of the stack: PUSH1 0, MSTORE, PUSH1 32, PUSH1 0, RETURN. */
export const RETURN_TOP: Hex = '0x60005260206000f3'
