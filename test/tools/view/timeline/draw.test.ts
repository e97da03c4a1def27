// Pictures of records made by hand: their elements, labels and geometry.

import { describe, expect, test } from 'vitest'
import * as drawing from '../../../../src/tools/view/timeline/draw.ts'
import { timelinePicture } from '../../../../src/tools/view/timeline/draw.ts'
import type { TimelineEvent, TimelineRecord } from '../../../../src/tools/view/timeline/record.ts'
import { hashAt, layerOf, lifeEvents, longRecord, recordOf } from './records.ts'

const drawTimeline = (...given: Parameters<typeof drawing.drawTimeline>): string =>
  drawing.drawTimeline(...given).markup

interface Shape {
  readonly kind: string
  readonly x: number
  readonly width: number
  readonly title: string
}

const DECODED: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&#39;': "'",
  '&quot;': '"',
}

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => DECODED[entity] as string)
}

/** The rectangles of a kind, such as `block full`. */
function rectsIn(svg: string, kind: string): Shape[] {
  const found = svg.matchAll(
    /<rect class="([^"]*)" x="([^"]*)" y="[^"]*" width="([^"]*)"[^>]*><title>([^<]*)</g,
  )
  return [...found]
    .map(([, own = '', x, width, title = '']) => ({
      kind: own.trim(),
      x: Number(x),
      width: Number(width),
      title: decode(title),
    }))
    .filter((shape) => shape.kind.startsWith(kind))
}

function labelsIn(svg: string): string[] {
  return [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text = '']) => decode(text))
}

function elementCount(svg: string): number {
  return svg.match(/<\w/g)?.length ?? 0
}

test('a transaction is drawn from the pool to its block, at its times', () => {
  // Two seconds, and half a block time at the end: 3,000 ms on 3,000 pixels.
  const svg = drawTimeline(recordOf(lifeEvents(0, 1, 2000), 2000), { width: 3000 })
  const [block] = rectsIn(svg, 'block')
  expect(block).toMatchObject({ kind: 'block full', x: 0, width: 2000 })
  expect(block?.title).toBe(
    `block 1, 1 transaction, +2.0 s\n${hashAt(1, 'b')}\n${hashAt(0).slice(0, 10)}  alice → 0xbbbbbbbb`,
  )
  expect(rectsIn(svg, 'partial')).toMatchObject([{ kind: 'partial confirmed', x: 0, width: 200 }])
  expect(rectsIn(svg, 'stay')).toMatchObject([{ kind: 'stay included', x: 0, width: 200 }])
  expect(rectsIn(svg, 'stay')[0]?.title).toContain('waited 0.2 s, then it was included')
  expect(labelsIn(svg)).toEqual(
    expect.arrayContaining(['Blocks', 'Partial blocks', 'Pool', '1 · 1 tx', '1 tx', 'now']),
  )
})

test('a partial block that is closed at once is drawn neither before its block nor before its transaction', () => {
  const events: TimelineEvent[] = [
    { type: 'partial', atMs: 0, block: 1, index: 1, transactions: [0] },
    { type: 'sealed', atMs: 0, timeMs: 1000, block: 1, hash: hashAt(1, 'b'), transactions: [0] },
    { type: 'partial', atMs: 1300, block: 2, index: 2, transactions: [1] },
    { type: 'sealed', atMs: 1300, timeMs: 2000, block: 2, hash: hashAt(2, 'b'), transactions: [1] },
    { type: 'partial', atMs: 2700, block: 3, index: 1, transactions: [2] },
  ]
  // From 0 to 2.7 s, and half a block time: 3,700 ms on 3,700 pixels. Partial block 1 of block 2 ends at 1.2 s. That of
  // block 3 was due at 2.2 s: a transaction closed it.
  const svg = drawTimeline(recordOf(events, 2700), { width: 3700 })
  expect(rectsIn(svg, 'partial').map(({ x, width }) => [x, width])).toEqual([
    [0, 5],
    [1200, 100],
    [2700, 5],
  ])
})

