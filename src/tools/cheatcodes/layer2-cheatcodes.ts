// Cheatcodes of what only a layer 2 does, besides Foundry's: partial blocks that are dropped, reorganisations, and messages
// from the layer 1. What is undone is undone for all accounts but the test itself, which remembers what it saw.

import { environmentWith } from '../../core/execution/evm/pooled-evm.ts'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { integerAt, putInteger } from '../../core/rollup/op/big-endian.ts'
import { BASE_TIME } from '../../core/rollup/op/predeploys.ts'
import { credit, readAccount, updateAccount } from '../../core/state/world-state.ts'
import type { World } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { accessSlot, sendMessage } from './nested-calls.ts'

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
  run.moveTo(environment)
}

function here(run: CheatExecution): World {
  run.watching.need('accesses')
  return { state: run.writer.current, environment: run.environment }
}

function reorganise(run: CheatExecution, depth: bigint): void {
  const { sealed } = run.cheats
  const kept = sealed.length - Number(depth)
  const parent = sealed[kept]
  if (depth < 1n || parent === undefined) {
    const words = `${depth} blocks cannot be replaced: ${sealed.length} were sealed by sealBlock`
    refuseWith(words)
  }
  run.watching.need('accesses')
  goBack(run, parent)
  run.change({ sealed: sealed.slice(0, kept), opened: parent, partial: undefined })
}

type Message = [from: Address, to: Address, value: bigint, data: Hex]

function deposit(run: CheatExecution, ...[from, to, value, data]: Message): Later<readonly [boolean, Hex]> {
  run.watching.need('accesses')
  run.writer.current = credit(run.writer.current, from, value)
  return andThen(sendMessage(run, from, to, value, hexToBytes(data)), ({ execResult }) => {
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
  'sealPartialBlock()': (run) => run.change({ partial: here(run) }),
  'dropPartialBlock()': (run) => {
    const { partial } = run.cheats
    const none = 'there is no partial block: sealPartialBlock ends one'
    if (partial === undefined) refuseWith(none)
    run.watching.need('accesses')
    goBack(run, partial)
  },
  'sealBlock()': (run) => {
    const { sealed, opened = run.start } = run.cheats
    return andThen(openBlock(run), () => {
      run.change({ sealed: [...sealed, opened], opened: here(run), partial: undefined })
    })
  },
  'reorg(uint256)': reorganise,
  'aliasOf(address) returns (address)': (_, account: Address) =>
    `0x${BigInt.asUintN(160, BigInt(account) + ALIAS)
      .toString(16)
      .padStart(40, '0')}`,
  'depositFromL1(address,address,uint256,bytes) returns (bool,bytes)': deposit,
}
