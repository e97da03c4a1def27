// The gas of calls as Base has it: minima measured on Base mainnet (beryl) and Base Sepolia (cobalt) by an independent
// implementation, chaintable/leafage-evm.

import { type Address, type Hex, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { BOB, b20Chain, CAROL, createAsset, encode, INTERPRETERS, leastGas } from './b20-chain.ts'

const SENDER_POLICY: Hex = '0xb81736c875ab819dd97f59f2a6542cfb731ad52b4ae15a6f24df2fb02b0327f5'
const EXEMPT_POLICY: Hex = '0xedb5da348cfb67af08746d3afd1be81034b50d5c8576f31aff688f39dfd540ed'

type Case = readonly [name: string, args: readonly unknown[], gas: number, from?: Address]

const BERYL: readonly Case[] = [
  ['DEFAULT_ADMIN_ROLE', [], 106],
  ['balanceOf', [BOB], 2212],
  ['policyId', [SENDER_POLICY], 2212],
  ['transfer', [zeroAddress, 0n], 2218],
  ['transfer', [CAROL, 1n], 6518],
  ['approve', [CAROL, 0n], 4074],
  ['approve', [CAROL, 1n], 23_974],
  ['transfer', [CAROL, 0n], 11_019],
  ['transfer', [BOB, 0n], 9019],
  ['transferWithMemo', [CAROL, 0n, `0x${'42'.padStart(64, '0')}`], 12_080],
  ['transferFrom', [BOB, CAROL, 0n], 14_981],
]

test.each(INTERPRETERS)('calls need the gas of Base mainnet at beryl, on %s', async (interpreter) => {
  const chain = await b20Chain('beryl', interpreter)
  const token = await createAsset(chain)
  for (const [name, args, gas] of BERYL) {
    const least = await leastGas(chain, BOB, token, encode(token, name, ...args), gas)
    expect([name, least]).toEqual([name, gas])
  }
})

/** Transfers of amount zero under real blocklists, as the measured token has them. */
const COBALT: readonly Case[] = [
  ['SEIZE_ROLE', [], 106],
  ['DOMAIN_SEPARATOR', [], 2338],
  ['uiMultiplier', [], 4306],
  ['newUIMultiplier', [], 4406],
  ['totalSupplyUI', [], 6406],
  ['balanceOfUI', [BOB], 6412],
  ['policyId', [EXEMPT_POLICY], 2212],
  ['transfer', [CAROL, 0n], 15_119],
  ['transferFrom', [BOB, CAROL, 0n], 21_181, CAROL],
  ['seizeWithMemo', [BOB, CAROL, 0n, zeroHash], 4330],
  ['permit', [BOB, CAROL, 0n, 2n ** 256n - 1n, 0, zeroHash, zeroHash], 7594],
]

test.each(INTERPRETERS)('calls need the gas of Base Sepolia at cobalt, on %s', async (interpreter) => {
  const chain = await b20Chain('cobalt', interpreter)
  // A name of one word, as the measured token has.
  const token = await createAsset(chain, { name: 'Summit Commerce Corp.' })
  // Sender and receiver have one blocklist, the executor another.
  const root = 0xc78b71fee795ddd74aff64ea9b2474194c938c3196430e10bb5f01ed48434000n
  const policies = 0x4fn | (0x4fn << 64n) | (0x45n << 128n)
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
  await chain.setStorageAt(token, word(root + 9n), word(policies))
  for (const [name, args, gas, from = BOB] of COBALT) {
    const least = await leastGas(chain, from, token, encode(token, name, ...args), gas)
    expect([name, least]).toEqual([name, gas])
  }
})

test('a transfer under real blocklists needs the gas of Base mainnet at beryl', async () => {
  const chain = await b20Chain('beryl')
  const token = await createAsset(chain)
  const root = 0xc78b71fee795ddd74aff64ea9b2474194c938c3196430e10bb5f01ed48434000n
  const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`
  await chain.setStorageAt(token, word(root + 9n), word(5n | (5n << 64n) | (5n << 128n)))
  expect(await leastGas(chain, BOB, token, encode(token, 'transfer', CAROL, 0n), 15_219)).toBe(15_219)
})
