import { createEmulator, type Emulator, formatTimeline, recordTimeline } from 'tickchain'
import { encodeFunctionData, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { Console } from '../../contracts/generated.ts'
import { ALICE, BOB } from '../../core/rpc/scene.ts'

const CONSOLE: Hex = `0x${'c0'.repeat(20)}`
const alloc = { [CONSOLE]: { nonce: 1, code: Console.deployedBytecode } }

function send(chain: Emulator, transaction: { to?: Hex; data?: Hex; gasPrice?: Hex; nonce?: Hex }) {
  const request = { from: ALICE, gas: '0x30000', to: BOB, value: '0x0', ...transaction } as const
  return chain.request({ method: 'eth_sendTransaction', params: [request] })
}

/** The lines without what depends on hashes. */
function wordsOf({ lines }: { readonly lines: readonly string[] }): string[] {
  return lines.map((line) => line.trim().replace(/0x[0-9a-f]{8}(?= {2}|:| by|,| |$)/g, '#'))
}

test('tells of a transaction from the pool to its block', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  const hash = await send(chain, {})
  await chain.advance(2000)
  const head = await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] })
  // Alice is 0xf39fd6e5…, Bob 0x70997970….
  const short = hash.slice(0, 10)
  expect(timeline.lines.map((line) => line.trim())).toEqual([
    '+0.0 s  ● block 0     the recording begins',
    `+0.0 s  ├ pool        ${short}  0xf39fd6e5 → 0x70997970, nonce 0`,
    `+0.2 s  ├ partial 1   ${short}  0xf39fd6e5 → 0x70997970`,
    `+2.0 s  ● block 1     ${head?.hash?.slice(0, 10)}, 1 transaction`,
    '+2.0 s  ◌ now         head is block 1, 0 in the pool',
  ])
})

test('tells why a transaction failed, and what its contracts said', async () => {
  const chain = await createEmulator({ abis: [Console], genesis: { alloc } })
  const timeline = recordTimeline(chain)
  const data = encodeFunctionData({ abi: Console.abi, functionName: 'sayAndRevert', args: ['hello\nworld'] })
  await send(chain, { to: CONSOLE, data })
  await chain.advance(200)
  expect(wordsOf(timeline).slice(2, 5)).toEqual([
    '+0.2 s  ├ partial 1   #  # → #  failed: execution reverted: InsufficientBalance(1, 2)',
    '+0.2 s  │               console.log: hello',
    '+0.2 s  │               console.log: world',
  ])
})

test('tells of what is taken back, replaced, lost and moved', async () => {
  const chain = await createEmulator()
  const snapshot = chain.snapshot()
  const timeline = recordTimeline(chain)
  await send(chain, { gasPrice: '0x77359400' })
  await send(chain, { gasPrice: '0xb2d05e00', nonce: '0x0' })
  await chain.advance(4000)
  await chain.reorg({ depth: 2 })
  await chain.increaseTime({ seconds: 60 })
  await chain.setBalance(BOB, 1n)
  await chain.setBalance(BOB, 2n)
  await chain.fault({ method: 'eth_blockNumber', status: 429, times: 1 })
  await chain.fault({ method: 'eth_chainId', delayMs: 0, error: { code: -32000, message: 'no' }, times: 1 })
  await chain.request({ method: 'eth_blockNumber' }).catch(() => undefined)
  await chain.request({ method: 'eth_chainId' }).catch(() => undefined)
  await chain.revert(snapshot)
  expect(wordsOf(timeline)).toEqual([
    '+0.0 s  ● block 0     the recording begins',
    '+0.0 s  ├ pool        #  # → #, nonce 0',
    '+0.0 s  ├ replaced    # by #',
    '+0.0 s  ├ pool        #  # → #, nonce 0',
    '+0.2 s  ├ partial 1   #  # → #',
    '+2.0 s  ● block 1     #, 1 transaction',
    '+4.0 s  ● block 2     empty',
    '+4.0 s  ├ orphaned    blocks 1-2',
    '+4.0 s  ├ taken out   #: its block was replaced, and it waits in the pool again',
    '+4.0 s  ● blocks 1-2  empty',
    '+64.0 s  ├ clock       moved by 60 s',
    '+64.0 s  ├ edit        of accounts, 2 times',
    '+64.0 s  ├ fault       eth_blockNumber: HTTP 429',
    '+64.0 s  ├ fault       eth_chainId: error -32000: no, late by 0 ms',
    '+64.0 s  ├ went to     block 0',
    '+0.0 s  ◌ now         head is block 0, 0 in the pool',
  ])
})

