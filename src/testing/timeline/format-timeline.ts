// The lines of a timeline for a terminal.

import { breakLine, type Paint, painter, plain, type TerminalFormat } from '../../primitives/terminal.ts'

/** Colours of lines, by what they begin with after the time. */
const COLORS: readonly (readonly [pattern: RegExp, paint: Paint])[] = [
  [/● (?:block|blocks) /, painter(32)],
  [/├ partial /, painter(33)],
  [/├ (?:orphaned|taken out|replaced|went to|fault) /, painter(31)],
  [/├ pool /, painter(36)],
]

const FAILED = painter(31)
const DIM = painter(2)

/** Time and event of a line: `   +0.2 s  ├ partial 1   `, after the layer if there are several. */
const PARTS = /^(.*?[+-][\d.]+ s {2})([●├◌│] (?:.{10}|blocks [\d-]+) {2})(.*)$/s

function paintLine(line: string): string {
  const [, moment, event, words] = PARTS.exec(line) ?? []
  if (moment === undefined || event === undefined || words === undefined) return DIM(line)
  const [, paint = plain] = COLORS.find(([pattern]) => pattern.test(event)) ?? []
  const failed = words.replace(/ {2}failed: .*$/, FAILED)
  return DIM(moment) + paint(event) + failed
}

/** Room for what is broken off from a line: the words begin below those before them. */
function indentOf(line: string): string {
  const [, moment = '', event = ''] = PARTS.exec(line) ?? []
  return event === '' ? '' : `${' '.repeat(moment.length)}│${' '.repeat(event.length + 1)}`
}

/**
 * The lines of a timeline as text for a terminal.
 *
 * @param timeline What `recordTimeline` returns.
 * @param format Its colours and its width.
 * @example
 * const timeline = recordTimeline(chain)
 * await chain.advance(4000)
 * console.log(formatTimeline(timeline, { color: true, width: 80 }))
 */
export function formatTimeline(
  { lines }: { readonly lines: readonly string[] },
  { color = false, width }: TerminalFormat = {},
): string {
  return lines.flatMap((line) => breakLine(color ? paintLine(line) : line, width, indentOf)).join('\n')
}
