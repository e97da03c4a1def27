// Dumps of random chains: the same bytes on both interpreters, and no change that is none.

import { gunzipSync } from 'node:zlib'
import { RLP } from '@ethereumjs/rlp'
import fc from 'fast-check'
import type { Emulator } from 'tickchain'
import { fromRlp, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { call, op, push, sload, sstore } from './bytecode.ts'
import { type RandomChain, randomChains } from './random-chains.ts'
import { sealTransaction, startRandom } from './random-emulator.ts'

const RUNS = 50

type Interpreter = 'wasm' | 'reference'

/** A chain with one transaction in each block. */
async function run(interpreter: Interpreter, random: RandomChain): Promise<Emulator> {
  const chain = await startRandom(random, { interpreter })
  for (const transaction of random.transactions) await sealTransaction(chain, transaction)
  return chain
}

interface Dump {
  readonly tickchain: { readonly blocks: readonly { readonly packed: string }[] }
}

async function dumpOf(chain: Emulator): Promise<{ readonly bytes: Uint8Array; readonly content: Dump }> {
  const bytes = await chain.dump()
  return { bytes, content: JSON.parse(gunzipSync(bytes).toString()) as Dump }
}

test('are the same bytes on both interpreters', async () => {
  await fc.assert(
    fc.asyncProperty(randomChains('prague', [0n, 1n, 10_000n]), async (random) => {
      const [wasm, reference] = [await run('wasm', random), await run('reference', random)]
      const [ours, theirs] = [await dumpOf(wasm), await dumpOf(reference)]
      // The content first, because its difference can be read.
      expect(ours.content).toEqual(theirs.content)
      expect(ours.bytes).toEqual(theirs.bytes)
    }),
    { numRuns: RUNS, seed: 13 },
  )
})

/** The accounts that a block changed: the last of its three RLP lists. */
function changesIn({ tickchain }: Dump, number: number): Map<Hex, unknown[]> {
  const packed = Buffer.from(tickchain.blocks[number]?.packed ?? '', 'base64')
  expect(packed[0], 'without a bloom filter').toBe(0)
  let rest: Uint8Array = packed.subarray(1)
  for (let list = 0; list < 2; list++) rest = RLP.decode(rest, true).remainder
  const accounts = fromRlp(new Uint8Array(rest), 'hex') as [Hex, ...unknown[]][]
  return new Map(accounts.map(([address, ...fields]) => [address, fields]))
}

const SENDER: Hex = `0x${'5e'.repeat(20)}`
const CALLER: Hex = `0x${'c0'.repeat(20)}`
const TOUCHED: Hex = `0x${'c1'.repeat(20)}`

test.each<Interpreter>(['wasm', 'reference'])(
  'leave out what was only touched, on %s',
  async (interpreter) => {
    const chain = await run(interpreter, {
      genesis: {
        [SENDER]: { balance: 10n ** 20n },
        // Calls the other account, writes what its slot 0 holds already, and changes slot 1 there and back.
        [CALLER]: {
          nonce: 1n,
          code: [
            ...call({ kind: op.CALL, to: push(TOUCHED), gas: 60_000 }),
            op.POP,
            ...sstore(0, sload(0)),
            ...sstore(1, push(5)),
            ...sstore(1, push(0)),
            ...sstore(2, push(6)),
          ],
          storage: { 0: 7 },
        },
        [TOUCHED]: { nonce: 1n, balance: 1n, code: sstore(0, push(7)), storage: { 0: 7 } },
      },
      transactions: [{ from: SENDER, to: CALLER }],
    })
    const { content } = await dumpOf(chain)
    const changed = changesIn(content, 1)
    expect(changed.has(TOUCHED)).toBe(false)
    // Nonce, balance, no new code, and slot 2, which was written alone.
    expect(changed.get(CALLER)).toEqual(['0x01', '0x', '0x', ['0x02', '0x06']])
  },
)
