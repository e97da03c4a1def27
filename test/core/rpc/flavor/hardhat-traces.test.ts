// Traces in the flavor hardhat, as Hardhat 3.18 (EDR 0.22) answers them. Each line of the recording is a request and
// its result; H1 and H2 stand for the hashes of its two transactions.

import { readFileSync } from 'node:fs'
import type { Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { ALICE, type Scene, startScene } from '../scene.ts'

interface Recorded {
  readonly method: string
  readonly params: readonly unknown[]
  readonly result: unknown
}

const file = new URL('hardhat-traces.jsonl', import.meta.url)
const recorded = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line): Recorded => JSON.parse(line))

/** Writes 42 to slot 0, calls the identity precompile, and returns 7, or reverts with it if there is calldata. */
const CODE =
  '0x602c600c600039602c6000f3602a6000556007600052602060206020600060045afa50600054505b361560265760206000fd5b60206000f3'

let scene: Scene
let hashes: Record<'H1' | 'H2', Hex>

beforeAll(async () => {
  scene = await startScene({ flavor: 'hardhat', production: 'auto' })
  const fields = { from: ALICE, gas: '0x100000', gasPrice: '0x77359400' }
  const H1 = await scene.ask<Hex>('eth_sendTransaction', { ...fields, data: CODE })
  const { contractAddress } = await scene.ask<{ contractAddress: Hex }>('eth_getTransactionReceipt', H1)
  hashes = { H1, H2: await scene.ask('eth_sendTransaction', { ...fields, to: contractAddress }) }
})

const cases = recorded.map((each) => [`${each.method} ${JSON.stringify(each.params)}`, each] as const)

test.each(cases)('%s', async (_, { method, params: [first, ...others], result }) => {
  const subject = first === 'H1' || first === 'H2' ? hashes[first] : first
  expect(await scene.ask(method, subject, ...others)).toEqual(result)
})

test('a transaction that is not there', async () => {
  const unknown = `0x${'11'.repeat(32)}`
  await expect(scene.ask('debug_traceTransaction', unknown)).rejects.toMatchObject({
    code: -32_000,
    message: `Unable to find a block containing transaction ${unknown}`,
  })
})
