// Sealed blocks that were seen, since a chain tells nothing of those that it has replaced.

import { type BlockShape, readBlock } from './shapes.ts'
import type { Ask } from './source.ts'

/** Blocks behind the head that are asked for, and those that are remembered of each kind. */
const [MOST_ASKED, MOST_KEPT] = [32, 256]

/** A block that is no longer on the chain. */
export type OrphanShape = BlockShape & { readonly number: number; readonly hash: string }

export function createMemory() {
  const sealed = new Map<number, OrphanShape>()
  const orphans = new Map<string, OrphanShape>()
  let listed: readonly OrphanShape[] = []

  const drop = (block: OrphanShape): void => {
    sealed.delete(block.number)
    orphans.set(block.hash, block)
    for (const hash of orphans.keys()) if (orphans.size > MOST_KEPT) orphans.delete(hash)
  }

  /** Notes the blocks up to the head, back to one that is known. */
  const follow = async (ask: Ask, head: number): Promise<void> => {
    for (const [number, block] of sealed) if (number > head) drop(block)
    for (let number = head; number >= Math.max(0, head - MOST_ASKED); number--) {
      const block = readBlock(await ask('eth_getBlockByNumber', [`0x${number.toString(16)}`, true]))
      const { hash } = block
      const known = sealed.get(number)
      if (hash === undefined || known?.hash === hash) return
      if (known !== undefined) drop(known)
      sealed.set(number, { ...block, number, hash })
      orphans.delete(hash)
    }
    for (const number of sealed.keys()) if (number < head - MOST_KEPT) sealed.delete(number)
  }
  return {
    follow,
    /** The newest first; the same list if it is as before, so that nothing is drawn again. */
    orphans(): readonly OrphanShape[] {
      const now = [...orphans.values()].reverse()
      const isSame = now.length === listed.length && now.every((each, index) => each === listed[index])
      if (!isSame) listed = now
      return listed
    },
  }
}
