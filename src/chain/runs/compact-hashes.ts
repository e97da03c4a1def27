// The hashes of a compact run: headers that differ in a few fields, over one state, one after another.

import { keccak256 } from '../../primitives/crypto.ts'
import { bytesToHex, type Hash, hexToBytes } from '../../primitives/hex.ts'
import { isForkActive } from '../../rollup/rules.ts'
import { openBlockOver, sealBlock } from '../block/block.ts'
import type { Header } from '../block/header.ts'
import { timestampOf } from './block-timing.ts'
import type { Fees } from './empty-fees.ts'
import { type EmptyRun, environmentOf, feesOf, type Predecessor, predecessorOf } from './empty-run.ts'
import { createHeaderTemplate, type HeaderTemplate } from './header-template.ts'
import { type RunIndex, startOfBytes } from './run-index.ts'
import { createSegments, SEGMENT_LENGTH } from './segments.ts'

const HASH_BYTES = 32
const NO_DRAW = new Uint8Array(HASH_BYTES)

/** Hash and prevRandao of each block of a segment, one after another. */
interface Links {
  readonly hashes: Uint8Array
  readonly draws: Uint8Array
}

/** Those of the block before a segment. */
interface Mark {
  readonly hash: Uint8Array
  readonly draw: Uint8Array
}

export interface CompactHashes {
  /** A header of the run; number, timestamp, parent, prices and what is drawn are another block's. */
  readonly sample: Header
  readonly hashAt: (index: number) => Hash
  /** What the block after the i-th takes over from it. */
  readonly predecessorAt: (index: number) => Predecessor
}

/** The header of the first block where it leaves the state as it is; its roots are those of every block. */
function sampleOf(run: EmptyRun): Header {
  const { state } = run.parent.committed
  const environment = environmentOf(run, 0, predecessorOf(run))
  return sealBlock(openBlockOver(run.rules, run.parent, environment, state)).header
}

/** The layout of each block's header, with all but parent and draw written into it. */
function layOut(run: EmptyRun, sample: Header): (index: number) => HeaderTemplate {
  const fees = feesOf(run)
  let template: HeaderTemplate | undefined
  let prices: Fees | undefined
  return (index) => {
    const number = sample.number + index
    const timestamp = timestampOf(run.pace, index)
    const current = fees.at(index)
    if (template !== undefined && prices === current && template.writePlace(number, timestamp))
      return template
    prices = current
    template = createHeaderTemplate(run.rules, { ...sample, ...prices, number, timestamp })
    return template
  }
}

/** The hashes of the first `count` blocks of a run, each noted in an index. */
export function hashHeaders(run: EmptyRun, count: number, index: RunIndex): CompactHashes {
  const sample = sampleOf(run)
  const templateAt = layOut(run, sample)
  const isDrawShown = isForkActive(run.rules, 'paris')
  const isBeaconRootShown = isForkActive(run.rules, 'cancun')
  const first = predecessorOf(run)
  const mark: Mark = { hash: hexToBytes(first.hash), draw: hexToBytes(first.header.prevRandao) }
  const segments = createSegments<Mark, Links>(mark, (before, number) => {
    const start = number * SEGMENT_LENGTH
    const length = Math.min(SEGMENT_LENGTH, count - start)
    const hashes = new Uint8Array(length * HASH_BYTES)
    const draws = new Uint8Array(length * HASH_BYTES)
    let { hash, draw } = before
    for (let position = 0; position < length; position++) {
      const template = templateAt(start + position)
      const link = keccak256(draw)
      draw = isDrawShown ? link : NO_DRAW
      template.writeParent(hash)
      template.writeDraw(draw, isBeaconRootShown ? keccak256(link) : NO_DRAW)
      hash = keccak256(template.encoded)
      hashes.set(hash, position * HASH_BYTES)
      draws.set(draw, position * HASH_BYTES)
      index.note(start + position, startOfBytes(hash))
    }
    return { segment: { hashes, draws }, next: { hash, draw } }
  })
  const read = (from: keyof Links, position: number): Hash => {
    const bytes = segments.at(Math.floor(position / SEGMENT_LENGTH))[from]
    const start = (position % SEGMENT_LENGTH) * HASH_BYTES
    return bytesToHex(bytes.subarray(start, start + HASH_BYTES))
  }
  const hashAt = (position: number): Hash => read('hashes', position)
  return {
    sample,
    hashAt,
    predecessorAt: (position) => ({
      hash: hashAt(position),
      header: { prevRandao: read('draws', position) },
    }),
  }
}