test('only what is in the window is drawn, at its scale', () => {
  const record = recordOf([...lifeEvents(0, 1, 2000), ...lifeEvents(1, 2, 4000)], 4000)
  // From 2.5 s to 5 s of 5 s.
  const svg = drawTimeline(record, { width: 1000, window: [0.5, 1] })
  const [block] = rectsIn(svg, 'block')
  expect(rectsIn(svg, 'block')).toHaveLength(1)
  expect(block?.title).toMatch(/^block 2,/)
  // It ends at 4 s, 1.5 s into the window, at 0.4 pixels for a millisecond.
  expect((block?.x ?? 0) + (block?.width ?? 0)).toBeCloseTo(600, 0)
  expect(rectsIn(svg, 'partial')).toEqual([])
})

describe('branches', () => {
  const reorg: TimelineEvent[] = [
    ...lifeEvents(0, 1, 2000),
    { type: 'orphaned', atMs: 2000, from: 1, to: 1 },
    { type: 'unincluded', atMs: 2000, transaction: 0, reason: 'reorganised', isPooled: true },
    { type: 'empty', atMs: 2000, timeMs: 2000, from: 1, to: 1 },
    { type: 'partial', atMs: 2200, block: 2, index: 1, transactions: [0] },
    { type: 'sealed', atMs: 4000, timeMs: 4000, block: 2, hash: hashAt(2, 'b'), transactions: [0] },
  ]

  test('of a reorganisation stand below each other, at the same time', () => {
    const svg = drawTimeline(recordOf(reorg, 4000), { width: 5000 })
    const [kept, next] = rectsIn(svg, 'block').filter(({ kind }) => !kind.includes('gone'))
    const [gone] = rectsIn(svg, 'block full gone orphaned')
    expect(kept).toMatchObject({ kind: 'block empty', x: 0, width: 2000 })
    expect(gone).toMatchObject({ x: 0, width: 2000 })
    expect(next).toMatchObject({ kind: 'block full', x: 2000, width: 2000 })
    expect(rectsIn(svg, 'partial').map(({ kind, x }) => [kind, x])).toEqual([
      ['partial confirmed', 2000],
      ['partial gone', 0],
    ])
    expect(labelsIn(svg)).toContain('Blocks taken off: orphaned')
    expect(rectsIn(svg, 'stay').map(({ x }) => x)).toEqual([0, 2000])
  })

  test('are joined to the chain by lines that leave out the title of their lane', () => {
    const lineAt = (width: number) =>
      /class="fork" d="([^"]*)"/.exec(drawTimeline(recordOf(reorg, 4000), { width }))?.[1]
    // At the left edge it would go through the title, whose letters are between 14 and 3 pixels above the lane.
    expect(lineAt(5000)).toMatch(/^M0 -28 V-1[5-9] M0 -[12] V24$/)
    const later = [...lifeEvents(0, 1, 2000), ...lifeEvents(1, 2, 4000)]
    const taken: TimelineEvent = { type: 'orphaned', atMs: 4000, from: 2, to: 2 }
    expect(drawTimeline(recordOf([...later, taken], 4000), { width: 5000 })).toContain('d="M2000 -28 V24"')
  })

  test('of a revert keep the partial block that the chain went back to', () => {
    const partial = (atMs: number, index: number, transaction: number): TimelineEvent => ({
      ...{ type: 'partial', atMs, block: 1, index, transactions: [transaction] },
    })
    const sealed = { type: 'sealed', atMs: 2000, timeMs: 2000, block: 1, hash: hashAt(1, 'b') } as const
    const events: TimelineEvent[] = [
      partial(200, 1, 0),
      partial(800, 4, 1),
      { ...sealed, transactions: [0, 1] },
      { type: 'went', atMs: 2000, toMs: 400, block: 0, shared: 0, waiting: [], preconfirmed: [0] },
      partial(600, 3, 2),
    ]
    const shown = rectsIn(drawTimeline(recordOf(events, 600), { width: 5000 }), 'partial')
    expect(shown.map(({ kind, title }) => [kind, title.split(',')[0]])).toEqual([
      ['partial confirmed', 'partial 1 of block 1'],
      ['partial confirmed', 'partial 3 of block 1'],
      ['partial gone', 'partial 4 of block 1'],
    ])
  })

  test('of a revert, and of a second one', () => {
    const went = (atMs: number): TimelineEvent => ({
      ...{ type: 'went', atMs, toMs: 2000, block: 1, shared: 1, waiting: [], preconfirmed: [] },
    })
    const events = [
      ...lifeEvents(0, 1, 2000),
      ...lifeEvents(1, 2, 4000),
      went(4000),
      ...lifeEvents(2, 2, 4000),
      went(4000),
    ]
    const svg = drawTimeline(recordOf(events, 2000), { width: 5000 })
    const gone = rectsIn(svg, 'block full gone reverted')
    expect(gone.map(({ x, width }) => [x, width])).toEqual([
      [2000, 2000],
      [2000, 2000],
    ])
    // Each in a row of its own.
    const rows = [...svg.matchAll(/class="block full gone reverted" x="2000" y="(\d+)"/g)].map(([, y]) => y)
    expect(new Set(rows).size).toBe(2)
  })
})

