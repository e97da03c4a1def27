// Cheatcodes of forks: worlds beside each other, of which one is active. Some accounts are the same in all of them.

import { CHEATCODES, CONSOLE_ADDRESS } from '../../core/execution/evm/pooled-evm.ts'
import { type Address, bytesToHex, type Hash } from '../../core/primitives/hex.ts'
import { readAccount, updateAccount, type WorldState } from '../../core/state/world-state.ts'
import { ACCESSOR } from './addresses.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { urlOf } from './environment-cheatcodes.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import type { ForkedWorld, OpenedFork } from './setting.ts'

/** Opens what is given for an alias, or else for its URL. */
async function open(run: CheatExecution, name: string, block: bigint | Hash | undefined) {
  const { openFork } = run.cheats.setting
  const opened = openFork?.(name, block) ?? openFork?.(urlOf(run, name), block)
  if (opened !== undefined) return { name, ...(await opened) }
  throw new CheatcodeRefusal(`there is no fork of ${name}: give its recording or upstream as an option`)
}

async function createFork(run: CheatExecution, name: string, block?: bigint | Hash): Promise<bigint> {
  run.watching.need('accesses')
  const world = await open(run, name, block)
  run.change({ forks: [...run.cheats.forks, world] })
  return BigInt(run.cheats.forks.length - 1)
}

/** The accounts that are the same in all worlds: the test, who calls it, and those that are named. */
function shared({ open: messages, cheats }: CheatExecution): readonly Address[] {
  const parties = [messages[0]?.to, messages[0]?.caller].flatMap((party) =>
    party ? [bytesToHex(party.bytes)] : [],
  )
  return [...parties, CHEATCODES, CONSOLE_ADDRESS, ACCESSOR, ...cheats.persistent]
}

function withShared(run: CheatExecution, world: WorldState): WorldState {
  const before = run.writer.current
  return shared(run).reduce(
    (state, address) => updateAccount(state, address, readAccount(before, address)),
    world,
  )
}

function enter(run: CheatExecution, { state, environment, chainId }: OpenedFork): void {
  run.writer.current = withShared(run, state)
  run.covering.callees.forgetChecks()
  run.moveTo(environment)
  run.change({ chainId })
  run.setTransaction()
}

function requireFork({ cheats }: CheatExecution, id: bigint): ForkedWorld {
  const world = cheats.forks[Number(id)]
  if (world === undefined) throw new CheatcodeRefusal(`No matching fork found for ${id}`)
  return world
}

function replaceFork(run: CheatExecution, id: bigint, world: ForkedWorld): void {
  run.change({ forks: run.cheats.forks.map((each, at) => (at === Number(id) ? world : each)) })
}

function selectFork(run: CheatExecution, id: bigint): void {
  run.watching.need('accesses')
  const world = requireFork(run, id)
  const { activeFork } = run.cheats
  if (activeFork === id) return
  if (activeFork !== undefined) {
    const { name } = requireFork(run, activeFork)
    const { writer, environment, chainId } = run
    replaceFork(run, activeFork, { name, state: writer.current, environment, chainId })
  }
  run.change({ activeFork: id })
  enter(run, world)
}

function activeFork({ cheats }: CheatExecution, refusal = 'no active fork'): bigint {
  if (cheats.activeFork === undefined) throw new CheatcodeRefusal(refusal)
  return cheats.activeFork
}

async function rollFork(run: CheatExecution, id: bigint, block: bigint | Hash): Promise<void> {
  run.watching.need('accesses')
  if (run.cheats.forks[Number(id)] === undefined)
    throw new CheatcodeRefusal(`Requested fork \`${id}\` does not exist`)
  const world = await open(run, requireFork(run, id).name, block)
  replaceFork(run, id, world)
  if (run.cheats.activeFork === id) enter(run, world)
}

function keep(run: CheatExecution, addresses: readonly Address[], isKept = true): void {
  const persistent = new Set(run.cheats.persistent)
  for (const address of addresses) isKept ? persistent.add(address) : persistent.delete(address)
  run.change({ persistent })
}

export const FORK_CHEATCODES: Cheatcodes = {
  'createFork(string,uint256|bytes32?) returns (uint256)': createFork,
  'createSelectFork(string,uint256|bytes32?) returns (uint256)': async (
    run,
    alias: string,
    block?: bigint | Hash,
  ) => {
    const id = await createFork(run, alias, block)
    selectFork(run, id)
    return id
  },
  'selectFork(uint256)': selectFork,
  'activeFork() returns (uint256)': (run) => activeFork(run),
  'rollFork(uint256?,uint256|bytes32)': (run, id: bigint | undefined, block: bigint | Hash) =>
    rollFork(run, id ?? activeFork(run, 'No fork active'), block),
  'makePersistent(address,address?,address?)': (run, ...given: (Address | undefined)[]) =>
    keep(
      run,
      given.flatMap((address) => address ?? []),
    ),
  'makePersistent(address[])': (run, addresses: readonly Address[]) => keep(run, addresses),
  'revokePersistent(address)': (run, address: Address) => keep(run, [address], false),
  'revokePersistent(address[])': (run, addresses: readonly Address[]) => keep(run, addresses, false),
  'isPersistent(address) returns (bool)': (run, address: Address) => shared(run).includes(address),
}
