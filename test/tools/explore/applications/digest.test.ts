// The digest by which states count as equal: what is continued once comes to the same ends as if all was continued.

import { createEmulator, type Emulator } from 'tickchain'
import { exploreAll } from 'tickchain/explore'
import { expect, test } from 'vitest'
import {
  createIdentities,
  digestOf,
  type Identities,
  stageOf,
} from '../../../../src/tools/explore/applications/stage.ts'

const shop = `0x${'5a'.repeat(20)}` as const

const run = {
  async pay({ chain }: { readonly chain: Emulator }, who: number): Promise<void> {
    const from = (await chain.listAccounts())[who]
    await chain.request('eth_sendTransaction', [{ ...(from && { from }), to: shop, value: '0x1' }])
  },
}

const script = [
  { action: 'pay', values: 0 },
  { action: 'pay', values: 1 },
  { wait: 'partial' },
  { wait: 'block' },
] as const

/** All that the chain is in the end, of every story. */
async function endsOf(
  digest?: () => string,
): Promise<{ readonly ends: Set<string>; readonly states: number }> {
  const ends = new Set<string>()
  const world = (chain: Emulator) => ({ chain })
  const noteEnd = async ({ chain }: { readonly chain: Emulator }): Promise<void> => {
    ends.add(Buffer.from(await chain.dump()).toString('base64'))
  }
  const { states } = await exploreAll(await createEmulator(), {
    ...{ script, run, world, invariants: {}, eventually: { noteEnd } },
    adversary: ['partials', 'drops', 'reorgs', 'sequencerStops'],
    ...(digest && { digest }),
  })
  return { ends, states }
}

test('equal states have equal ends', { tags: 'gate' }, async () => {
  const all = await endsOf()
  const once = await endsOf(() => '')
  expect(once.ends).toEqual(all.ends)
  expect(once.states).toBeLessThan(all.states)
  expect(all.ends.size).toBeGreaterThan(10)
})

const digestIn = (identities: Identities) => (chain: Emulator) =>
  digestOf(stageOf('explore', chain), identities)

test('what only later answers would show makes states differ', async () => {
  const chain = await createEmulator()
  const changes: readonly ((clone: Emulator) => Promise<unknown>)[] = [
    async () => undefined,
    (clone) => clone.setBalance(shop, 1n),
    (clone) => clone.setNextBlockBaseFee(5n),
    (clone) => clone.setNextBlockPrevRandao(`0x${'01'.repeat(32)}`),
    (clone) => clone.setNextBlockTimestamp(1_704_070_000),
    (clone) => clone.setOrdering('lifo'),
    (clone) => clone.setScheduler(() => []),
    (clone) => clone.setScheduler(({ candidates }) => candidates.map(({ hash }) => hash)),
    (clone) => clone.fault({ method: 'eth_chainId', error: { code: -1, message: 'no' } }),
    (clone) => clone.setPoolLimit(1),
    (clone) => clone.impersonate(shop),
    (clone) => clone.setAutomine(true),
    (clone) => clone.setCoinbase(shop),
    (clone) => clone.increaseTime({ seconds: 1 }),
    (clone) => clone.jump(1000),
    (clone) => clone.advance(200),
    (clone) => clone.advance(2000),
    (clone) => clone.request('evm_snapshot'),
    (clone) => run.pay({ chain: clone }, 0),
    (clone) => run.pay({ chain: clone }, 1),
    async (clone) => {
      await run.pay({ chain: clone }, 0)
      await clone.advance(200)
    },
  ]
  const digestOfChain = digestIn(createIdentities())
  const digests: string[] = []
  for (const change of changes) {
    const clone = chain.clone()
    await change(clone)
    digests.push(await digestOfChain(clone))
  }
  expect(new Set(digests).size).toBe(changes.length)
})

test('the way on which a state was reached does not', async () => {
  const chain = await createEmulator()
  const digestOfChain = digestIn(createIdentities())
  const before = await digestOfChain(chain)
  expect(await digestOfChain(chain.clone())).toBe(before)
  const [there, elsewhere] = [chain.clone(), chain.clone()]
  const start = there.snapshot()
  await run.pay({ chain: there }, 0)
  await there.advance(2000)
  await there.revert(start)
  await there.advance(2000)
  await elsewhere.advance(1000)
  await elsewhere.advance(1000)
  expect(await digestOfChain(there)).toBe(await digestOfChain(elsewhere))
})
