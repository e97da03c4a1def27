// Blocks that are invalid for one reason, refused here and by @ethereumjs, or by the standard alone.

import { createEmulator, type Emulator } from 'tickchain'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { forge, type Item } from '../core/chain/forge.ts'
import { integer, signItems } from '../core/pool/by-hand.ts'
import { DEPOSIT_CONTRACT, type GenesisAccount, genesisUnder } from './genesis-files.ts'
import { CHAIN_ID, DEPOSIT_CODE, depositData, KEYS, REQUEST_CONTRACTS, SENDERS } from './random-blocks.ts'
import { type Draft, type ReferenceChain, startReferenceChain } from './reference-chain.ts'

const rich: GenesisAccount = { balance: numberToHex(10n ** 20n) }
const zeros: Hex = `0x${'00'.repeat(32)}`

interface Pair {
  readonly reference: ReferenceChain
  readonly chain: Emulator
}

async function start(hardfork: 'prague' | 'osaka', alloc: Record<Hex, GenesisAccount>): Promise<Pair> {
  const accounts = { [SENDERS[0] as Hex]: rich, ...alloc }
  const genesis = genesisUnder(hardfork, CHAIN_ID, accounts, 300_000_000n)
  return {
    reference: await startReferenceChain(genesis),
    chain: await createEmulator({ genesis: genesis as never, accounts: [] }),
  }
}

function sign(nonce: number, to: Hex, gas: number, data: Hex): Promise<Hex> {
  const fees = ['0x01', integer(100)] as const
  const items: Item[] = [integer(CHAIN_ID), integer(nonce), ...fees, integer(gas), to, '0x', data, []]
  return signItems(2, items, KEYS[0] as Hex)
}

function draft(transactions: readonly Hex[]): Draft {
  return {
    ...{ secondsAfterParent: 10, coinbase: `0x${'cb'.repeat(20)}`, extraData: '0x', mixHash: zeros },
    ...{ gasLimit: 300_000_000n, nonce: '0x0000000000000000', transactions, uncles: [], withdrawals: [] },
    parentBeaconBlockRoot: zeros,
  }
}

async function refusalHere(
  chain: Emulator,
  transactions: readonly Hex[],
  claims: Parameters<typeof forge>[2] = {},
): Promise<string | undefined> {
  const header = { gasLimit: integer(300_000_000), ...claims.header }
  const outcome = await forge(chain, 'osaka', { transactions, header })
  return 'refusal' in outcome ? outcome.refusal.message : undefined
}

const depositContract = { [DEPOSIT_CONTRACT]: { balance: '0x0', nonce: '0x1', code: DEPOSIT_CODE } } as const

describe('deposits (EIP-6110)', () => {
  test('of the right layout are requests', async () => {
    const { reference, chain } = await start('prague', depositContract)
    const built = await reference.build(draft([await sign(0, DEPOSIT_CONTRACT, 200_000, depositData(7))]))
    await chain.importBlocks(built)
    // 48 + 32 + 8 + 96 + 8 bytes after the type, and not the hash of nothing.
    const { requestsHash } = (await chain.request('eth_getBlockByNumber', ['latest', false])) ?? {}
    expect(requestsHash).not.toBe('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  test.each<[what: string, data: Hex]>([
    ['a byte too few', depositData(7).slice(0, -2) as Hex],
    ['a word too many', `${depositData(7)}${'00'.repeat(32)}`],
    ['no data', '0x'],
    ['a signature of 64 bytes', depositData(7, [48, 32, 8, 64, 8])],
    ['credentials of 31 bytes', depositData(7, [48, 31, 8, 96, 8])],
    ['an offset that is another', depositData(7).replace('00a0', '00a1') as Hex],
  ])('with %s make a block invalid', { tags: 'gate' }, async (_, data) => {
    const { reference, chain } = await start('prague', depositContract)
    const transactions = [await sign(0, DEPOSIT_CONTRACT, 200_000, data)]
    await expect(reference.build(draft(transactions))).rejects.toThrow('invalid deposit log')
    expect(await refusalHere(chain, transactions)).toBe(
      `invalid block 1: requests: expected deposits as in EIP-6110, got other data of ${(data.length - 2) / 2} bytes`,
    )
  })
})

describe('a system contract that fails (EIP-7002, EIP-7251)', () => {
  test.each(REQUEST_CONTRACTS)('makes a block invalid, which @ethereumjs/vm takes: %s', async (contract) => {
    // REVERT with a byte of data.
    const alloc = { [contract]: { balance: '0x0', nonce: '0x1', code: '0x60016000fd' } } as const
    const { reference, chain } = await start('prague', alloc)
    const built = await reference.build(draft([]))
    await expect(chain.importBlocks(built)).rejects.toThrow(
      `invalid block 1: requests: expected an answer of ${contract}, got execution reverted`,
    )
  })
})
