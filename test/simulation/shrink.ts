// Shrinking of a failing program to a readable length.

import type { Command, Program } from './commands.ts'

type Groups = Program['groups']

/** How often a program is tried, at the most. */
const MOST_TRIALS = 150

/** Without those from `start` on, as many as `count`. */
function without<Item>(items: readonly Item[], start: number, count: number): Item[] {
  return [...items.slice(0, start), ...items.slice(start + count)]
}

/** Leaves out as many items as it can, large pieces first, while the rest still fails. */
async function reduce<Item>(
  items: readonly Item[],
  fails: (rest: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let left = items
  for (let size = Math.ceil(items.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = left.length - size; start > -size; start -= size) {
      const rest = without(left, Math.max(0, start), Math.min(size, start + size))
      if (rest.length < left.length && (await fails(rest))) left = rest
    }
  }
  return left
}

/** The least part of a program that still fails, as far as it is found. */
export async function shrink(groups: Groups, fails: (groups: Groups) => Promise<boolean>): Promise<Groups> {
  let trials = 0
  const stillFails = async (rest: Groups): Promise<boolean> => ++trials <= MOST_TRIALS && fails(rest)
  let left = await reduce(groups, stillFails)
  for (const [index, group] of left.entries()) {
    const within = (commands: readonly Command[]) =>
      stillFails(left.map((each, i) => (i === index ? commands : each)))
    if (group.length < 2) continue
    const reduced = await reduce(group, within)
    left = left.map((each, i) => (i === index ? reduced : each))
  }
  return left
}

/** A program as a person reads it: a command a line, groups apart. */
export function show(groups: Groups): string {
  return groups.map((group) => group.map((command) => JSON.stringify(command)).join('\n')).join('\n\n')
}
