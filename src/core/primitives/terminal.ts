// Text for a terminal: colours, and lines that fit its width. What a terminal can do is told by the caller.

import { failure } from './errors.ts'
import { describe } from './text-of.ts'

/** The format of printed text. */
export interface TerminalFormat {
  /** Colours it for a terminal. Default false. */
  readonly color?: boolean
  /** Columns, from 20 on: longer lines are broken. Default as long as they are. */
  readonly width?: number
}

function refuseFormat(option: string, expected: string, value: unknown): never {
  throw failure('invalidOption', { option, reason: `expected ${expected}, got ${describe(value)}` })
}

/** Checks a format; throws `invalidOption`, as for a width of NaN, which `COLUMNS` is where it is not set. */
export function checkFormat({ color, width }: TerminalFormat): {
  color?: boolean | undefined
  width?: number | undefined
} {
  if (color !== undefined && typeof color !== 'boolean') refuseFormat('color', 'true or false', color)
  const isWidth = width === undefined || (typeof width === 'number' && width >= 1)
  return isWidth ? { color, width } : refuseFormat('width', 'a number of columns from 1', width)
}

export type Paint = (text: string) => string

/** Paints in a colour of the terminal, by its number. */
export function painter(code: number): Paint {
  return (text) => `\u001b[${code}m${text}\u001b[0m`
}

export const plain: Paint = (text) => text

/** Fewer columns would leave no room beside an indentation. */
const LEAST_WIDTH = 20

/** A character with the colour codes before it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes contain it
const CELLS = /(?:\u001b\[\d+m)*(?:.|$)/gsu

/** A text without the codes of colours. */
export function withoutColors(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour codes contain it
  return text.replace(/\u001b\[[\d;]*m/g, '')
}

/**
 * Breaks a line at spaces, or inside of words that are longer than a line.
 *
 * @param line May have colours, which take no room.
 * @param width Columns; `undefined` for any number.
 * @param indentOf What the further lines begin with, by the visible text of the first.
 */
export function breakLine(
  line: string,
  width: number | undefined,
  indentOf: (visible: string) => string,
): string[] {
  const visible = withoutColors(line)
  const columns = width === undefined ? undefined : Math.max(width, LEAST_WIDTH)
  if (columns === undefined || [...visible].length <= columns) return [line]
  const indent = [...indentOf(visible)].slice(0, columns - LEAST_WIDTH / 2).join('')
  const lines: string[] = []
  let cells: readonly string[] = line.match(CELLS) ?? []
  while (cells.length > 0) {
    const room = lines.length === 0 ? columns : columns - [...indent].length
    const start = lines.length === 0 ? '' : indent
    const shown = cells.map(withoutColors)
    const text = shown.filter((character) => character !== '').length
    if (text <= room) {
      lines.push(start + cells.join(''))
      break
    }
    // The first line keeps its own indentation.
    const least = lines.length === 0 ? [...indentOf(visible)].length : 0
    const space = shown.lastIndexOf(' ', room)
    const end = space > least ? space : room
    lines.push(start + cells.slice(0, end).join(''))
    cells = cells.slice(space > least ? end + 1 : end)
  }
  return lines
}
