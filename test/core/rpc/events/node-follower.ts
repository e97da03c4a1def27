// Followers of the flashblock stream with the rules of the deployed node (base/node-reth, later base/base), which takes
// the raw stream and canonical blocks. They hold what the node would hold; nothing is executed again.

import type { Emulator, FlashblockPayload } from 'tickchain'
import type { Hex } from 'viem'

type Base = NonNullable<FlashblockPayload['base']>

/** A block put together from its payloads. */
export interface HeldBlock {
  readonly number: number
  readonly payloadId: Hex
  readonly index: number
  readonly base: Base
  /** The last diff: its fields are cumulative, except the transactions. */
  readonly diff: FlashblockPayload['diff']
  readonly transactions: readonly Hex[]
}

/** A sealed block of the canonical chain. */
export interface CanonicalBlock {
  readonly number: number
  readonly hash: Hex
}

/** What a follower did with a payload. */
export type Taken = 'started' | 'continued' | 'next' | 'ignored' | 'cleared' | 'skipped'

function begin({ payload_id: payloadId, index, base, diff, metadata }: FlashblockPayload): HeldBlock {
  // The node refuses a first payload without a base (block_assembler.rs), and `serde` one elsewhere is unused.
  if (base === undefined) throw new Error('the first payload of a block has no base')
  const number = metadata.block_number
  if (Number(base.block_number) !== number) throw new Error(`base of block ${base.block_number} in ${number}`)
  return { number, payloadId, index, base, diff, transactions: diff.transactions }
}

function extend(block: HeldBlock, { payload_id, index, base, diff }: FlashblockPayload): HeldBlock {
  if (base !== undefined) throw new Error(`payload ${index} repeats the base`)
  // reth's sequence of flashblocks holds those of one payload id only (sequence.rs, FlashBlockCompleteSequence::new).
  if (payload_id !== block.payloadId) throw new Error(`payload ${index} is of another build job`)
  return { ...block, index, diff, transactions: [...block.transactions, ...diff.transactions] }
}

/** The relation of a payload to the last one (validation.rs, FlashblockSequenceValidator::validate). */
function placeOf(last: HeldBlock, { index, metadata }: FlashblockPayload) {
  const number = metadata.block_number
  if (number === last.number && index === last.index + 1) return 'nextInSequence'
  if (number === last.number + 1 && index === 0) return 'firstOfNextBlock'
  if (number !== last.number) return 'invalidNewBlockIndex'
  return index === last.index ? 'duplicate' : 'nonSequentialGap'
}

/** The node at first (base/base@37ee3e2e, processor.rs, process_flashblock and process_canonical_block). */
export class NodeFollower {
  /** Pending blocks, oldest first. */
  pending: HeldBlock[] = []

  get latest(): HeldBlock | undefined {
    return this.pending.at(-1)
  }

  take(payload: FlashblockPayload): Taken {
    const { latest } = this
    if (latest === undefined) {
      // "waiting for first Flashblock"
      if (payload.index !== 0) return 'skipped'
      this.pending = [begin(payload)]
      return 'started'
    }
    switch (placeOf(latest, payload)) {
      case 'nextInSequence':
        this.pending = [...this.pending.slice(0, -1), extend(latest, payload)]
        return 'continued'
      case 'firstOfNextBlock':
        this.pending = [...this.pending, begin(payload)]
        return 'next'
      case 'duplicate':
        return 'ignored'
      default:
        // A gap: everything is forgotten, this payload too, until another one with index 0.
        this.pending = []
        return 'cleared'
    }
  }

  /** Called for each block of the canonical chain, in order; what a reorganisation takes off is not told. */
  seal({ number }: CanonicalBlock): void {
    const { latest } = this
    // CanonicalBlockReconciler: CatchUp.
    if (latest !== undefined && latest.number <= number) this.pending = []
  }

  /** The node's canonical chain changed without a new block. */
  rewind(_head: CanonicalBlock): void {}
}

/** The node later (base/base@034403f5, processor.rs, preflight_update and process_flashblock). */
export class LaterNodeFollower {
  pending: HeldBlock[] = []
  private head: CanonicalBlock
  private isRecovering = false
  /** The block that pending blocks were built on. */
  private anchor: CanonicalBlock
  private readonly quarantined = new Set<string>()

  constructor(head: CanonicalBlock) {
    this.head = head
    this.anchor = head
  }

  get latest(): HeldBlock | undefined {
    return this.pending.at(-1)
  }

  private recover(): 'cleared' {
    this.pending = []
    this.quarantined.clear()
    this.isRecovering = true
    return 'cleared'
  }

  private quarantine({ metadata, payload_id }: FlashblockPayload): 'skipped' {
    this.quarantined.add(`${metadata.block_number} ${payload_id}`)
    return 'skipped'
  }

