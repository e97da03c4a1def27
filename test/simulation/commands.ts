// Commands of a simulation, as plain data, and their execution. A list of commands is a program that another process
// can repeat with the same outcome.

import { createHash } from 'node:crypto'
import type { Ordering } from '../../src/core/pool/select.ts'
import { type Address, bytesToHex, type Hash, type Hex } from '../../src/core/primitives/hex.ts'
import type {
  AccountControls,
  ChainControls,
  DelayOptions,
  DropOptions,
  Emulator,
  EmulatorOptions,
  FaultOptions,
  MiningControls,
  ReorgOptions,
  RollupControls,
  Snapshot,
  TimeControls,
  WalletControls,
} from '../../src/index.ts'
import { Reverter } from '../contracts/generated.ts'
import { SCHEDULERS, type SchedulerName } from './failures.ts'

/** An account edit, for the checks; amounts as hex. */
export type Edit =
  | { readonly sets: 'balance' | 'nonce' | 'code'; readonly address: Address; readonly to: Hex }
  | { readonly sets: 'addedBalance'; readonly address: Address; readonly to: Hex }
  | { readonly sets: 'storage'; readonly address: Address; readonly slot: Hash; readonly to: Hex }
  /** May write to any slot of any contract from which the token reads. */
  | { readonly sets: 'token'; readonly token: Address; readonly call: Hex; readonly to: Hex }

/** Controls whose arguments are JSON values. */
export type ControlName =
  | keyof (AccountControls & TimeControls & MiningControls & WalletControls & RollupControls)
  | 'mineDetailed'
  | Exclude<keyof ChainControls, 'dump' | 'load'>

export type Command =
  | {
      readonly call: 'request'
      readonly method: string
      readonly params: readonly unknown[]
      readonly edit?: Edit
    }
  /** A control as a function of the emulator. */
  | {
      readonly call: 'control'
      readonly name: ControlName
      readonly args: readonly unknown[]
      readonly edit?: Edit
    }
  /** Dumps the chain under a name, and loads it, by a function or a method. */
  | { readonly call: 'dump' | 'load'; readonly name: number; readonly method?: string }
  | { readonly call: 'registerAbi' }
  | { readonly call: 'advance' | 'jump'; readonly ms: number }
  | { readonly call: 'next' | 'seal' }
  | { readonly call: 'reorg'; readonly options: ReorgOptions }
  | { readonly call: 'dropPreconfirmed'; readonly hashes: readonly Hash[]; readonly options: DropOptions }
  /** Takes a snapshot under a name, and reverts to it. */
  | { readonly call: 'snapshot' | 'revert'; readonly name: number }
  | { readonly call: 'evm_snapshot'; readonly name: number; readonly method?: string }
  | { readonly call: 'evm_revert'; readonly name: number; readonly method?: string; readonly keep?: boolean }
  | { readonly call: 'fault'; readonly options: FaultOptions }
  | { readonly call: 'clearFaults' }
  /** A request with a delayed answer, which the program does not await. */
  | {
      readonly call: 'slowRequest'
      readonly method: string
      readonly params: readonly unknown[]
      readonly delayMs: number
    }
  | { readonly call: 'delayTransaction'; readonly hash: Hash; readonly delay: DelayOptions }
  | { readonly call: 'releaseTransaction'; readonly hash: Hash }
  | { readonly call: 'setOrdering'; readonly ordering: Ordering }
  | { readonly call: 'setScheduler'; readonly scheduler: SchedulerName | null }
  | { readonly call: 'setPoolLimit'; readonly transactions: number | null }

/** Commands in groups, and the options of their chain: everything needed to repeat them. */
export interface Program {
  readonly options: EmulatorOptions
  readonly groups: readonly (readonly Command[])[]
}

/** A chain with its recorded events. */
export interface Session {
  chain: Emulator
  /** Events that no group has consumed yet. */
  readonly events: string[]
  readonly snapshots: Map<number, Snapshot>
  /** Ids of evm_snapshot by name; several if the command was repeated. */
  readonly numbered: Map<number, string[]>
  readonly dumps: Map<number, Hex>
  /** Delayed answers that have not arrived. */
  readonly slow: Slow[]
}

interface Slow {
  readonly dueAtMs: number
  hasArrived: boolean
}

/** A value as text, including values that JSON cannot express. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => {
    if (typeof item === 'bigint') return `${item}n`
    return item === undefined ? 'undefined' : item
  })
}

const EVENT_NAMES = [
  'pendingTransaction',
  'replacedTransaction',
  'partialBlock',
  'sealedBlock',
  'unincludedTransaction',
  'orphanedBlocks',
  'chainChanged',
] as const

export function createSession(chain: Emulator): Session {
  const session: Session = {
    ...{ chain, events: [], slow: [] },
    ...{ snapshots: new Map(), numbered: new Map(), dumps: new Map() },
  }
  watch(session, chain)
  return session
}

/** Continues with another chain, such as a clone. */
export function watch(session: Session, chain: Emulator): void {
  session.chain = chain
  for (const name of EVENT_NAMES) {
    chain.on(name, (payload) => {
      if (session.chain === chain) session.events.push(`${name} ${toText(payload)}`)
    })
  }
}

async function evmSnapshot(session: Session, name: number, method = 'evm_snapshot'): Promise<string> {
  const id = (await session.chain.request(method)) as string
  session.numbered.set(name, [...(session.numbered.get(name) ?? []), id])
  // An id is never reused, so a repeated command gets another one.
  return 'an id'
}

