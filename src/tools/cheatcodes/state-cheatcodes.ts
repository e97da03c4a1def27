// Cheatcodes of the state: accounts, the block, what was recorded of calls, snapshots, and names.

import { CHEATCODES } from '../../core/execution/evm/pooled-evm.ts'
import { toChecksumAddress } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { memoizeLru } from '../../core/primitives/lru-cache.ts'
import * as world from '../../core/state/world-state.ts'
import { isNotedAsFailed } from './addresses.ts'
import { type Cheatcodes, WALLET } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { accessSlot } from './nested-calls.ts'
import { keyOfName, requireUint64, type Wallet, walletOf } from './signing-cheatcodes.ts'

const MOST_TIME = BigInt(Number.MAX_SAFE_INTEGER)

function requireNoPrecompile({ evm }: CheatExecution, address: hex.Address): void {
  const bare = address.slice(2)
  if (address === CHEATCODES || !evm.precompiles.has(bare) || evm.isNative?.(bare) === true) return
  refuseWith(`cannot use precompile ${toChecksumAddress(address)} as an argument`)
}

/** Tests etch few codes, and often: what is known of a code is known by its bytes. */
const codeOf = memoizeLru(16, (code: hex.Hex) => world.makeCode(hex.hexToBytes(code)))

/** Why code is no delegation (EIP-7702), though it begins as one. */
function delegationFault(code: hex.Hex): string | undefined {
  if (!code.startsWith('0xef01')) return undefined
  if (code.length !== 2 + 2 * 23) return 'Eip7702 is not 23 bytes long'
  return code.startsWith('00', 6) ? undefined : 'Unsupported Eip7702 version.'
}

export function etch(run: CheatExecution, address: hex.Address, code: hex.Hex): void {
  run.writer.current = world.updateAccount(run.writer.current, address, { code: codeOf(code) })
  run.covering.callees.forgetChecks()
}

const ACCOUNTS: Cheatcodes = {
  'deal(address,uint256)': ({ lasting }, address: hex.Address, balance: bigint) =>
    lasting.make(address, { balance }),
  'etch(address,bytes)': (run, address: hex.Address, code: hex.Hex) => {
    requireNoPrecompile(run, address)
    const fault = delegationFault(code)
    if (fault !== undefined) refuseWith(`failed to create bytecode: ${fault}`)
    etch(run, address, code)
  },
  [`getNonce(address|${WALLET}) returns (uint64)`]: ({ writer }, of: hex.Address | Wallet) => {
    const address = typeof of === 'string' ? of : of[0]
    return world.readAccount(writer.current, address).nonce
  },
  'setNonce(address,uint64)': (run, address: hex.Address, nonce: bigint) => {
    const before = world.readAccount(run.writer.current, address).nonce
    if (nonce < before) {
      const limit = `strictly equal to or higher than the account's current nonce (${before})`
      refuseWith(`new nonce (${nonce}) must be ${limit}`)
    }
    run.lasting.make(address, { nonce })
  },
  'setNonceUnsafe(address,uint64)': ({ lasting }, address: hex.Address, nonce: bigint) =>
    lasting.make(address, { nonce }),
  'resetNonce(address)': (run, address: hex.Address) => {
    const { code } = world.readAccount(run.writer.current, address)
    run.lasting.make(address, { nonce: code.bytes.length > 0 ? 1n : 0n })
  },
  'load(address,bytes32) returns (bytes32)': (run, address: hex.Address, slot: hex.Hex) => {
    requireNoPrecompile(run, address)
    return accessSlot(run, address, hex.hexToBytes(slot), hex.bytesToHex)
  },
  'store(address,bytes32,bytes32)': (run, address: hex.Address, slot: hex.Hex, value: hex.Hex) => {
    requireNoPrecompile(run, address)
    return accessSlot(run, address, hex.hexToBytes(`${slot}${value.slice(2)}`), () => undefined)
  },
}

function changeBlock(run: CheatExecution, changes: Partial<CheatExecution['environment']>): void {
  run.moveTo({ ...run.environment, ...changes })
}

function moveBlock(run: CheatExecution, name: 'timestamp' | 'number', value: bigint): void {
  const isLarge = value > MOST_TIME
  if (isLarge || run.cheats.exact[name] !== undefined)
    run.change({ exact: { ...run.cheats.exact, [name]: isLarge ? value : undefined } })
  changeBlock(run, { [name]: Number(isLarge ? MOST_TIME : value) })
}

const BLOCK: Cheatcodes = {
  'warp(uint256)': (run, time: bigint) => moveBlock(run, 'timestamp', time),
  'roll(uint256)': (run, number: bigint) => moveBlock(run, 'number', number),
  'fee(uint256)': (run, baseFeePerGas: bigint) =>
    changeBlock(run, { baseFeePerGas: requireUint64(baseFeePerGas, 'base fee') }),
  'coinbase(address)': (run, coinbase: hex.Address) => changeBlock(run, { coinbase }),
  'prevrandao(bytes32|uint256)': (run, value: hex.Hex | bigint) =>
    changeBlock(run, { prevRandao: typeof value === 'bigint' ? hex.toWord(value) : value }),
  'chainId(uint256)': (run, id: bigint) => {
    run.change({ chainId: requireUint64(id, 'chain ID') })
    run.setTransaction()
  },
  'txGasPrice(uint256)': (run, gasPrice: bigint) => {
    run.change({ gasPrice: requireUint64(gasPrice, 'gas price') })
    run.setTransaction()
  },
  'sleep(uint256)': (run, ms: bigint) => {
    if (ms > MOST_TIME) refuseWith('the number is too large')
    run.change({ sleptMs: run.cheats.sleptMs + Number(ms) })
  },
  'unixTime() returns (uint256)': ({ cheats }) => BigInt(cheats.setting.startMs + cheats.sleptMs),
  'getBlockTimestamp() returns (uint256)': ({ cheats, environment }) =>
    cheats.exact.timestamp ?? BigInt(environment.timestamp),
  'getBlockNumber() returns (uint256)': ({ cheats, environment }) =>
    cheats.exact.number ?? BigInt(environment.number),
  'getChainId() returns (uint256)': ({ chainId }) => chainId,
}

