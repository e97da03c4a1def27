import { describe, expect, test } from 'vitest'
import { timelinePage } from '../../../../src/tools/view/timeline/page.ts'
import { readRecord } from '../../../../src/tools/view/timeline/read-record.ts'
import { lifeEvents, recordOf } from './records.ts'

const whole = recordOf(lifeEvents(0, 1, 2000), 2000)

test('a whole record is read as it is', () => {
  expect(readRecord(whole)).toEqual({ record: whole, problems: [] })
  expect(readRecord(JSON.stringify(whole))).toEqual({ record: whole, problems: [] })
})

describe('says what is wrong with', () => {
  test.each([
    [
      'a text that was cut off',
      JSON.stringify(whole).slice(0, 200),
      /^it is not whole JSON, of 200 characters: /,
    ],
    ['an empty text', '', /^it is not whole JSON, of 0 characters: /],
    ['a number', 5, /^expected the record of a timeline, got a number$/],
    ['nothing', undefined, /^expected the record of a timeline, got nothing$/],
    ['another format', { format: 'x' }, /^expected format "tickchain timeline 1", got "x"$/],
    ['a record without layers', { format: whole.format }, /^it has no layer that can be drawn$/],
  ])('%s', (_name, given, problem) => {
    const { record, problems } = readRecord(given)
    expect(record).toBeUndefined()
    expect(problems).toEqual([expect.stringMatching(problem)])
    const page = timelinePage(given)
    expect(page).toContain('This timeline cannot be drawn:')
    expect(page).not.toContain('<script')
  })
})

describe('keeps what is whole of', () => {
  const [layer] = whole.layers as [(typeof whole.layers)[0]]
  const withLayer = (changes: object) => ({ ...whole, layers: [{ ...layer, ...changes }] })

  test.each([
    [
      'an unknown event',
      { type: 'exploded', atMs: 0 },
      'layers[0].events[0] has the unknown type "exploded"',
    ],
    [
      'an event that every object has',
      { type: 'toString', atMs: 0 },
      'layers[0].events[0] has the unknown type "toString"',
    ],
    ['an event without a time', { type: 'accepted', transaction: 0 }, 'layers[0].events[0] has no time'],
    [
      'a transaction that is not there',
      { type: 'accepted', atMs: 0, transaction: 7 },
      'layers[0].events[0] of type accepted has a wrong transaction',
    ],
    ['null', null, 'layers[0].events[0] is null'],
  ])('a record with %s', (_name, event, problem) => {
    const { record, problems } = readRecord(withLayer({ events: [event, ...layer.events] }))
    expect(record?.layers[0]?.events).toEqual(layer.events)
    expect(problems).toEqual([problem])
    const page = timelinePage(withLayer({ events: [event, ...layer.events] }))
    expect(page).toContain('The record is damaged.')
    expect(page).toContain('block 1, 1 transaction')
  })

  test('a record that ends in the middle of its last layer', () => {
    const { record, problems } = readRecord(withLayer({ end: undefined, transactions: [] }))
    expect(record?.layers[0]?.end.atMs).toBe(layer.start.atMs)
    expect(problems).toEqual([
      'layers[0].events[0] of type accepted has a wrong transaction, and 2 other events of it cannot be read either',
      'layers[0] does not say when it ends',
    ])
  })
})