test('empty blocks are one line, however many and however they came', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  for (let block = 0; block < 3; block++) await chain.advance(2000)
  await chain.mine(1000)
  await chain.advance(500)
  expect(wordsOf(timeline)).toEqual([
    '+0.0 s  ● block 0     the recording begins',
    // Each block is due 2 seconds after its parent.
    expect.stringContaining('● blocks 1-1003  empty'),
    expect.stringContaining('head is block 1003, 0 in the pool'),
  ])
})

test('a million empty blocks are one line, too', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await chain.mine(1_000_000)
  const snapshot = chain.snapshot()
  await chain.advance(20_000_000)
  await chain.revert(snapshot)
  expect(wordsOf(timeline)).toEqual([
    expect.stringContaining('● block 0'),
    expect.stringContaining('● blocks 1-1010000  empty'),
    expect.stringContaining('went to     block 1000000'),
    expect.stringContaining('head is block 1000000'),
  ])
})

test('keeps the last lines, and says that others came before', async () => {
  const chain = await createEmulator({ production: 'auto' })
  const timeline = recordTimeline(chain, { most: 4 })
  for (let index = 0; index < 10; index++) await send(chain, {})
  expect(wordsOf(timeline)).toEqual([
    '⋮ earlier lines are left out',
    expect.stringContaining('● block 9'),
    expect.stringMatching(/├ pool .* nonce 9/),
    expect.stringContaining('├ partial 1'),
    expect.stringContaining('● block 10'),
    expect.stringContaining('◌ now'),
  ])
})

test('stops when it is told to, and can be read when the chain is gone', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await chain.advance(2000)
  timeline.stop()
  await chain.advance(2000)
  chain.dispose()
  expect(wordsOf(timeline)).toEqual([
    expect.stringContaining('● block 0'),
    '+2.0 s  ● block 1     empty',
    expect.stringContaining('head is block 1,'),
  ])
})

test('a clone is not recorded', async () => {
  const chain = await createEmulator()
  const timeline = recordTimeline(chain)
  await chain.clone().advance(2000)
  expect(timeline.lines).toHaveLength(2)
})

describe('for a terminal', () => {
  const lines = [
    '    +0.2 s  ├ partial 1   0xaaaaaaaa  0xbbbbbbbb → 0xcccccccc  failed: execution reverted',
    '    +2.0 s  ● block 1     0xdddddddd, 1 transaction',
  ]

  test('the lines as they are', () => {
    expect(formatTimeline({ lines })).toBe(lines.join('\n'))
  })

  test('in colours', () => {
    const [dim, yellow, red, green, off] = [2, 33, 31, 32, 0].map((code) => `\u001b[${code}m`)
    const [partial = '', sealed = ''] = formatTimeline({ lines }, { color: true }).split('\n')
    expect(partial).toBe(
      `${dim}    +0.2 s  ${off}${yellow}├ partial 1   ${off}0xaaaaaaaa  0xbbbbbbbb → 0xcccccccc${red}  failed: execution reverted${off}`,
    )
    expect(sealed).toBe(`${dim}    +2.0 s  ${off}${green}● block 1     ${off}0xdddddddd, 1 transaction`)
  })

  test('in its width, with what is broken off below the words', () => {
    expect(formatTimeline({ lines }, { width: 60 }).split('\n')).toEqual([
      '    +0.2 s  ├ partial 1   0xaaaaaaaa  0xbbbbbbbb →',
      '            │               0xcccccccc  failed: execution',
      '            │               reverted',
      '    +2.0 s  ● block 1     0xdddddddd, 1 transaction',
    ])
  })
})

describe('refuses', () => {
  test.each([{ most: 0 }, { most: 1.5 }, { least: 1 }])('%o', async (options) => {
    const chain = await createEmulator()
    expect(() => recordTimeline(chain, options)).toThrow(expect.objectContaining({ kind: 'invalidOption' }))
  })

  test.each([undefined, null, {}, 'chain'])('%o for a chain', (chain) => {
    expect(() => recordTimeline(chain as never)).toThrow(expect.objectContaining({ kind: 'invalidCall' }))
  })
})
