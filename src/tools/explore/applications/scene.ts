// What a user says of an application: how it is made on a chain, what its users do, and what must always hold.

import type { Arbitrary } from 'fast-check'
import { pluralize } from '../../../core/primitives/text-of.ts'
import type { CorpusOptions, PartOptions, SaveOptions } from '../part-options.ts'
import type { Explorable } from './stage.ts'

export const ADVERSARY_KINDS = [
  /** Partial blocks are cut earlier, or begin with another sender. */
  'partials',
  /** Pre-confirmations are dropped. */
  'drops',
  /** The last blocks are replaced. */
  'reorgs',
  /** Answers come late or never. */
  'lateAnswers',
  /** Blocks are full of the transactions of others, and the base fee rises. */
  'feeSpikes',
  /** No block comes for a while. */
  'sequencerStops',
  /** On a rollup pair, the last blocks of the layer 1 are replaced. */
  'l1Reorgs',
] as const

/** Events that a real chain may cause, by kind. */
export type AdversaryKind = (typeof ADVERSARY_KINDS)[number]

/** The next partial block, which takes the transactions of one sender first, and so many in all. */
export interface PartialEvent {
  /** The position of the sender, by its first transaction. */
  readonly first: number
  readonly take: number
}

/** A pre-confirmed transaction that is not sealed. */
export interface DropEvent {
  /** Its position among those of the block being built. */
  readonly transaction: number
  readonly fate: 'lost' | 'pooled'
  readonly at: 'now' | 'seal'
}

/** The last blocks are replaced by as many. */
export interface ReorgEvent {
  readonly depth: number
  /** Their transactions wait in the pool, are gone, or are all in the last new block, those of the last sender first. */
  readonly orphans: 'pooled' | 'lost' | 'reordered'
}

/** A coming request of the application is answered late or never. */
export interface LateEvent {
  /** The number of requests that are answered before. Those of invariants do not count. */
  readonly after: number
  /** Milliseconds, or what gets lost: the request before it is carried out, or its answer. */
  readonly answer: number | 'answerLost' | 'requestLost'
}

/** Blocks in which no pooled transaction has room, while the base fee rises as fast as the protocol lets it. */
export interface FeeEvent {
  readonly blocks: number
}

/** Time without blocks, in block times. */
export interface StopEvent {
  readonly blocks: number
}

/** The data of each kind of event. */
export interface Events {
  readonly partials: PartialEvent
  readonly drops: DropEvent
  readonly reorgs: ReorgEvent
  readonly lateAnswers: LateEvent
  readonly feeSpikes: FeeEvent
  readonly sequencerStops: StopEvent
  readonly l1Reorgs: ReorgEvent
}

export const EVENT_FIELDS: { readonly [Kind in AdversaryKind]: readonly (keyof Events[Kind])[] } = {
  partials: ['first', 'take'],
  drops: ['transaction', 'fate', 'at'],
  reorgs: ['depth', 'orphans'],
  lateAnswers: ['after', 'answer'],
  feeSpikes: ['blocks'],
  sequencerStops: ['blocks'],
  l1Reorgs: ['depth', 'orphans'],
}

/** A step that was performed. */
export type Step =
  | { readonly action: string; readonly values: unknown }
  /** Time passes up to the next partial block, or for a block time. */
  | { readonly wait: 'partial' | 'block' }
  | { readonly adversary: AdversaryKind; readonly event: Events[AdversaryKind] }

const ORPHANS = {
  pooled: 'and their transactions wait in the pool',
  lost: 'and their transactions are gone',
  reordered: 'and the last new block has their transactions in another order',
}

const WORDS: { readonly [Kind in AdversaryKind]: (event: Events[Kind]) => string } = {
  partials: ({ first, take }) =>
    `a partial block takes ${pluralize(take, 'transaction')}${first === 0 ? '' : `, those of sender ${first + 1} first`}`,
  drops: ({ transaction, fate, at }) =>
    `pre-confirmation ${transaction + 1} is dropped${at === 'seal' ? ' when its block is sealed' : ''}` +
    (fate === 'lost' ? ' and gone' : ' and waits in the pool'),
  reorgs: ({ depth, orphans }) => `${pluralize(depth, 'block')} replaced, ${ORPHANS[orphans]}`,
  lateAnswers({ after, answer }) {
    const which = ['the next request', 'the second request from now', 'the third request from now'][after]
    if (typeof answer === 'number') return `${which} is answered ${answer} ms late`
    return answer === 'answerLost' ? `the answer to ${which} is lost` : `${which} is lost`
  },
  feeSpikes: ({ blocks }) =>
    `${pluralize(blocks, 'block')} full of others' transactions, and the base fee rises`,
  sequencerStops: ({ blocks }) => `no block comes for ${pluralize(blocks, 'block time')}`,
  l1Reorgs: ({ depth, orphans }) =>
    `${pluralize(depth, 'block')} of the layer 1 replaced, ${ORPHANS[orphans]}`,
}

