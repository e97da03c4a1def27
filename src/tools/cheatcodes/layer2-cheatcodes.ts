// Cheatcodes of what only a layer 2 does, besides Foundry's: partial blocks that are dropped, reorganisations, and messages
// from the layer 1. What is undone is undone for all accounts but the test itself, which remembers what it saw.

import { environmentWith } from '../../core/execution/evm/pooled-evm.ts'
import { type Address, bytesToHex, type Hex, hexToBytes } from '../../core/primitives/hex.ts'
import { andThen, type Later } from '../../core/primitives/loading.ts'
import { credit, readAccount, updateAccount } from '../../core/state/world-state.ts'
import type { World } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { sendMessage } from './nested-calls.ts'

const BLOCK_SECONDS = 2
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
    const { number, timestamp } = run.environment
    run.moveTo(environmentWith(run.environment, { number: number + 1, timestamp: timestamp + BLOCK_SECONDS }))
    run.change({ sealed: [...sealed, opened], opened: here(run), partial: undefined })
  },
  'reorg(uint256)': reorganise,
  'aliasOf(address) returns (address)': (_, account: Address) =>
    `0x${BigInt.asUintN(160, BigInt(account) + ALIAS)
      .toString(16)
      .padStart(40, '0')}`,
  'depositFromL1(address,address,uint256,bytes) returns (bool,bytes)': deposit,
}
