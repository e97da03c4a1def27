// @ts-check
// Source maps as small as they can be without losing a position: what a debugger shows is in them, so that src/ is not
// published beside the bundle.

import { decode, encode } from '@jridgewell/sourcemap-codec'

/**
 * @typedef {import('@jridgewell/sourcemap-codec').SourceMapSegment} Segment
 * @typedef {{ sources: string[], sourcesContent?: (string | null)[], names: string[], mappings: string }} SourceMap
 */

/** Sources whose text is in the map: ours, but for generated ones, which are data. Packages are on npm. */
const OWN = /^(?:\.\.\/)+src\/(?!.*(?:\/|^)generated[\w-]*\.ts$)[^?]*$/

/** A segment that says of the columns after it what the one before it says. @param {Segment | undefined} last @param {Segment} next */
function isRepeated(last, next) {
  return (
    last !== undefined &&
    next.length === 4 &&
    last[1] === next[1] &&
    last[2] === next[2] &&
    last[3] === next[3]
  )
}

/** @param {readonly Segment[]} line */
function withoutRepeated(line) {
  /** @type {Segment | undefined} */
  let last
  return line.filter((segment) => {
    if (isRepeated(last, segment)) return false
    last = segment
    return true
  })
}

/** Each name once. @param {readonly string[]} names @param {Segment[][]} lines */
function uniqueNames(names, lines) {
  const numbers = new Map([...new Set(names)].map((name, number) => [name, number]))
  for (const segment of lines.flat())
    if (segment.length === 5) segment[4] = numbers.get(names[segment[4]] ?? '') ?? 0
  return [...numbers.keys()]
}

/**
 * A map, made smaller, since each plugin has split its segments. In ASCII: Node reads maps with the modules where it is
 * told to show sources, and a file of bytes three times as fast.
 * @param {string} text @returns {string}
 */
export function slimMap(text) {
  /** @type {SourceMap} */
  const { sources, sourcesContent = [], names, mappings, ...rest } = JSON.parse(text)
  const lines = decode(mappings).map(withoutRepeated)
  const slim = {
    ...rest,
    sources,
    sourcesContent: sources.map((source, index) =>
      OWN.test(source) ? (sourcesContent[index] ?? null) : null,
    ),
    names: uniqueNames(names, lines),
    mappings: encode(lines),
  }
  const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return JSON.stringify(slim).replace(/[^\0-\x7f]/g, escaped)
}