export function describeEvent<Kind extends AdversaryKind>(kind: Kind, event: Events[Kind]): string {
  return WORDS[kind](event)
}

/** Checks something that always holds: throws, or returns false or an error, if it does not. */
export type Invariant<World> = (world: World) => unknown

/** An application on a chain, and what must hold of it. */
export interface Scene<Chain extends Explorable, World, Values extends Record<string, unknown>> {
  /**
   * Makes the application on a clone of the chain: clients, subscriptions, state of its own. Each run makes one. Default
   * an object with the clone as `chain`.
   */
  readonly world?: (chain: Chain) => World | Promise<World>
  /**
   * Actions of users, by name. An action that throws fails the run; `fc.pre(false)` says that it cannot be taken now.
   * It may go on while time passes, as when it waits for a receipt: the next step follows when it waits for the clock.
   */
  readonly run: { readonly [Name in keyof Values]: (world: World, values: Values[Name]) => unknown }
  /** Invariants after every step, by name. Requests that they make are never late. */
  readonly invariants: Readonly<Record<string, Invariant<World>>>
  /** Invariants at the end, by name: after the last step, when three more blocks have passed. */
  readonly eventually?: Readonly<Record<string, Invariant<World>>>
  /** Real milliseconds after which a run is cut, unless its code never waits. Default 10,000. */
  readonly limitMs?: number
}

/** The report of runs in which everything held. */
export interface ExploreReport {
  /** The runs of this shard. */
  readonly runs: number
  /** Steps that were performed in them. */
  readonly steps: number
  /** `'time'` if the seconds were over before all runs were made. */
  readonly ended: 'done' | 'time'
  /** The last runs, in which no new order of two steps was tried: the more, the less more runs may find. */
  readonly quiet: number
  /** Files of the corpus that do not fit. */
  readonly warnings: readonly string[]
  /** Count of each kind of event. */
  readonly events: Readonly<Partial<Record<AdversaryKind, number>>>
  /**
   * In how many orders two kinds of steps, such as an action, a wait or a drop, were performed one after the other, and
   * how many orders there are.
   */
  readonly orders: { readonly tried: number; readonly of: number }
}

/** Options of exploring an application by random stories. */
export interface ExploreOptions<Chain extends Explorable, World, Values extends Record<string, unknown>>
  extends Scene<Chain, World, Values>,
    SaveOptions,
    CorpusOptions,
    PartOptions {
  /** The values of each action, as arbitraries of fast-check. */
  readonly actions: { readonly [Name in keyof Values]: Arbitrary<Values[Name]> }
  /** Events that the chain may have between actions. Default nothing but to make blocks. */
  readonly adversary?: readonly AdversaryKind[]
  /** Number of stories. Default as many as there is time for. */
  readonly runs?: number
  /** The most steps of a story: actions, waits and events. Default 20. */
  readonly depth?: number
  /** The same seed gives the same stories. Default 0. */
  readonly seed?: number
  /** The most blocks that are replaced. Default 3. */
  readonly reorgDepth?: number
  /** The most runs in which a story that fails is shrunk. Default 500. */
  readonly shrinks?: number
}

/** A step that a user writes: an action with its values, or time that passes. */
export type ScriptStep<Values> =
  | {
      readonly [Name in keyof Values]: { readonly action: Name; readonly values: Values[Name] }
    }[keyof Values]
  | Extract<Step, { readonly wait: unknown }>

/** Options of exploring a small scene in full. */
export interface ExploreAllOptions<Chain extends Explorable, World, Values extends Record<string, unknown>>
  extends Scene<Chain, World, Values>,
    SaveOptions,
    PartOptions {
  /** Actions of users, in this order, and the time between. */
  readonly script: readonly ScriptStep<Values>[]
  /** Events that the chain may have before, between and after these steps. */
  readonly adversary: readonly AdversaryKind[]
  /** The most events of a story. Default 1. */
  readonly events?: number
  /**
   * The state of the application as text. Only needed with `world`: without it, no two states count as equal. It has to
   * tell apart what later steps may depend on.
   */
  readonly digest?: (world: World) => string
  /** The most blocks that are replaced. Default 3. */
  readonly reorgDepth?: number
  /** The most states; more of them are refused with `tooManyStates`. Default 100,000. */
  readonly states?: number
}

/** The report of a scene that was explored in full: everything held in all of these states. */
export interface ExploreAllReport {
  /** Different states of chain and application, by their place in the script. */
  readonly states: number
  /** Steps that were tried from them; some lead to the same state. */
  readonly steps: number
  /** Number of these that were events. */
  readonly events: number
  /** `'time'` if the seconds were over before all states were reached: then it says nothing of the others. */
  readonly ended: 'done' | 'time'
}

/** The report of a story in which everything held. */
export interface ReplayReport {
  /** The steps that were performed. */
  readonly steps: number
  /** The positions of steps that could not happen, such as a drop where nothing is pre-confirmed. */
  readonly impossible: readonly number[]
}

export type AnyScene = Scene<never, never, Record<string, never>>
