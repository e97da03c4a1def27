// Shrinking of a failing program to a readable length.

import type { Command, Program } from './commands.ts'

type Groups = Program['groups']

/** Maximum number of attempts for a program. */
const MOST_TRIALS = 150

/** Removes `count` items from `start` on. */
function without<Item>(items: readonly Item[], start: number, count: number): Item[] {
  return [...items.slice(0, start), ...items.slice(start + count)]
}

/** Removes as many items as possible, large pieces first, while the rest still fails. */
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

/** The fewest commands found that still fail. */
export function shrinkItems<Item>(
  items: readonly Item[],
  fails: (rest: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  let trials = 0
  return reduce(items, async (rest) => ++trials <= MOST_TRIALS && fails(rest))
}

/** The smallest part found of a program that still fails. */
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

/** A readable program: one command in each line, groups separated. */
export function show(groups: Groups): string {
  return groups.map((group) => group.map((command) => JSON.stringify(command)).join('\n')).join('\n\n')
}
