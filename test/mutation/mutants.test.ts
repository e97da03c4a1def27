// The mutants of `npm run mutate`: which changes are made to a source, and which are not.

import { describe, expect, test } from 'vitest'
import { equivalenceOf } from '../../scripts/mutate/equivalents.js'
import { applyMutant, mutantsOf, withProbes } from '../../scripts/mutate/mutants.js'
import { scoreTable } from '../../scripts/mutate/report.js'

/** The mutants of the value that a function returns, apart from `undefined`. */
function mutantsIn(expression: string): string[] {
  const text = `function f(a, b) { return ${expression} }`
  return mutantsOf('src/x.ts', text)
    .mutants.map((mutant) => applyMutant(text, mutant).slice('function f(a, b) { return '.length, -2))
    .filter((changed) => changed !== 'undefined')
}

describe('mutants of an expression', () => {
  test.each<[expression: string, mutants: readonly string[]]>([
    ['a < b', ['a <= b', 'a >= b']],
    ['a >= b', ['a > b', 'a < b']],
    ['a === b', ['a !== b']],
    ['a + b', ['a - b']],
    ['a * b', ['a / b']],
    ['a && b', ['a || b']],
    ['a ?? b', ['a', 'b']],
    ['!a', ['a']],
    ['a ? b : a', ['true ? b : a', 'false ? b : a']],
    ['a?.b', ['a.b']],
    ['7', ['8', '6']],
    ['0', ['1']],
    ['0xffn', ['256n', '254n']],
    ['true', ['false']],
    ["'text'", ["''"]],
    ['[a]', ['[]']],
    ['{ a }', ['{}']],
    ['a.some(b)', ['a.every(b)']],
    ['a.filter(b)', ['a']],
    ['Math.min(a, b)', ['Math.max(a, b)']],
    ["'a' + b", ["'' + b"]],
    ['a as unknown', []],
    ["a as 'type'", []],
    [
      "failure('kind', { a: 1 })",
      ["failure('kind', {})", "failure('kind', { a: 2 })", "failure('kind', { a: 0 })"],
    ],
    ["{ summary: 'words', a }", ['{}']],
  ])('%s', (expression, mutants) => {
    expect(mutantsIn(expression)).toEqual(mutants)
  })
})

test('statements are removed, and conditions are fixed', () => {
  const text = 'function f(a) { if (a) { go(); a = 2 } while (a) a--; throw new Error("words") }'
  const changed = mutantsOf('src/x.ts', text).mutants.map((mutant) => applyMutant(text, mutant))
  expect(changed).toContain(text.replace('if (a)', 'if (true)'))
  expect(changed).toContain(text.replace('if (a)', 'if (false)'))
  expect(changed).toContain(text.replace('go();', ';'))
  expect(changed).toContain(text.replace('while (a)', 'while (false)'))
  expect(changed).toContain(text.replace('a--;', 'a++;'))
  // A loop that never ends would only cost time, and words of an error are no behaviour.
  expect(changed).not.toContain(text.replace('while (a)', 'while (true)'))
  expect(changed).not.toContain(text.replace('"words"', "''"))
})

test('types, imports and comments are left alone', () => {
  const text =
    "import { a } from './a.ts'\n/** At most 5. */\ninterface A { readonly b: 1 | 'x' }\ntype C = 'd'\n"
  expect(mutantsOf('src/x.ts', text).mutants).toEqual([])
})

test('probes run where their region does, and change nothing', () => {
  const text = 'return ((a) => { if (a > 1) return a ?? 0; else a += 1; return a ? () => a : (a && 2) })(x)'
  const wrapped = `function f(x) { ${text} }`
  const { regions } = mutantsOf('src/x.js', wrapped)
  const probed = withProbes(wrapped, regions, (region) => `hit(${region})`)
  const run = (x: number): unknown => {
    const hits: number[] = []
    const f = new Function('hit', `${probed}; return f`)((region: number) => hits.push(region))
    return { result: f(x), regions: new Set(hits).size }
  }
  // All but the default behind ??.
  expect(run(5)).toEqual({ result: 5, regions: 3 })
  // `a += 1` gives 0, so the function is not made, and the 2 not reached.
  expect(run(-1)).toEqual({ result: 0, regions: 5 })
})

test('a mutant in the list of equivalent ones has a reason', () => {
  const text = 'function f() {\n  return a.pooled.arrival < b.pooled.arrival\n}\n'
  const found = mutantsOf('src/core/pool/select.ts', text).mutants.map((mutant) =>
    equivalenceOf(mutant, text),
  )
  expect(found.filter((reason) => reason !== undefined)).toEqual([
    'no two transactions have the same arrival',
  ])
})

test('the score leaves equivalent mutants out', () => {
  const mutant = {
    path: 'src/core/pool/x.ts',
    line: 1,
    start: 0,
    end: 1,
    replacement: '',
    mutator: '',
    region: 0,
  }
  const results = (['killed', 'killed', 'killed', 'survived', 'equivalent'] as const).map((status) => ({
    ...{ mutant, status, by: '', seconds: 0 },
  }))
  expect(scoreTable(results).split('\n').at(-1)?.split(/\s+/)).toEqual([
    'all',
    '5',
    '3',
    '1',
    '1',
    '75.0',
    '%',
  ])
})
