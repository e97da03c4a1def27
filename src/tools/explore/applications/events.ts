// The types of a story's steps: actions, time, and the adversary's events, which are what a real chain may do.

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

/** A request of the next step is answered late or never. */
export interface LateEvent {
  /** The number of requests of that step that are answered before. */
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

/** A step that was performed. */
export type Step =
  | { readonly action: string; readonly values: unknown }
  /** Time passes up to the next partial block, or for a block time. */
  | { readonly wait: 'partial' | 'block' }
  | { readonly adversary: AdversaryKind; readonly event: Events[AdversaryKind] }

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? '' : 's'}`
}

const ORPHANS = {
  pooled: 'and their transactions wait in the pool',
  lost: 'and their transactions are gone',
  reordered: 'and the last new block has their transactions in another order',
}

/** Words for an event. */
const WORDS: { readonly [Kind in AdversaryKind]: (event: Events[Kind]) => string } = {
  partials: ({ first, take }) =>
    `a partial block takes ${count(take, 'transaction')}${first === 0 ? '' : `, those of sender ${first + 1} first`}`,
  drops: ({ transaction, fate, at }) =>
    `pre-confirmation ${transaction + 1} is dropped${at === 'seal' ? ' when its block is sealed' : ''}` +
    (fate === 'lost' ? ' and gone' : ' and waits in the pool'),
  reorgs: ({ depth, orphans }) => `${count(depth, 'block')} replaced, ${ORPHANS[orphans]}`,
  lateAnswers({ after, answer }) {
    const which = `request ${after + 1} of the next step`
    if (typeof answer === 'number') return `${which} is answered ${answer} ms late`
    return answer === 'answerLost' ? `the answer to ${which} is lost` : `${which} is lost`
  },
  feeSpikes: ({ blocks }) => `${count(blocks, 'block')} full of others' transactions, and the base fee rises`,
  sequencerStops: ({ blocks }) => `no block comes for ${count(blocks, 'block time')}`,
  l1Reorgs: ({ depth, orphans }) => `${count(depth, 'block')} of the layer 1 replaced, ${ORPHANS[orphans]}`,
}

export function describeEvent<Kind extends AdversaryKind>(kind: Kind, event: Events[Kind]): string {
  return WORDS[kind](event)
}
