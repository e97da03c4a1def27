// Values and errors as the console of the playground shows them.

import inspect from 'object-inspect'

/** A value: strings as they are. */
export function describe(value: unknown): string {
  if (typeof value === 'string') return value
  return value instanceof Error ? `${value.name}: ${value.message}` : inspect(value, { depth: 6 })
}

/** A line of a stack in Solidity, such as `at Token.move (Token.sol:47)`; not one of a browser. */
const SOLIDITY = /^\s+at [^()]+ \((?:[^():]+:\d+|0x[0-9a-f]+)\)$/

/** Lines of a stack that the reader knows: those in Solidity, and those of the scene. */
function knownLines(stack: string, address: string): string[] {
  return stack.split('\n').flatMap((line) => {
    if (SOLIDITY.test(line)) return [line.trim()]
    const [, place] = line.split(`${address}:`)
    return place === undefined ? [] : [`at scene.js:${place.replace(/\)$/, '')}`]
  })
}

/** An error and its causes: its message, the lines in Solidity, and those of the scene. */
export function describeError(error: unknown, address: string): string {
  const lines: string[] = []
  for (let cause = error; cause instanceof Error && lines.length < 50; cause = cause.cause) {
    lines.unshift(...knownLines(cause.stack ?? '', address))
  }
  return [describe(error), ...new Set(lines)].join('\n    ')
}

/** The line of the scene where an error was thrown, or its first cause that has one. */
export function lineOfError(error: unknown, address: string): number | undefined {
  const line = /\bat scene\.js:(\d+)/.exec(describeError(error, address))?.[1]
  return line === undefined ? undefined : Number(line)
}
