// Cheatcodes of what only a layer 2 does, besides Foundry's: partial blocks that are dropped, reorganisations, and messages
// from the layer 1. What is undone is undone for all accounts but the test itself, which remembers what it saw.

import { environmentWith } from '../../core/execution/evm/pooled-evm.ts'
import { gasShortfall } from '../../core/execution/transaction/intrinsic-gas.ts'
import { keccakOfText } from '../../core/primitives/crypto.ts'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { integerAt, putInteger } from '../../core/rollup/op/big-endian.ts'
import { BASE_TIME } from '../../core/rollup/op/predeploys.ts'
import { credit, readAccount, updateAccount } from '../../core/state/world-state.ts'
import { type CheatState, NO_CHEATS, type World } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { accessSlot, runAsTransaction } from './nested-calls.ts'

/** The distance by which the sender of a message is moved, if it is a contract on the layer 1. */
const ALIAS = 0x1111000000000000000000000000000000001111n

function testOf({ open }: CheatExecution): Address {
  const [{ to, caller }] = open as [(typeof open)[number]]
  return bytesToHex((to ?? caller).bytes)
}

/** Goes on from an earlier world, with the test as it is now. */
function goBack(run: CheatExecution, { state, environment }: World): void {
  const address = testOf(run)
  const { code, storage, nonce } = readAccount(run.writer.current, address)
  run.writer.current = updateAccount(state, address, { code, storage, nonce })
  run.covering.callees.forgetChecks()
  run.change({ exact: NO_CHEATS.exact })
  run.moveTo(environment)
}

function here(run: CheatExecution): World {
  const { environment, writer, cheats } = run
  const { number = environment.number, timestamp = environment.timestamp } = cheats.exact
  const words = `block ${number} at ${timestamp} is past those that can be sealed: see vm.roll and vm.warp`
  if (Object.values(cheats.exact).some((value) => value !== undefined)) refuseWith(words)
  run.watching.need('accesses')
  return { state: writer.current, environment }
}

/** The world before the block that is open. One that a set-up forked opens with the test. */
function openedBlock({ cheats, start }: CheatExecution): World {
  const { opened = start } = cheats
  return 'execution' in opened && opened.execution !== start ? start : opened
}

/** Ends the transaction, and notes the blocks there are; a frame that fails takes both back. */
function changeBlocks(run: CheatExecution, changes: Partial<CheatState>, before = run.environment): void {
  const { sealed, opened, partial } = run.cheats
  const take = (blocks: Partial<CheatState>): void => {
    run.change(blocks)
    run.setBlockHashes()
  }
  run.lasting.undoOnFailure(() => {
    run.moveTo(before)
    take({ sealed, opened, partial })
  })
  run.evm.transient.clear()
  take(changes)
}

function reorganise(run: CheatExecution, depth: bigint): void {
  const { sealed, replaced } = run.cheats
  const { environment } = run
  const kept = sealed.length - Number(depth)
  const parent = sealed[kept]
  if (depth < 1n || parent === undefined) {
    const words = `depth ${depth} is not between 1 and the number of blocks that sealBlock has sealed, ${sealed.length}`
    refuseWith(words)
  }
  run.watching.need('accesses')
  goBack(run, parent)
  const changes = { sealed: sealed.slice(0, kept), opened: parent, partial: undefined }
  changeBlocks(run, { ...changes, replaced: replaced + 1 }, environment)
}

type Message = [from: Address, to: Address, value: bigint, data: Hex]

/** A deposit is a transaction of its own, without a price (the OP stack's specification of deposits). */
function deposit(run: CheatExecution, ...[from, to, value, data]: Message): Later<readonly [boolean, Hex]> {
  const { writer, message, covered, environment } = run
  run.watching.need('accesses')
  const { balance } = readAccount(writer.current, from)
  const words = `a mint of ${value} takes the balance of ${from}, ${balance}, past 2^256 - 1`
  if ((balance + value) >> 256n > 0n) refuseWith(words)
  const gasLimit = message.gasLimit < environment.gasLimit ? message.gasLimit : environment.gasLimit
  const lists = { accessList: [], authorizationList: [], blobVersionedHashes: [] }
  const transaction = { sender: from, to, value, input: hexToBytes(data), gasLimit, ...lists }
  const shortfall = gasShortfall(covered.instance.rules, transaction)
  if (shortfall !== undefined) refuseWith(`out of gas: ${gasLimit} is left for the deposit`)
  writer.current = credit(writer.current, from, value)
  return andThen(runAsTransaction(run, transaction, 0n), ({ execResult }) => {
    run.evm.transient.clear()
    return [execResult.exceptionError === undefined, bytesToHex(execResult.returnValue)] as const
  })
}

/** Goes on to the next block; where a second has several, BaseTime has the milliseconds. */
function openBlock(run: CheatExecution): Later<void> {
  run.watching.need('accesses')
  const { blockTimeMs } = run.cheats
  const move = (ms: number): void => {
    const { number, timestamp } = run.environment
    const next = { number: number + 1, timestamp: timestamp + Math.floor(ms / 1000) }
    run.moveTo(environmentWith(run.environment, next))
  }
  if (run.covered.instance.rules.rollup?.changes.slotMs === undefined)
    return move(Math.max(1000, blockTimeMs))
  const read = accessSlot(run, BASE_TIME, new Uint8Array(32), (part) => integerAt(part, 30, 2) + blockTimeMs)
  return andThen(read, (ms) => {
    const data = new Uint8Array(64)
    putInteger(data, 62, 2, ms % 1000)
    return accessSlot(run, BASE_TIME, data, () => move(ms))
  })
}

export const LAYER2_CHEATCODES: Cheatcodes = {
  'sealPartialBlock()': (run) => changeBlocks(run, { partial: here(run) }),
  'dropPartialBlock()': (run) => {
    const { environment } = run
    const { partial } = run.cheats
    const none = 'there is no partial block: sealPartialBlock ends one'
    if (partial === undefined) refuseWith(none)
    run.watching.need('accesses')
    goBack(run, partial)
    changeBlocks(run, {}, environment)
  },
  'sealBlock()': (run) => {
    const { environment } = here(run)
    const { sealed, replaced } = run.cheats
    const opened = openedBlock(run)
    const hash = keccakOfText(`${environment.number}${replaced === 0 ? '' : ` after ${replaced}`}`)
    return andThen(openBlock(run), () => {
      const block = { ...opened, number: environment.number, hash }
      changeBlocks(run, { sealed: [...sealed, block], opened: here(run), partial: undefined }, environment)
    })
  },
  'reorg(uint256)': reorganise,
  'aliasOf(address) returns (address)': (_, account: Address) =>
    `0x${BigInt.asUintN(160, BigInt(account) + ALIAS)
      .toString(16)
      .padStart(40, '0')}`,
  'depositFromL1(address,address,uint256,bytes) returns (bool,bytes)': deposit,
}