  private start(payload: FlashblockPayload): 'started' {
    this.anchor = this.head
    this.pending = [begin(payload)]
    this.isRecovering = false
    return 'started'
  }

  private isOnHead({ index, base, metadata }: FlashblockPayload): boolean {
    const { number, hash } = this.head
    return index === 0 && metadata.block_number === number + 1 && base?.parent_hash === hash
  }

  take(payload: FlashblockPayload): Taken {
    const { index, base, metadata, payload_id: id } = payload
    const number = metadata.block_number
    const key = `${number} ${id}`
    if (this.quarantined.has(key)) {
      if (index !== 0) return 'skipped'
      this.quarantined.delete(key)
    }
    const { latest } = this
    const isBasedOnHead = latest !== undefined && this.anchor.hash === this.head.hash
    const same = this.pending.find((block) => block.number === number)
    if (isBasedOnHead && same !== undefined) {
      if (index === 0) {
        if (base?.parent_hash !== same.base.parent_hash) return this.quarantine(payload)
        if (id === same.payloadId) return 'skipped'
        // A new job for the same block: earlier blocks stay, this one starts anew.
        this.pending = [...this.pending.filter((block) => block.number < number), begin(payload)]
        return 'started'
      }
      if (id !== same.payloadId) return 'skipped'
    }
    if (isBasedOnHead && index === 0 && number === latest.number + 1) {
      if (base?.parent_hash !== latest.diff.block_hash) return this.quarantine(payload)
    }
    if (this.isRecovering) return this.isOnHead(payload) ? this.start(payload) : 'skipped'
    if (latest !== undefined && !isBasedOnHead) {
      this.recover()
      return this.isOnHead(payload) ? this.start(payload) : 'cleared'
    }
    const isWrongParent = index === 0 && number - 1 === this.head.number && !this.isOnHead(payload)
    if (number - 1 < this.head.number || isWrongParent) return isBasedOnHead ? 'skipped' : this.recover()
    if (latest === undefined) return index === 0 ? this.start(payload) : 'skipped'
    switch (placeOf(latest, payload)) {
      case 'nextInSequence':
        this.pending = [...this.pending.slice(0, -1), extend(latest, payload)]
        return 'continued'
      case 'firstOfNextBlock':
        this.pending = [...this.pending, begin(payload)]
        return 'next'
      case 'duplicate':
        return 'ignored'
      default:
        this.pending = []
        return 'cleared'
    }
  }

  seal(block: CanonicalBlock): void {
    this.head = block
    const { latest } = this
    const [first] = this.pending
    if (latest === undefined || first === undefined) return
    // CatchUp, and a pending block on another parent (HandleReorg); no block is pending behind the next one.
    if (latest.number <= block.number) this.pending = []
    else if (first.number - 1 === block.number && first.base.parent_hash !== block.hash) this.recover()
  }

  /** The node's canonical chain changed without a new block. */
  rewind(head: CanonicalBlock): void {
    this.head = head
  }
}

/** A sealed block with what each follower held of it just before. */
export interface SealedAndHeld {
  readonly number: number
  readonly hash: Hex
  readonly held: Readonly<Record<string, HeldBlock | undefined>>
}

/** Followers of a chain, and what they held at each seal. */
export interface Followers {
  readonly of: {
    /** Takes the stream and canonical blocks, as the node does. */
    readonly node: NodeFollower
    readonly laterNode: LaterNodeFollower
    /** Takes the stream alone. */
    readonly streamOnly: NodeFollower
  }
  /** Since it was last emptied. */
  readonly sealed: SealedAndHeld[]
  readonly payloads: FlashblockPayload[]
}

/** Lets followers listen to a chain whose blocks up to the head have these hashes. */
export function followAll(chain: Emulator, hashes: readonly Hex[]): Followers {
  const canonical = [...hashes]
  const head = (): CanonicalBlock => ({ number: canonical.length - 1, hash: canonical.at(-1) as Hex })
  const of = {
    node: new NodeFollower(),
    laterNode: new LaterNodeFollower(head()),
    streamOnly: new NodeFollower(),
  }
  const followers: Followers = { of, sealed: [], payloads: [] }
  chain.on('flashblock', (payload) => {
    followers.payloads.push(payload)
    for (const follower of Object.values(of)) follower.take(payload)
  })
  chain.on('sealedBlock', ({ number, hash }) => {
    const held = Object.entries(of).map(([name, { pending }]) => {
      return [name, pending.findLast((block) => block.number === number)] as const
    })
    followers.sealed.push({ number, hash, held: Object.fromEntries(held) })
    canonical[number] = hash
    of.node.seal({ number, hash })
    of.laterNode.seal({ number, hash })
  })
  chain.on('orphanedBlocks', ({ blocks }) => {
    canonical.length = Math.min(...blocks.map(({ number }) => number))
    of.node.rewind(head())
    of.laterNode.rewind(head())
  })
  return followers
}