function recordAccesses(run: CheatExecution, isOn: boolean): void {
  run.fetchAccesses()
  run.change(isOn ? { recordsAccesses: true, accesses: [] } : { recordsAccesses: false })
  run.evm.access.slots.watchAccesses(isOn)
}

/** The logs so far. Whoever asks begins to record. */
export function takeLogs(run: CheatExecution): NonNullable<CheatExecution['cheats']['logs']> {
  const { logs } = run.cheats
  if (logs?.length !== 0) run.change({ logs: [] })
  return logs ?? []
}

const RECORDS: Cheatcodes = {
  'record()': (run) => recordAccesses(run, true),
  'stopRecord()': (run) => recordAccesses(run, false),
  'accesses(address) returns (bytes32[],bytes32[])': (run, address: hex.Address) => {
    run.fetchAccesses()
    const own = run.cheats.accesses.filter((each) => each.address === address)
    // A write reads as well.
    return [own, own.filter(({ isWrite }) => isWrite)].map((accesses) => accesses.map(({ slot }) => slot))
  },
  'recordLogs()': (run) => run.change({ logs: [] }),
  'getRecordedLogs() returns ((bytes32[],bytes,address)[])': (run) =>
    takeLogs(run).map(({ topics, data, emitter }) => [
      topics.map(hex.bytesToHex),
      hex.bytesToHex(data),
      emitter,
    ]),
}

function takeSnapshot(run: CheatExecution): bigint {
  const { environment, writer, evm } = run
  // A test may revert to one of its set-up.
  run.watching.need('accesses')
  const { chainId, activeFork, exact, sealed, opened, partial } = run.cheats
  const chain = { chainId, activeFork, exact, sealed, opened, partial }
  const { mark } = evm.access
  const restore = {
    start: run.start,
    restoreTransient: evm.transient.keep(),
    rewarm: evm.access.keepWarm(),
  }
  const before = { state: writer.current, environment, chain, mark, lasting: run.lasting.count }
  run.snapshots.push({ ...before, ...restore })
  return BigInt(run.snapshots.length - 1)
}

/** False if there is no snapshot with that number. */
function revertTo(run: CheatExecution, id: bigint): boolean {
  const snapshot = run.snapshots[Number(id)]
  if (snapshot === undefined) return false
  run.watching.need('accesses')
  // A test that was noted as failed stays so.
  run.hasFailed ||= isNotedAsFailed(run.writer.current)
  const { state, environment, chain, mark } = snapshot
  const isOfSetUp = snapshot.start !== run.start
  if (isOfSetUp) {
    run.evm.transient.clear()
    run.writer.transactionStart = snapshot.start.state
  } else snapshot.restoreTransient()
  run.evm.access.coolSince(isOfSetUp ? 0 : mark)
  snapshot.rewarm()
  run.lasting.forgetSince(snapshot.lasting)
  run.writer.current = state
  run.covering.callees.forgetChecks()
  run.change(chain)
  run.moveTo(environment)
  run.setBlockHashes()
  run.evm.changeEnvironment({ chainId: chain.chainId })
  return true
}

function deleteSnapshot({ snapshots }: CheatExecution, id: bigint): boolean {
  const isThere = snapshots[Number(id)] !== undefined
  if (isThere) snapshots[Number(id)] = undefined
  return isThere
}

function revertToAndDelete(run: CheatExecution, id: bigint): boolean {
  const isThere = revertTo(run, id)
  deleteSnapshot(run, id)
  return isThere
}

/** With their names of forge-std before 1.9.6. */
const SNAPSHOTS: Cheatcodes = {
  'snapshotState|snapshot() returns (uint256)': takeSnapshot,
  'revertToState|revertTo(uint256) returns (bool)': revertTo,
  'revertToStateAndDelete|revertToAndDelete(uint256) returns (bool)': revertToAndDelete,
  'deleteStateSnapshot|deleteSnapshot(uint256) returns (bool)': deleteSnapshot,
  'deleteStateSnapshots|deleteSnapshots()': ({ snapshots }) => snapshots.fill(undefined),
}

function label(run: CheatExecution, address: hex.Address, text: string): void {
  const { labels } = run.cheats
  if (labels.get(address) !== text) run.change({ labels: new Map(labels).set(address, text) })
}

function wallet(run: CheatExecution, key: bigint, name?: string): Wallet {
  const made = walletOf(key)
  if (name !== undefined) label(run, made[0], name)
  return made
}

const NAMES: Cheatcodes = {
  'label(address,string)': label,
  'getLabel(address) returns (string)': ({ cheats }, address: hex.Address) =>
    cheats.labels.get(address) ?? `unlabeled:${toChecksumAddress(address)}`,
  [`createWallet(string) returns (${WALLET})`]: (run, name: string) => wallet(run, keyOfName(name), name),
  [`createWallet(uint256,string?) returns (${WALLET})`]: wallet,
}

export const STATE_CHEATCODES: Cheatcodes = { ...ACCOUNTS, ...BLOCK, ...RECORDS, ...SNAPSHOTS, ...NAMES }
