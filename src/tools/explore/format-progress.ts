// A line on the progress of an exploration, for a terminal. The caller measures the time.

import { refuseCall } from '../../core/emulator/checks.ts'
import { readArgument } from '../../core/primitives/errors.ts'
import { groupDigits } from '../view/numbers.ts'
import type { Progress } from './part-options.ts'
import { sum } from './parts.ts'

function formatSeconds(seconds: number): string {
  const whole = Math.ceil(seconds)
  if (whole < 60) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

function amount(reached: number, of: number | undefined, what: string): string {
  return `${groupDigits(reached)}${of === undefined ? '' : ` of ${groupDigits(of)}`} ${what}`
}

/**
 * A line on how far an exploration has come: runs, states, coverage, how long nothing new was reached, and the time left.
 *
 * @param progress What the option `progress` gets.
 * @param elapsedMs Real milliseconds since it began; without them, the line has no time.
 * @throws TickchainError `invalidCall`
 * @see docs/explore.md
 * @example
 * const coverage = { reached: 9, of: 16, what: 'orders of two steps' }
 * formatProgress({ runs: 1200, of: 10_000, coverage }, 3000) // => '1,200 of 10,000 runs · 9 of 16 orders of two steps · 22 s left'
 */
export function formatProgress(progress: Progress, elapsedMs?: number): string {
  const read = () => (progress as Progress | null)?.runs
  const given: unknown = readArgument('formatProgress', 'a progress', read)
  if (!isCount(given)) refuseCall('formatProgress', 'a progress with the number of its runs', progress)
  if (elapsedMs !== undefined && !isCount(elapsedMs)) refuseCall('formatProgress', 'milliseconds', elapsedMs)
  const { runs, of, states, coverage, quiet = 0 } = progress
  const parts = [amount(runs, of, 'runs')]
  if (states !== undefined) parts.push(amount(states, undefined, 'states'))
  if (coverage !== undefined) parts.push(amount(coverage.reached, coverage.of, coverage.what))
  if (quiet > 0) {
    const since = elapsedMs === undefined ? '' : ` (${formatSeconds((quiet * elapsedMs) / runs / 1000)})`
    parts.push(`nothing new for ${groupDigits(quiet)} runs${since}`)
  }
  if (elapsedMs !== undefined && of !== undefined && runs > 0) {
    parts.push(`${formatSeconds(((of - runs) * elapsedMs) / runs / 1000)} left`)
  } else if (elapsedMs !== undefined) parts.push(formatSeconds(elapsedMs / 1000))
  return parts.join(' · ')
}

/** Progress of several parts. What they share, states and coverage, is the most of one: a lower bound. */
export function addProgress(parts: readonly Progress[]): Progress {
  const isLimited = parts.every(({ of }) => of !== undefined)
  const states = parts.flatMap((part) => part.states ?? [])
  const quiet = parts.flatMap((part) => part.quiet ?? [])
  const [coverage] = parts.flatMap((part) => part.coverage ?? []).sort((a, b) => b.reached - a.reached)
  return {
    runs: sum(parts, ({ runs }) => runs),
    ...(isLimited && { of: sum(parts, ({ of = 0 }) => of) }),
    ...(states.length > 0 && { states: Math.max(...states) }),
    ...(coverage && { coverage }),
    // What is new for one is new for all.
    ...(quiet.length > 0 && { quiet: Math.min(...quiet) * parts.length }),
  }
}
