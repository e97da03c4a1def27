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

/** Makes a map smaller, each plugin having split its segments. @param {SourceMap} map @returns {SourceMap} */
export function slimMap({ sources, sourcesContent = [], names, mappings, ...rest }) {
  const lines = decode(mappings).map(withoutRepeated)
  return {
    ...rest,
    sources,
    sourcesContent: sources.map((source, index) =>
      OWN.test(source) ? (sourcesContent[index] ?? null) : null,
    ),
    names: uniqueNames(names, lines),
    mappings: encode(lines),
  }
}