function evmRevert({ chain, numbered }: Session, command: Extract<Command, { call: 'evm_revert' }>) {
  const { name, method = 'evm_revert', keep = false } = command
  const ids = numbered.get(name) ?? []
  const id = (keep ? ids.at(-1) : ids.pop()) ?? '0xffff'
  return chain.request(method, keep ? [id, { keep }] : [id])
}

async function dump({ chain, dumps }: Session, name: number, method: string | undefined): Promise<Hex> {
  const bytes = method === undefined ? bytesToHex(await chain.dump()) : ((await chain.request(method)) as Hex)
  dumps.set(name, bytes)
  return `0x${createHash('sha256').update(bytes).digest('hex')}`
}

function load({ chain, dumps }: Session, name: number, method: string | undefined): Promise<unknown> {
  const bytes = dumps.get(name) ?? '0x'
  return method === undefined ? chain.load(bytes) : chain.request(method, [bytes])
}

/** Sends a request without awaiting the answer. */
async function askSlowly(
  { chain, slow }: Session,
  { method, params, delayMs }: Extract<Command, { call: 'slowRequest' }>,
): Promise<void> {
  // Only this request: if another fault applies to it, no other request may be delayed instead.
  const adding = chain.fault({ method, params: (given) => given === params, delayMs, times: 1 })
  const answer = chain.request(method, params)
  const asking = chain.request('web3_clientVersion').then(() => {
    const expected: Slow = { dueAtMs: chain.now + delayMs, hasArrived: false }
    const arrive = (): void => {
      expected.hasArrived = true
    }
    answer.then(arrive, arrive)
    slow.push(expected)
  })
  answer.catch(() => undefined)
  await Promise.all([adding, asking])
}

function call(session: Session, command: Command): Promise<unknown> {
  const { chain, snapshots } = session
  switch (command.call) {
    case 'fault':
      return chain.fault(command.options)
    case 'clearFaults':
      return chain.clearFaults()
    case 'slowRequest':
      return askSlowly(session, command)
    case 'delayTransaction':
      return chain.delayTransaction(command.hash, command.delay)
    case 'releaseTransaction':
      return chain.releaseTransaction(command.hash)
    case 'setOrdering':
      return chain.setOrdering(command.ordering)
    case 'setScheduler':
      return chain.setScheduler(command.scheduler === null ? undefined : SCHEDULERS[command.scheduler])
    case 'setPoolLimit':
      return chain.setPoolLimit(command.transactions ?? undefined)
    case 'request':
      return chain.request(command.method, command.params)
    case 'advance':
      return chain.advance(command.ms)
    case 'jump':
      return chain.jump(command.ms)
    case 'next':
      return chain.next()
    case 'seal':
      return chain.seal()
    case 'reorg':
      return chain.reorg(command.options)
    case 'dropPreconfirmed':
      return chain.dropPreconfirmed(command.hashes, command.options)
    case 'snapshot':
      snapshots.set(command.name, chain.snapshot())
      return Promise.resolve()
    case 'revert':
      return chain.revert(snapshots.get(command.name)!)
    case 'evm_snapshot':
      return evmSnapshot(session, command.name, command.method)
    case 'evm_revert':
      return evmRevert(session, command)
    case 'control':
      return (chain[command.name] as (...args: readonly unknown[]) => Promise<unknown>)(...command.args)
    case 'dump':
      return dump(session, command.name, command.method)
    case 'load':
      return load(session, command.name, command.method)
    case 'registerAbi':
      return Promise.resolve(chain.registerAbi([Reverter]))
  }
}

/** Performs a command and returns its outcome as text; of a failure everything that a user can see. */
async function perform(session: Session, command: Command): Promise<string> {
  try {
    return toText((await call(session, command)) ?? null)
  } catch (error) {
    const { name, kind, code, message, data } = error as Record<string, unknown>
    return `failed ${toText({ name, kind, code, message, data })}`
  }
}

/** Whether a command may replace the state by one of another time. */
export function isReplacing(command: Command): boolean {
  if (command.call === 'request') return /_(reset|loadState)$/.test(command.method)
  if (command.call === 'control') return command.name === 'reset'
  return command.call === 'revert' || command.call === 'evm_revert' || command.call === 'load'
}

/** Performs commands one by one, or all at once, and returns their answers and the events. */
export async function performGroup(
  session: Session,
  group: readonly Command[],
  manner: 'awaited' | 'unawaited',
): Promise<string[]> {
  const outcomes: string[] = []
  if (manner === 'unawaited') {
    outcomes.push(...(await Promise.all(group.map((command) => perform(session, command)))))
  } else {
    for (const command of group) outcomes.push(await perform(session, command))
  }
  const answers = group.map((command, i) => `${JSON.stringify(command)} -> ${outcomes[i]}`)
  return [...answers, ...session.events.splice(0), `now ${session.chain.now}`]
}

export interface Outcome {
  /** All answers, errors and events, in order. */
  readonly transcript: readonly string[]
  /** A hash of the transcript. */
  readonly digest: string
  readonly headHash: string
}

/** Ends a transcript with the blocks of the chain. */
export async function conclude({ chain }: Session, transcript: readonly string[]): Promise<Outcome> {
  const head = await chain.request('eth_getBlockByNumber', ['latest', true])
  const pending = await chain.request('eth_getBlockByNumber', ['pending', true])
  const whole = [...transcript, toText(head), toText(pending)]
  const digest = createHash('sha256').update(whole.join('\n')).digest('hex')
  return { transcript: whole, digest, headHash: head?.hash ?? '' }
}

/** Whether an outcome is an internal error; Hardhat has the code of one for a refusal, too. */
export function isInternal(outcome: string): boolean {
  return outcome.includes('"code":-32603') && !outcome.includes('"kind":"nonceWithPooled"')
}
