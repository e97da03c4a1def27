import { createEmulator, type Emulator } from 'tickchain'
import { exploreAll } from 'tickchain/explore'
import { expect, test } from 'vitest'

const pay = async ({ chain }: { readonly chain: Emulator }): Promise<unknown> => {
  const [from = '0x', to = '0x'] = await chain.listAccounts()
  return chain.request('eth_sendTransaction', [{ from, to, value: '0x1' }])
}

/** A payment that is pre-confirmed, and sealed. */
const script = [{ action: 'pay', values: undefined }, { wait: 'partial' }, { wait: 'block' }] as const

const scene = { script, run: { pay }, invariants: {} }

test('without events there is one state for each place of the script', async () => {
  const chain = await createEmulator()
  const report = await exploreAll(chain, { ...scene, adversary: ['drops'], events: 0 })
  expect(report).toEqual({ states: 4, steps: 3, events: 0 })
})

/*
 * By hand. The script has four places: before it, after the payment, after the partial block (+0.2 s), after a block
 * time (+2.2 s). Only in the third is something pre-confirmed, so the only events are the four drops there:
 *
 *   third place      pre-confirmed | in the pool | gone | marked: to the pool at the seal | marked: gone at the seal
 *   fourth place     sealed in block 1                                        by the first, and by the second, which is
 *                                                                             pre-confirmed again at +0.4 s
 *                    block 1 empty, nothing waits                             by the third and by the last
 *                    block 1 empty, pre-confirmed in block 2 at +2.2 s        by the fourth
 *
 * That is 1 + 1 + 5 + 3 states. Steps: 3 of the script, 4 drops, and from each of these the last step.
 */
test('the states of a drop agree with those worked out by hand', async () => {
  const chain = await createEmulator()
  const report = await exploreAll(chain, { ...scene, adversary: ['drops'] })
  expect(report).toEqual({ states: 10, steps: 3 + 4 + 4, events: 4 })
})
