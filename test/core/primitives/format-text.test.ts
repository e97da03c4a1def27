import { format } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatText } from '../../../src/core/execution/result/console-log.ts'

const seed = 20261121

test.each([
  [[], ''],
  [['100%'], '100%'],
  [['%%'], '%%'],
  [['%%', 'a'], '% a'],
  [['%s is %s', 'a', 'b'], 'a is b'],
  [['%s is %s', 'a'], 'a is %s'],
  [['a', 'b', 'c'], 'a b c'],
  [['%d %i %f', '42', '42.9', '1.5'], '42 42 1.5'],
  [['%d', 'x'], 'NaN'],
  [['%j %o %O', 'a', 'b', "it's"], `"a" 'b' "it's"`],
  [['%c|', 'css'], '|'],
  [['%x', '1'], '%x 1'],
])('%j is formatted as %j', (texts, expected) => {
  expect(formatText(texts)).toBe(expected)
})

test("is node's util.format, for texts", { tags: 'gate' }, () => {
  const piece = fc.constantFrom('%', 's', 'd', 'i', 'f', 'j', 'o', 'O', 'c', 'x', ' ', 'é', '😀')
  const pattern = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
  // Short enough for util.inspect to leave it in one line.
  const letter = fc.constantFrom(
    'a',
    '1',
    '.',
    '-',
    '0',
    "'",
    '"',
    '`',
    '$',
    '{',
    '\\',
    '\n',
    '\0',
    '\x7f',
    '%',
    ' ',
  )
  const argument = fc.array(letter, { maxLength: 8 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(pattern, fc.array(argument, { maxLength: 4 }), (first, rest) => {
      expect(formatText([first, ...rest])).toBe(format(first, ...rest))
    }),
    { seed, numRuns: 5000 },
  )
})
