// Cheatcodes of forks: worlds beside each other, of which one is active. Some accounts are the same in all of them.

import { CHEATCODES, CONSOLE_ADDRESS } from '../../core/execution/evm/pooled-evm.ts'
import { type Address, bytesToHex, type Hash, type Hex, toQuantity } from '../../core/primitives/hex.ts'
import { load } from '../../core/primitives/loading.ts'
import { type Account, readAccount, updateAccount, type WorldState } from '../../core/state/world-state.ts'
import { ACCESSOR } from './addresses.ts'
import { NO_CHEATS } from './cheat-state.ts'
import type { Cheatcodes } from './cheatcode.ts'
import { urlOf } from './environment-cheatcodes.ts'
import { refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { encodeAnswer, type JsonMap, parseJson, writeJson } from './json.ts'
import type { ForkedWorld } from './setting.ts'

/** Opens what is given for an alias, or else for its URL. */
async function open(run: CheatExecution, name: string, block: bigint | Hash | undefined) {
  const { openFork } = run.cheats.setting
  const opened = openFork?.(name, block) ?? openFork?.(urlOf(run, name), block)
  if (opened !== undefined) return { name, ...(await opened) }
  refuseWith(`there is no fork of ${name}: give its upstream or recording in the option forks`)
}

async function createFork(run: CheatExecution, name: string, block?: bigint | Hash): Promise<bigint> {
  run.watching.need('accesses')
  const world = await open(run, name, block)
  run.change({ forks: [...run.cheats.forks, withAccounts(world, run.cheats.unforked)] })
  return BigInt(run.cheats.forks.length - 1)
}

/** The accounts that are the same in all worlds: the test, who calls it, and those that are named. */
function shared({ open: messages, cheats }: CheatExecution): readonly Address[] {
  const parties = [messages[0]?.to, messages[0]?.caller].flatMap((party) =>
    party ? [bytesToHex(party.bytes)] : [],
  )
  return [...parties, CHEATCODES, CONSOLE_ADDRESS, ACCESSOR, ...cheats.persistent]
}

function withShared(run: CheatExecution, world: WorldState, from: WorldState): WorldState {
  return shared(run).reduce(
    (state, address) => updateAccount(state, address, readAccount(from, address)),
    world,
  )
}

/** Makes cold all that is not shared. */
function isolateShared(run: CheatExecution): void {
  const { access } = run.evm
  const warm = shared(run).filter((address) => address !== CONSOLE_ADDRESS && access.isWarm(address))
  access.isolate(
    [...warm, run.environment.coinbase].map((address) => {
      const slots = access.coolDown(address)
      for (const slot of slots) access.warmUpSlot(address, slot)
      return [address, slots] as const
    }),
  )
}

/** Enters a fork, in which original storage and warm accounts are as they were left in this execution. */
function enter(run: CheatExecution, { left, ...fork }: ForkedWorld, keepsWarm: boolean): void {
  const { writer, evm } = run
  const { state, environment, chainId } = fork
  const isBack = left?.execution === run.start
  writer.transactionStart = withShared(run, isBack ? left.origin : state, writer.transactionStart)
  writer.current = withShared(run, state, writer.current)
  if (isBack) {
    evm.access.isolate([])
    left.rewarm()
  } else if (!keepsWarm) isolateShared(run)
  run.covering.callees.forgetChecks()
  run.moveTo(environment)
  // Blocks and partial blocks that were sealed elsewhere are not of this fork.
  const opened = { state: writer.current, environment, execution: run.start }
  run.change({ chainId, sealed: NO_CHEATS.sealed, opened, partial: undefined })
  run.setTransaction()
  run.setBlockHashes()
}

function requireFork({ cheats }: CheatExecution, id: bigint): ForkedWorld {
  return cheats.forks[Number(id)] ?? refuseWith(`No matching fork found for ${id}`)
}

function replaceFork(run: CheatExecution, id: bigint, world: ForkedWorld): void {
  run.change({ forks: run.cheats.forks.map((each, at) => (at === Number(id) ? world : each)) })
}

type Accounts = readonly (readonly [Address, Account])[]

function withAccounts(world: ForkedWorld, accounts: Accounts): ForkedWorld {
  const state = accounts.reduce(
    (each, [address, account]) => updateAccount(each, address, account),
    world.state,
  )
  return { ...world, state }
}

/** As in forge, accounts that an execution has changed before it first selects a fork are so in all forks. */
function keepChanges(run: CheatExecution): void {
  const { start, writer, cheats } = run
  const unforked: [Address, Account][] = []
  start.state.visitChanges(writer.current, (address, _, now) => now && unforked.push([address, now]))
  run.change({ unforked, forks: cheats.forks.map((each) => withAccounts(each, unforked)) })
}

function selectFork(run: CheatExecution, id: bigint): void {
  run.watching.need('accesses')
  requireFork(run, id)
  const { activeFork } = run.cheats
  if (activeFork === id) return
  if (activeFork === undefined) keepChanges(run)
  else {
    const { writer, environment, chainId, evm, start } = run
    const rewarm = evm.access.isolate([])
    const left = { execution: start, origin: writer.transactionStart, rewarm }
    rewarm()
    const now = { state: writer.current, environment, chainId, left }
    replaceFork(run, activeFork, { ...requireFork(run, activeFork), ...now })
  }
  run.change({ activeFork: id })
  enter(run, requireFork(run, id), activeFork === undefined)
}

function activeFork({ cheats }: CheatExecution, refusal = 'no active fork'): bigint {
  if (cheats.activeFork === undefined) refuseWith(refusal)
  return cheats.activeFork
}

async function rollFork(run: CheatExecution, id: bigint, block: bigint | Hash): Promise<void> {
  run.watching.need('accesses')
  if (run.cheats.forks[Number(id)] === undefined) refuseWith(`Requested fork \`${id}\` does not exist`)
  const world = await open(run, requireFork(run, id).name, block)
  replaceFork(run, id, world)
  if (run.cheats.activeFork !== id) return
  // As in forge, other accounts stay warm, but not their slots.
  const kept = shared(run)
  for (const [address] of run.writer.current.entries())
    if (!kept.includes(address)) run.evm.access.coolDown(address)
  enter(run, world, true)
}

function keep(run: CheatExecution, addresses: readonly Address[], isKept = true): void {
  const persistent = new Set(run.cheats.persistent)
  for (const address of addresses) isKept ? persistent.add(address) : persistent.delete(address)
  run.change({ persistent })
}

/** The answer of the node of the active fork, or of another one. */
async function ask(run: CheatExecution, name: string | undefined, method: string, text: string) {
  const { forks, activeFork: active } = run.cheats
  const fork = name === undefined ? forks[Number(active ?? -1)] : await open(run, name, undefined)
  if (fork === undefined) refuseWith('no active fork URL found')
  parseJson(text)
  const params: unknown = JSON.parse(text)
  return parseJson(JSON.stringify(await fork.ask(method, Array.isArray(params) ? params : [params])))
}

const LOG = '(address,bytes32[],bytes,bytes32,uint64,bytes32,uint64,uint256,bool)'

async function getLogs(run: CheatExecution, from: bigint, to: bigint, address: Address, topics: Hash[]) {
  const [fromBlock, toBlock] = [toQuantity(from), toQuantity(to)]
  const filter = JSON.stringify([{ fromBlock, toBlock, address, topics }])
  const logs = (await ask(run, undefined, 'eth_getLogs', filter)) as readonly JsonMap[]
  return logs.map((log) => {
    const [index, block, position] = ['transactionIndex', 'blockNumber', 'logIndex'].map((name) =>
      BigInt(log.get(name) as Hash),
    )
    const texts = ['address', 'topics', 'data', 'blockHash', 'transactionHash'].map((name) => log.get(name))
    const [emitter, own, data, blockHash, hash] = texts
    return [emitter, own, data, blockHash, block, hash, index, position, log.get('removed') === true]
  })
}

async function rawHeader(run: CheatExecution, number: bigint): Promise<Hex> {
  const world = requireFork(run, activeFork(run))
  if (number >= 2n ** 64n) refuseWith('block number must be less than 2^64')
  const [method, params] = ['eth_getBlockByNumber', [toQuantity(number), false]] as const
  const block = await world.ask(method, params)
  if (block === null) refuseWith(`block ${number} not found`)
  const answers = await load(import('../../core/fork/answers.ts'))
  return bytesToHex(answers.encodeForkHeader(answers.readForkHeader(answers.answerTo(block, method, params))))
}

export const FORK_CHEATCODES: Cheatcodes = {
  'getRawBlockHeader(uint256) returns (bytes)': rawHeader,
  'rpc(string?,string,string) returns (bytes)': async (
    run,
    name: string | undefined,
    method: string,
    text: string,
  ) => bytesToHex(encodeAnswer(await ask(run, name, method, text))),
  'rpcJson(string?,string,string) returns (string)': async (
    run,
    name: string | undefined,
    method: string,
    text: string,
  ) => writeJson(await ask(run, name, method, text)),
  [`eth_getLogs(uint256,uint256,address,bytes32[]) returns (${LOG}[])`]: getLogs,
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
