// Changes of a session are in effects, which the node calls with the commit: elsewhere, a command could change
// something although it is refused (docs/ARCHITECTURE.md, "State, commands, reads").
import { expect, test } from 'vitest'
import { blankComments, read, report, sourceFiles } from './repository.ts'

/** Where the handlers of commands are, and what they share. */
const handlers = /^src\/core\/(?:rpc\/(?:methods|requests)\/|rpc\/faulty-dispatch|emulator\/controls\/)/

const outsideEffects =
  /(?<!\(\) =>\s+(?:\w+\.)?)\b(?:(?:inclusionWaits|heldAnswers|bundles|filters|subscriptions|gathered)\.(?:add|set|delete|clear|push|splice)|addFilter|addSubscription|emit)\(/g

function violations(path: string, source: string): string[] {
  return report(path, blankComments(source), outsideEffects, 'belongs into an effect: () => …')
}

test('commands change the promises of the session in effects only', () => {
  const files = sourceFiles().filter((path) => handlers.test(path))
  expect(files.length).toBeGreaterThan(30)
  expect(files.flatMap((path) => violations(path, read(path)))).toEqual([])
})

test.each([
  'session.bundles.set(id, hashes)',
  'inclusionWaits.add({ hash })',
  'return filters.filters.delete(id)',
  'const id = addSubscription(subscriptions, subscription)',
  'effects.push(addFilter(filters, filter))',
])('the rule catches %s', (source) => {
  expect(violations('x', source)).toHaveLength(1)
})

test.each([
  '[() => session.bundles.set(id, hashes)]',
  'effects.push(() => inclusionWaits.add({ hash }))',
  '() =>\n  addFilter(filters, filter)',
  'filters.filters.has(id)',
  "import { addFilter } from '../events/filters.ts'",
])('but not %s', (source) => {
  expect(violations('x', source)).toEqual([])
})
