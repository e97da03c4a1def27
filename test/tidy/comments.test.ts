// Doc comments name what they stand above: a noun phrase or a verb, not a subordinate clause.
import { expect, test } from 'vitest'
import { read, report, sourceFiles } from './repository.ts'

/** A few may stand where a clause is the plainest wording. */
const MOST = 30
const clauses = /\/\*\*\s+(?:\*\s+)?(?:What|Whether|How|Of)\b.*/g

function clauseViolations(path: string, source: string): string[] {
  return report(path, source, clauses, 'begin with a noun phrase or a verb')
}

test(`at most ${MOST} doc comments in src/ begin with What, Whether, How or Of`, () => {
  const found = sourceFiles().flatMap((path) => clauseViolations(path, read(path)))
  expect(found.length, found.join('\n')).toBeLessThanOrEqual(MOST)
})

test.each([
  '/** What a worker writes. */',
  '/**\n * Whether it is sealed.\n */',
  '  /** How many there are. */',
  '/** Of `opening`. */',
])('the rule catches %j', (source) => {
  expect(clauseViolations('x.ts', source)).toHaveLength(1)
})

test.each([
  '/** The words of a failure: what a worker writes. */',
  '/** True if it is sealed. */',
  '/** Whatever is left. */',
  '// What follows is generated.',
  '/**\n * The number.\n * What is more, of all.\n */',
])('but not %j', (source) => {
  expect(clauseViolations('x.ts', source)).toEqual([])
})
