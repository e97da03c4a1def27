// The timeline of a chain or a pair, as lines, as a record and as pictures. What draws is loaded on demand.

import type { Emulator } from '../../core/emulator/api.ts'
import { readOptions } from '../../core/emulator/checks.ts'
import { internalsOf } from '../../core/emulator/internals.ts'
import type { NodeState } from '../../core/node/node-state.ts'
import { load } from '../../core/primitives/loading.ts'
import { text } from '../../core/rpc/codecs/basic.ts'
import { numberFrom } from '../../core/rpc/codecs/codec.ts'
import { or } from '../../core/rpc/codecs/object.ts'
import type { Rollup } from '../pair/rollup.ts'
import type { TimelineRecord } from '../view/timeline/record.ts'
import { linesOf, partLines } from './timeline/lines.ts'
import { type LayerRecording, Recorder } from './timeline/recorder.ts'
import { toRecord } from './timeline/to-record.ts'

/** Options of a timeline. */
export interface TimelineOptions {
  /**
   * The most lines; older ones are dropped. Default 40. Up to two come on top, of a pair one for each layer: a notice
   * of omitted lines, and the current time.
   */
  readonly most?: number
  /**
   * The most events of a layer in the record and in pictures; older ones are dropped, and the pictures say so. A run of
   * empty blocks is one. Default 300,000.
   */
  readonly mostEvents?: number
}

/** Options of a drawing. */
export interface TimelineDrawing {
  /** The title, which is drawn above a picture, too. Default 'Timeline', which is not. */
  readonly title?: string
  /** Pixels. Default 1,000; a page fits its window. */
  readonly width?: number
}

/** The pictures of a timeline. */
export interface TimelinePictures {
  /**
   * Resolves to a picture: an SVG file, in light and dark, that loads nothing.
   *
   * @throws TickchainError `invalidOption`
   */
  toSVG(drawing?: TimelineDrawing): Promise<string>
  /**
   * Resolves to a page in which the timeline can be zoomed and each transaction followed: an HTML file that loads
   * nothing.
   *
   * @throws TickchainError `invalidOption`
   */
  toHTML(drawing?: TimelineDrawing): Promise<string>
}

/** A recording of a chain. */
export interface Timeline extends TimelinePictures {
  /**
   * The events since the recording began, oldest first; each line begins with the seconds since then, of a pair with
   * the layer.
   */
  readonly lines: readonly string[]
  /** The events as plain JSON: to be saved, and drawn later by `timelineFrom`. */
  readonly record: TimelineRecord
  /** Ends the recording; lines and pictures stay as they are. */
  stop(): void
}

const MOST_LINES = 40
const MOST_EVENTS = 300_000

const DRAWING = { title: or(text, undefined), width: or(numberFrom(200), 1000) }

/** The pictures of a record that is read when one is asked for. */
function picturesOf(record: () => unknown): TimelinePictures {
  type Draw = (drawn: unknown, view: { readonly title: string | undefined; readonly width: number }) => string
  const drawnBy =
    (drawer: () => Promise<Draw>) =>
    async (drawing: TimelineDrawing = {}) => {
      const view = readOptions(drawing, DRAWING)
      // The record is read at the call, before anything more happens.
      const drawn = record()
      return (await load(drawer()))(drawn, view)
    }
  return {
    toSVG: drawnBy(async () => (await import('../view/timeline/draw.ts')).timelinePicture),
    toHTML: drawnBy(async () => (await import('../view/timeline/page.ts')).timelinePage),
  }
}

interface NamedLayer {
  readonly name: string
  readonly emulator: Emulator
  readonly names: ReadonlyMap<string, string>
}

/** The contracts of a layer 2 and those on the layer 1, by address. */
function contractNames(chains: Rollup['chains']): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const add = (name: string, of: object): void => {
    if ('address' in of) names.set(`${of.address}`.toLowerCase(), name)
    else for (const [, inner] of Object.entries(of)) add(name, inner)
  }
  for (const { contracts } of chains) for (const [name, of] of Object.entries(contracts)) add(name, of)
  return names
}

