// Commands of a simulated pair, as plain data, and their execution.

import { createHash } from 'node:crypto'
import type { Emulator, Snapshot } from '../../../src/index.ts'
import type { CreateRollupOptions } from '../../../src/tools/pair/options.ts'
import type { Rollup, RollupChain } from '../../../src/tools/pair/rollup.ts'

/** The layer 1, or a layer 2 by its index. */
export type Layer = 'l1' | number

export type PairCommand =
  | { readonly call: 'advance' | 'jump'; readonly ms: number; readonly layer?: Layer }
  | { readonly call: 'next'; readonly layer?: Layer }
  /** A function of a layer's emulator. */
  | {
      readonly call: 'control'
      readonly layer: Layer
      readonly name: string
      readonly args: readonly unknown[]
    }
  | {
      readonly call: 'request'
      readonly layer: Layer
      readonly method: string
      readonly params: readonly unknown[]
    }
  | {
      readonly call: 'role'
      readonly chain: number
      readonly role: 'batcher' | 'proposer' | 'sequencer'
      readonly name: string
    }
  | { readonly call: 'snapshot' | 'revert'; readonly name: number; readonly layer?: Layer }
  /** Dumps one layer under a name, and loads it there. */
  | { readonly call: 'dump' | 'load'; readonly name: number; readonly layer: Layer }

/** Everything that is needed to repeat a run. */
export interface PairProgram {
  readonly options: CreateRollupOptions
  readonly commands: readonly PairCommand[]
}

export interface PairSession {
  rollup: Rollup
  /** Events since the last command. */
  readonly events: string[]
  readonly snapshots: Map<number, Snapshot>
  readonly dumps: Map<number, Uint8Array>
}

function toText(value: unknown): string {
  return JSON.stringify(value ?? null, (_, item: unknown) =>
    typeof item === 'bigint' ? `${item}n` : item === undefined ? 'undefined' : item,
  )
}

export function layersOf({ l1, chains }: Rollup): readonly (readonly [Layer, Emulator])[] {
  return [['l1', l1], ...chains.map(({ l2 }, index) => [index, l2] as const)]
}

export function layerOf({ l1, chains }: Rollup, layer: Layer): Emulator {
  return layer === 'l1' ? l1 : (chains[layer] as RollupChain).l2
}

const EVENTS = [
  'pendingTransaction',
  'replacedTransaction',
  'partialBlock',
  'sealedBlock',
  'unincludedTransaction',
  'orphanedBlocks',
  'chainChanged',
] as const

/** Goes on with a pair, whose events are recorded. */
export function watchPair(session: PairSession, rollup: Rollup): void {
  session.rollup = rollup
  for (const [layer, emulator] of layersOf(rollup)) {
    for (const name of EVENTS) {
      emulator.on(name, (payload) => {
        if (session.rollup === rollup) session.events.push(`${layer} ${name} ${toText(payload)}`)
      })
    }
  }
}

export function createPairSession(rollup: Rollup): PairSession {
  const session: PairSession = { rollup, events: [], snapshots: new Map(), dumps: new Map() }
  watchPair(session, rollup)
  return session
}

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => Promise<unknown>>>

async function call({ rollup, snapshots, dumps }: PairSession, command: PairCommand): Promise<unknown> {
  const of = (layer: Layer | undefined) => (layer === undefined ? rollup : layerOf(rollup, layer))
  switch (command.call) {
    case 'advance':
      return of(command.layer).advance(command.ms)
    case 'jump':
      return of(command.layer).jump(command.ms)
    case 'next':
      return of(command.layer).next()
    case 'control':
      return (layerOf(rollup, command.layer) as unknown as Functions)[command.name]!(...command.args)
    case 'request':
      return layerOf(rollup, command.layer).request(command.method, command.params)
    case 'role': {
      const role = (rollup.chains[command.chain] as RollupChain)[command.role]
      return (role as unknown as Functions)[command.name]!()
    }
    case 'snapshot':
      snapshots.set(command.name, of(command.layer).snapshot())
      return undefined
    case 'revert':
      return of(command.layer).revert(snapshots.get(command.name)!)
    case 'dump':
      dumps.set(command.name, await layerOf(rollup, command.layer).dump())
      return undefined
    case 'load':
      return layerOf(rollup, command.layer).load(dumps.get(command.name)!)
  }
}

/** Performs a command, and returns its answer or failure and the events. */
export async function performPair(session: PairSession, command: PairCommand): Promise<string[]> {
  let outcome: string
  try {
    outcome = toText(await call(session, command))
  } catch (error) {
    const { name, kind, code, message, data } = error as Record<string, unknown>
    outcome = `failed ${toText({ name, kind, code, message, data })}`
  }
  const { now } = session.rollup
  return [`${JSON.stringify(command)} -> ${outcome}`, ...session.events.splice(0), `now ${now}`]
}

/** The blocks of all layers, hashed, and the blocks being built. */
export async function concludePair({ rollup }: PairSession): Promise<string[]> {
  const lines: string[] = []
  for (const [layer, emulator] of layersOf(rollup)) {
    const digest = createHash('sha256')
      .update(await emulator.exportBlocks())
      .digest('hex')
    const pending = await emulator.request('eth_getBlockByNumber', ['pending', true])
    lines.push(`${layer} ${digest}`, `${layer} ${toText(pending)}`)
  }
  return lines
}
