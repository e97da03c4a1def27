// The file of a recording: read at the start of a fork, and written whenever it has learnt something.

import { failure, TickchainError } from '../primitives/errors.ts'
import { describe, textOf } from '../primitives/text-of.ts'
import { type Learning, nothingKnown } from './known.ts'
import { type Digested, learnAll, type RecordedBlock, readRecording, textOfRecording } from './recording.ts'

/** A text file: of a file system (`tickchain/recording`), or anything that keeps a text. */
export interface RecordingFile {
  /** A name for errors, such as its path. */
  readonly name?: string
  /** The text, or `undefined` if there is no file yet. */
  read(): Promise<string | undefined> | string | undefined
  /** Replaces the text, all of it or none. */
  write(text: string): Promise<void> | void
  /** Runs what reads and then writes while nobody else does. Default: the forks of one process take turns. */
  exclusively?<Result>(task: () => Promise<Result>): Promise<Result>
}

/**
 * Mode of a recording: a fork asks for everything and records it ('record'), has what is recorded and never asks
 * ('replay'), or asks for what is not recorded and adds it ('auto').
 */
export type RecordingMode = 'record' | 'replay' | 'auto'

export type ForkRecorder = Awaited<ReturnType<typeof createRecorder>>

const HOW_TO_RECORD = "a run with fork: { upstream, recording, mode: 'auto' }"

function isSame(a: RecordedBlock, b: RecordedBlock): boolean {
  return a.chainId === b.chainId && a.hash === b.hash
}

/** Throws `invalidRecording` if a recording is of another block. */
export function expectSameBlock(recorded: RecordedBlock | undefined, of: RecordedBlock): void {
  if (recorded === undefined || isSame(recorded, of)) return
  const name = ({ chainId, number, hash }: RecordedBlock): string =>
    `block ${number} of chain ${chainId}, ${hash}`
  throw failure('invalidRecording', { reason: `it is of ${name(recorded)}, and the fork of ${name(of)}` })
}

/** Reads or writes a file; what its owner throws is an error of the recording. */
async function useFile<Value>(use: () => Promise<Value> | Value): Promise<Value> {
  try {
    return await use()
  } catch (error) {
    if (error instanceof TickchainError) throw error
    throw failure('invalidRecording', { reason: textOf(error) })
  }
}

/** The last write to a file without a lock: forks of one process may share it. */
const lastWrites = new WeakMap<RecordingFile, Promise<void>>()

function writeAlone(file: RecordingFile, write: () => Promise<void>): Promise<void> {
  if (file.exclusively !== undefined) return file.exclusively(write)
  const written = (lastWrites.get(file) ?? Promise.resolve()).catch(() => undefined).then(write)
  lastWrites.set(file, written)
  return written
}

/**
 * Makes the text with what was learnt; what another test has recorded of the block stays. The text grows by a few
 * entries with each write, so the last one is not read again, nor are its digests computed again.
 */
function createMerger(): (present: string | undefined, of: RecordedBlock, learning: Learning) => string {
  let last: string | undefined
  let merged = nothingKnown()
  const digested: Digested = new Map()
  return (present, of, learning) => {
    if (present === undefined || present !== last) {
      merged = nothingKnown()
      const there = present === undefined ? undefined : readRecording(present)
      if (there !== undefined && isSame(there.of, of)) learnAll(there.learning, merged)
    }
    learnAll(learning, merged)
    last = textOfRecording(of, merged, digested)
    return last
  }
}

function sizeOf({ accounts, slots, answers, nodes }: Learning): number {
  let size = accounts.size + answers.size + nodes.size
  for (const values of slots.values()) size += values.size
  return size
}

/** Throws `invalidRecording` for anything but a text. */
async function readFile(file: RecordingFile): Promise<string | undefined> {
  const text: unknown = await file.read()
  if (text === undefined || typeof text === 'string') return text
  throw failure('invalidRecording', { reason: `expected a text, got ${describe(text)}` })
}

export async function createRecorder(file: RecordingFile, mode: RecordingMode) {
  const text = mode === 'record' ? undefined : await useFile(() => readFile(file))
  if (text === undefined && mode === 'replay') {
    const place = file.name === undefined ? '' : ` at ${file.name}`
    throw failure('invalidRecording', { reason: `there is none${place}; ${HOW_TO_RECORD} makes it` })
  }
  const recorded = text === undefined ? undefined : await useFile(() => readRecording(text))
  const learning = recorded?.learning ?? nothingKnown()
  const merge = createMerger()
  let last: Promise<void> = Promise.resolve()
  let saved = recorded === undefined ? -1 : sizeOf(learning)
  async function write(of: RecordedBlock): Promise<void> {
    const present = await readFile(file)
    const wanted = merge(present, of, learning)
    if (wanted !== present) await file.write(wanted)
  }
  return {
    /** As errors name it. */
    name: file.name === undefined ? 'the recording of the fork' : `the recording ${file.name}`,
    /** The recording, and its block; the fork adds to it. */
    learning,
    of: recorded?.of,
    /** Writes what is known. Other tests may have written to the file: theirs stays. */
    save(of: RecordedBlock): Promise<void> {
      // Entries are only added, so their number tells whether there are new ones.
      if (mode === 'replay' || sizeOf(learning) === saved) return last
      saved = sizeOf(learning)
      // One after another, each with all that is known by then.
      const written = last.then(() => useFile(() => writeAlone(file, () => write(of))))
      last = written.catch(() => {
        saved = -1
      })
      return written
    },
  }
}
