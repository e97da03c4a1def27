import { describe, expect, test } from 'vitest'
import { breakLine, painter } from '../../../src/core/primitives/terminal.ts'

const two = () => '  '

test('a line that fits stays as it is', () => {
  expect(breakLine('a'.repeat(80), 80, two)).toEqual(['a'.repeat(80)])
  expect(breakLine('a'.repeat(999), undefined, two)).toEqual(['a'.repeat(999)])
})

test('a line breaks at spaces, and what follows is indented', () => {
  expect(breakLine('one two three four five six seven', 20, two)).toEqual([
    'one two three four',
    '  five six seven',
  ])
})

test('a word that is longer than a line is cut', () => {
  expect(breakLine('x'.repeat(45), 20, two)).toEqual([
    'x'.repeat(20),
    `  ${'x'.repeat(18)}`,
    `  ${'x'.repeat(7)}`,
  ])
})

test('the indentation of the first line is no place to break', () => {
  expect(breakLine(`    ${'x'.repeat(20)}`, 20, () => '    ')).toEqual([
    `    ${'x'.repeat(16)}`,
    `    ${'x'.repeat(4)}`,
  ])
})

test('colours take no room, and are not cut', () => {
  const red = painter(31)
  expect(breakLine(`${red('one')} two three four ${red('five')} six`, 20, two)).toEqual([
    '\u001b[31mone\u001b[0m two three four',
    '  \u001b[31mfive\u001b[0m six',
  ])
})

describe('every width', () => {
  const line = `    ├─ [123] ${'word '.repeat(20)}${'y'.repeat(50)}`
  test.each([1, 20, 21, 33, 80])('%i: no line is wider, but than 20, and nothing is lost', (width) => {
    const lines = breakLine(line, width, () => '      ')
    for (const each of lines) expect(each.length).toBeLessThanOrEqual(Math.max(width, 20))
    expect(lines.join('').replace(/ /g, '')).toBe(line.replace(/ /g, ''))
  })
})
