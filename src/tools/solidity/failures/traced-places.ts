// Places in the sources beside the calls of a trace: those on the way to the failure.

import type { TracedCall, TracedPlace } from '../../../core/rpc/call-trace.ts'
import type { ContractIndex } from '../model/contract-index.ts'
import { formatStackTrace } from './format-stack-trace.ts'
import { type StackEntry, sourceOf } from './stack-entry.ts'
import { stackTraceOf } from './stack-trace.ts'
import { isNotSent, type TracedFrame } from './traced-frame.ts'

/** Lines shown before and after a place. */
const LINES_AROUND = 3

function excerptOf(entry: StackEntry): TracedPlace['excerpt'] {
  const source = sourceOf(entry)
  const content = source?.range.file.content
  if (source?.line === undefined || content === undefined) return undefined
  const { file, line } = source
  const from = Math.max(1, line - LINES_AROUND)
  const lines = content.split(/\r?\n/).slice(from - 1, line + LINES_AROUND)
  return { file, line, from, lines }
}

interface PlacedEntry {
  readonly text: string
  readonly entry: StackEntry
}

/** The entries of a frame and of those in it, innermost first. */
function entriesOf(frame: TracedFrame, index: ContractIndex): PlacedEntry[] {
  const entries = stackTraceOf(frame, index)
  const lines = formatStackTrace(entries)
  return [...entries].reverse().map((entry, position) => ({
    entry,
    text: (lines[position] as string).replace(/^\s*at /, ''),
  }))
}

/** The number of equal entries at the beginning. */
function commonStart(a: readonly PlacedEntry[], b: readonly PlacedEntry[]): number {
  let length = 0
  while (length < a.length && a[length]?.text === b[length]?.text) length++
  return length
}

/** The depth down to which places are sought: each costs the stack trace from there on. */
const MOST_DEPTH = 64

/** The failing frame in a frame; only the last one can be why it failed. */
function failingIn({ frames }: TracedFrame): TracedFrame | undefined {
  const last = frames.at(-1)
  return last === undefined || last.exit === 'success' ? undefined : last
}

/** The places in each frame on the way to the failure, outermost frame first. */
function placesByFrame(outermost: TracedFrame, index: ContractIndex): TracedPlace[][] {
  const path: PlacedEntry[][] = []
  let frame: TracedFrame | undefined = outermost
  while (frame !== undefined && path.length < MOST_DEPTH) {
    path.push(entriesOf(frame, index))
    frame = failingIn(frame)
  }
  return path.map((entries, depth) => {
    const inner = path[depth + 1] ?? []
    const own = entries.slice(commonStart(entries, inner))
    return own.map(({ text, entry }) => ({ text, excerpt: excerptOf(entry) }))
  })
}

function withStacks(call: TracedCall, [own, ...inner]: readonly (readonly TracedPlace[])[]): TracedCall {
  if (own === undefined || call.error === undefined) return call
  let last: TracedCall | undefined
  for (const entry of call.entries) {
    const isFrame = entry.type === 'call' && entry.kind !== 'SELFDESTRUCT' && !isNotSent(entry.error?.message)
    if (isFrame) last = entry
  }
  const entries = call.entries.map((entry) => (entry === last ? withStacks(entry, inner) : entry))
  return { ...call, entries, stack: own }
}

/** A trace with the places of its failure; the frame is that of the same execution. */
export function withPlaces(call: TracedCall, frame: TracedFrame, index: ContractIndex): TracedCall {
  return withStacks(call, placesByFrame(frame, index))
}