function layersOf(chain: Emulator | Rollup): NamedLayer[] {
  const isPair = typeof chain === 'object' && chain !== null && 'l1' in chain && 'chains' in chain
  if (!isPair) return [{ name: 'Chain', emulator: chain as Emulator, names: new Map() }]
  const { l1, chains } = chain
  const names = contractNames(chains)
  const layers2 = chains.map(({ l2 }, index) => ({
    name: chains.length === 1 ? 'Layer 2' : `Layer 2 (${index + 1})`,
    emulator: l2,
    names,
  }))
  return [{ name: 'Layer 1', emulator: l1, names }, ...layers2]
}

function startRecording(
  { name, emulator, names }: NamedLayer,
  settings: { readonly most: number; readonly nextOrder: () => number; readonly isPaired: boolean },
) {
  const { session, watchers } = internalsOf('recordTimeline', emulator)
  const { node, known } = session
  const kindOf = (id: `0x${string}`) => session.subscriptions.subscriptions.get(id)?.kind ?? 'ended'
  const recorder = new Recorder(node.state, { ...settings, kindOf })
  let end: NodeState | undefined
  watchers.add(recorder.take)
  emulator.on('message', recorder.takeMessage)
  return {
    layer: (): LayerRecording => ({ name, recorder, end: end ?? node.state, known, names }),
    stop() {
      end ??= node.state
      watchers.delete(recorder.take)
      emulator.removeListener('message', recorder.takeMessage)
    },
  }
}

/** Records a chain until the lines are read, with the seconds since a moment. */
export function recordPart(chain: Emulator, originMs: number, most: number): () => string[] {
  const layer = { name: '', emulator: chain, names: new Map<string, string>() }
  let order = 0
  const recording = startRecording(layer, { most, nextOrder: () => order++, isPaired: false })
  return () => {
    recording.stop()
    return partLines(recording.layer(), originMs)
  }
}

/** The newest timeline of each emulator; that of a pair is its layer 1's. */
const timelines = new WeakMap<object, Timeline>()

/** The timeline that is recorded of a chain, for the report of its test. */
export function timelineOf(chain: object): Timeline | undefined {
  return timelines.get(chain)
}

/**
 * Records what happens on a chain, or on both layers of a pair, from now on: accepted, replaced and dropped
 * transactions, partial blocks with failures and console.log output, sealed blocks, reorganisations, reverts, faults and
 * messages of subscriptions. It is read as lines of text, as JSON, or as a picture. Empty partial blocks are left out,
 * and a run of empty blocks is one event. Recording costs next to nothing until it is read.
 *
 * @param chain The emulator, or what `createRollup` resolves to.
 * @param options How much is kept.
 * @throws TickchainError `invalidOption`; `invalidCall` for anything but an emulator or a pair
 * @example
 * const timeline = recordTimeline(chain)
 * await chain.advance(4000)
 * console.log(timeline.lines.join('\n'))
 */
export function recordTimeline(chain: Emulator | Rollup, options: TimelineOptions = {}): Timeline {
  const { most, mostEvents } = readOptions(options, {
    most: or(numberFrom(1), MOST_LINES),
    mostEvents: or(numberFrom(1), MOST_EVENTS),
  })
  let order = 0
  const layers = layersOf(chain)
  const settings = { most: mostEvents, nextOrder: () => order++, isPaired: layers.length > 1 }
  const running = layers.map((layer) => startRecording(layer, settings))
  const recordings = () => running.map(({ layer }) => layer())
  const record = () => toRecord(recordings())
  const timeline: Timeline = {
    ...picturesOf(record),
    get lines() {
      return linesOf(recordings(), most)
    },
    get record() {
      return record()
    },
    stop() {
      for (const { stop } of running) stop()
    },
  }
  const [first] = layers
  if (first !== undefined) timelines.set(first.emulator, timeline)
  return timeline
}

/**
 * Draws a record that was saved. A record that was cut off or damaged is drawn as a page or picture that says what is
 * wrong with it.
 *
 * @param record What `timeline.record` was, as JSON text or as the parsed value.
 * @example
 * const timeline = recordTimeline(chain)
 * await chain.advance(4000)
 * const text = JSON.stringify(timeline.record)
 * const page = await timelineFrom(text).toHTML()
 */
export function timelineFrom(record: unknown): TimelinePictures {
  return picturesOf(() => record)
}
