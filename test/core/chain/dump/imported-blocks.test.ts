// Dumps of chains with imported blocks: what blocks that are built here do not have.

import { createEmulator, type Emulator, type GenesisOptions } from 'tickchain'
import { concat, encodeAbiParameters, fromRlp, type Hex, sha256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { ALICE, alice, BOB } from '../../rpc/scene.ts'
import { type Era, type Forged, forge, genesisOf, integer, MINER, startChain } from '../forge.ts'

const gwei = 10n ** 9n

/** Loads the dump of a chain elsewhere, and compares the blocks, the receipts, and what is built on them. */
async function expectSameWhenLoaded(chain: Emulator, genesis: GenesisOptions): Promise<void> {
  const copy = await createEmulator({ genesis, state: await chain.dump() })
  const head = Number(await chain.request('eth_blockNumber'))
  for (let number = 0; number <= head; number++) {
    const at = toHex(number)
    for (const method of ['debug_getRawBlock', 'debug_getRawReceipts', 'eth_getBlockReceipts'] as const) {
      expect(await copy.request(method, [at]), `${method} ${at}`).toEqual(await chain.request(method, [at]))
    }
    for (const address of [ALICE, BOB, MINER]) {
      expect(await copy.request('eth_getBalance', [address, at])).toBe(
        await chain.request('eth_getBalance', [address, at]),
      )
    }
  }
  expect(toHex(await copy.dump())).toBe(toHex(await chain.dump()))
}

async function forged(chain: Emulator, era: Era, block: Forged = {}): Promise<void> {
  expect(await forge(chain, era, block)).toHaveProperty('rlp')
}

test('an uncle', async () => {
  const chain = await startChain('istanbul')
  const sibling = await forge(chain.clone(), 'istanbul', { header: { coinbase: BOB } })
  if ('refusal' in sibling) throw sibling.refusal
  await forged(chain, 'istanbul')
  await forged(chain, 'istanbul', { uncles: [sibling.header] })
  expect(await chain.request('eth_getUncleCountByBlockNumber', ['0x2'])).toBe('0x1')
  await expectSameWhenLoaded(chain, genesisOf('istanbul'))
})

test('withdrawals', async () => {
  const chain = await startChain('shanghai')
  // Index, validator, address, and an amount in gwei.
  await forged(chain, 'shanghai', { rest: [[['0x07', '0x08', BOB, '0x09']]] })
  const copy = await createEmulator({ genesis: genesisOf('shanghai'), state: await chain.dump() })
  expect(await copy.request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({
    withdrawals: [{ index: '0x7', validatorIndex: '0x8', address: BOB, amount: '0x9' }],
  })
  expect(await copy.request('eth_getBalance', [BOB, 'latest'])).toBe(toHex(9n * gwei))
  await expectSameWhenLoaded(chain, genesisOf('shanghai'))
})

// The three numbers are uint64 (EIP-4895).
test('a withdrawal of the largest numbers', async () => {
  const chain = await startChain('shanghai')
  const most = `0x${'ff'.repeat(8)}` as const
  await forged(chain, 'shanghai', { rest: [[[most, most, BOB, most]]] })
  const copy = await createEmulator({ genesis: genesisOf('shanghai'), state: await chain.dump() })
  expect(await copy.request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({
    withdrawals: [{ index: most, validatorIndex: most, address: BOB, amount: most }],
  })
  await expectSameWhenLoaded(chain, genesisOf('shanghai'))
})

test('receipts with a state root, before byzantium', async () => {
  const chain = await startChain('frontier')
  const transfer = { type: 'legacy', nonce: 0, gasPrice: gwei, gas: 21_000n, to: BOB, value: 1n } as const
  const { r, s, v } = await signatureOf(transfer)
  const raw = ['0x', integer(gwei), integer(21_000), BOB, '0x01', '0x', integer(v), r, s] as const
  await forged(chain, 'frontier', { transactions: [raw] })
  const [receipt] = (await chain.request('eth_getBlockReceipts', ['0x1'])) ?? []
  expect(receipt).toMatchObject({ root: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  await expectSameWhenLoaded(chain, genesisOf('frontier'))
})

async function signatureOf(transaction: Parameters<typeof alice.signTransaction>[0]) {
  const fields = fromRlp(await alice.signTransaction(transaction), 'hex') as Hex[]
  const [v = '0x', r = '0x', s = '0x'] = fields.slice(6)
  return { v: BigInt(v), r, s }
}

test('a deposit, as a request (EIP-6110, EIP-7685)', async () => {
  const deposits = '0x00000000219ab540356cbb839cbe05303d7705fa'
  // PUSH32 topic, and LOG1 of the calldata under it.
  const topic = '649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5'
  const code: Hex = `0x365f5f377f${topic}365fa1`
  const { config, alloc, ...rest } = genesisOf('prague')
  const genesis = {
    ...rest,
    config: { ...config, depositContractAddress: deposits },
    alloc: { ...alloc, [deposits]: { balance: 0, code } },
  }
  const chain = await createEmulator({ genesis })
  const parts = [48, 32, 8, 96, 8].map((size, index): Hex => `0x${`${index + 1}${index + 1}`.repeat(size)}`)
  const event = encodeAbiParameters(
    parts.map(() => ({ type: 'bytes' })),
    parts,
  )
  const raw = await alice.signTransaction({
    ...{ type: 'eip1559', chainId: 1337, nonce: 0, gas: 200_000n, to: deposits, data: event },
    ...{ maxFeePerGas: 10n * gwei, maxPriorityFeePerGas: 0n },
  })
  await forged(chain, 'prague', { transactions: [raw] })
  expect(await chain.request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({
    requestsHash: sha256(sha256(concat(['0x00', ...parts]))),
  })
  await expectSameWhenLoaded(chain, genesis)
})
