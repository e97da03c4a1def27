import { base, createEmulator, formatTimeline, recordTimeline } from 'tickchain'
import { expect, test } from 'vitest'
import { read } from '../tidy/repository.ts'

const [alice, bob] = [`0x${'a1'.repeat(20)}`, `0x${'b0'.repeat(20)}`] as const

/** What happened, by fork. */
const timelines = new Map<string, string>()

test.each([
  // A flashblock shows the receipt at once; its block is sealed after 2 s.
  ['cobalt', { confirmedAfterMs: 200, sealedAfterMs: 2000 }],
  // A block is sealed every 200 ms, and nothing is shown before.
  ['denim', { confirmedAfterMs: 200, sealedAfterMs: 200 }],
] as const)('a transfer under %s', async (fork, expected) => {
  const alloc = { [alice]: { balance: 10n ** 18n } }
  const chain = await createEmulator(base({ fork, genesis: { timestamp: 1_800_000_000, alloc } }))
  const timeline = recordTimeline(chain)
  await chain.impersonate(alice)
  const sent = { from: alice, to: bob, value: '0x1' } as const
  const hash = await chain.request('eth_sendTransaction', [sent])
  const times = { confirmedAfterMs: 0, sealedAfterMs: 0 }
  for (let ms = 200; ms <= 2000; ms += 200) {
    await chain.advance(200)
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    const isSealed = Number(await chain.request('eth_blockNumber')) >= Number(receipt?.blockNumber ?? '0x7f')
    if (receipt) times.confirmedAfterMs ||= ms
    if (isSealed) times.sealedAfterMs ||= ms
  }
  expect(times).toEqual(expected)
  timelines.set(fork, formatTimeline(timeline))
})

// The page has the code above, and the beginnings of the timelines.
test('the page shows what is executed here', () => {
  const page = read('docs/recipes/denim.md')
  const code = read('test/docs/flashblocks-to-denim.test.ts').split('\n// The page has')[0] as string
  expect(page).toContain(code.replace("import { read } from '../tidy/repository.ts'\n", ''))
  for (const timeline of timelines.values())
    expect(page).toContain(timeline.split('\n').slice(0, 7).join('\n'))
})