test('a long idle stretch is short, and says how long it is and how many blocks it has', () => {
  const events: TimelineEvent[] = [
    ...lifeEvents(0, 1, 2000),
    { type: 'empty', atMs: 3_602_000, timeMs: 3_602_000, from: 2, to: 1801 },
    ...lifeEvents(1, 1802, 3_604_000),
  ]
  const svg = drawTimeline(recordOf(events, 3_604_000), { width: 1300 })
  // 2 + 2 s, 4 s for the idle time, 2 + 2 s and 1 s: 13 s on 1,300 pixels.
  const [idle] = rectsIn(svg, 'collapsed')
  expect(idle).toMatchObject({
    x: 400,
    width: 400,
    title: '0:59:56 in which nothing but empty blocks happened',
  })
  expect(labelsIn(svg)).toContain('1,798 empty')
  // The idle time ends 2 s before the last block begins, which is announced there.
  expect(labelsIn(svg)).toContain('+1:00:00')
  expect(labelsIn(svg)).toEqual(expect.arrayContaining(['2', '1,801', '1,802 · 1 tx']))
})

test('faults, drops, replacements and messages of subscriptions are marked', () => {
  const events: TimelineEvent[] = [
    { type: 'accepted', atMs: 0, transaction: 0 },
    { type: 'replaced', atMs: 500, transaction: 0, by: 1 },
    { type: 'accepted', atMs: 500, transaction: 1 },
    { type: 'dropped', atMs: 1000, transactions: [1] },
    { type: 'fault', atMs: 1500, words: 'eth_call: HTTP 429' },
    { type: 'empty', atMs: 2000, timeMs: 2000, from: 1, to: 1 },
    { type: 'told', atMs: 2000, toMs: 2000, subscription: '0x1', kind: 'newHeads', count: 1 },
  ]
  const svg = drawTimeline(recordOf(events, 2000), { width: 3000 })
  const marks = [...svg.matchAll(/<circle class="mark (\w+)" cx="([\d.]+)"/g)].map(([, kind, x]) => [
    kind,
    Number(x),
  ])
  expect(marks).toEqual([
    ['replaced', 500],
    ['dropped', 1000],
    ['fault', 1500],
  ])
  expect(labelsIn(svg)).toEqual(
    expect.arrayContaining([
      'eth_call: HTTP 429',
      '1 transaction dropped from the pool',
      'Told to newHeads 0x1',
    ]),
  )
  expect(rectsIn(svg, 'stay').map(({ kind, x, width }) => [kind, x, width])).toEqual([
    ['stay replaced', 0, 500],
    ['stay dropped', 500, 500],
  ])
  expect(rectsIn(svg, 'told')).toMatchObject([{ x: 1998, title: 'newHeads: 1 message, +2.0 s' }])
})

test('a failed transaction is told apart, with its reason', () => {
  const events: TimelineEvent[] = [
    {
      ...{ type: 'partial', atMs: 200, block: 1, index: 1, transactions: [0, 1] },
      notes: [{ transaction: 1, failure: 'execution reverted: <no>' }],
    },
  ]
  const [partial] = rectsIn(drawTimeline(recordOf(events, 200)), 'partial failed')
  expect(partial?.title).toContain('failed: execution reverted: <no>')
})

test('deposits and withdrawals are arrows between the layers', () => {
  const record: TimelineRecord = {
    format: 'tickchain timeline 1',
    layers: [
      { ...layerOf(lifeEvents(0, 1, 2000), 8000), name: 'Layer 1' },
      { ...layerOf([...lifeEvents(0, 2, 4000), ...lifeEvents(1, 3, 6000)], 8000), name: 'Layer 2' },
    ],
    crossings: [
      {
        kind: 'deposit',
        steps: [
          { name: 'deposited', layer: 0, transaction: 0 },
          { name: 'included', layer: 1, transaction: 0 },
        ],
      },
      {
        kind: 'withdrawal',
        steps: [
          { name: 'initiated', layer: 1, transaction: 1 },
          { name: 'proven', layer: 0, transaction: 0 },
        ],
      },
    ],
  }
  // 8 s and half a block time: 9,000 pixels. Pre-confirmed at 0.2 s on layer 1, at 2.2 s and 4.2 s on layer 2.
  const svg = drawTimeline(record, { width: 9000 })
  const curves = [...svg.matchAll(/class="crossing (\w+)" d="M(\S+) (\S+)C\S+ \S+ \S+ \S+ (\S+) (\S+?)"/g)]
  const [deposit, withdrawal] = curves.map(([, kind, ...numbers]) => [kind, ...numbers.map(Number)])
  expect(deposit?.slice(0, 2)).toEqual(['deposit', 200])
  expect(deposit?.[3]).toBe(2200)
  // Down, and up again.
  expect(Number(deposit?.[4])).toBeGreaterThan(Number(deposit?.[2]))
  expect(withdrawal?.slice(0, 2)).toEqual(['withdrawal', 4200])
  expect(Number(withdrawal?.[4])).toBeLessThan(Number(withdrawal?.[2]))
  expect(labelsIn(svg)).toEqual(expect.arrayContaining(['Layer 1', 'Layer 2']))
})

test('twenty thousand blocks have no more elements than the picture has room for', { tags: 'gate' }, () => {
  const record = longRecord(20_000)
  const whole = drawTimeline(record, { width: 1000 })
  // Pieces of at least two pixels, in three lanes, each with a title.
  expect(elementCount(whole)).toBeLessThan(2500)
  const near = drawTimeline(record, { width: 1000, window: [0.5, 0.5005] })
  // A two thousandth: ten blocks, and those that it cuts.
  const { length } = rectsIn(near, 'block full')
  expect(length).toBeGreaterThanOrEqual(10)
  expect(length).toBeLessThanOrEqual(12)
})

describe('the file', () => {
  const svg = timelinePicture(recordOf(lifeEvents(0, 1, 2000), 2000), { title: 'A <payment>' })

  test('has a title, a description, both schemes, and loads nothing', () => {
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    expect(svg).toContain('<title id="title">A &lt;payment&gt;</title>')
    expect(svg).toContain('Chain: from block 0 to block 0 in 2 s, 1 transaction.')
    expect(svg).toContain('light-dark(')
    // Also for those who look at it.
    expect(labelsIn(svg)[0]).toBe('A <payment>')
    expect(labelsIn(timelinePicture(recordOf([], 2000)))).not.toContain('Timeline')
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg'])
    expect(svg).not.toContain('data-transactions')
  })

  test('of a record that is none says what is wrong', () => {
    const damaged = timelinePicture('{"format":"tickchain time')
    expect(labelsIn(damaged)).toEqual([
      'This timeline cannot be drawn.',
      expect.stringMatching(/^it is not whole JSON, of 25 characters: /),
    ])
  })
})
