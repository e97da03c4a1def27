// A block of more than 8 MiB, which takes seconds to sign.

import { createEmulator, type Emulator } from 'tickchain'
import type { Hex } from 'viem'
import { expect, test } from 'vitest'
import { forge } from '../core/chain/forge.ts'
import { integer, signItems } from '../core/pool/by-hand.ts'
import { genesisUnder } from './genesis-files.ts'
import { CHAIN_ID, KEYS, SENDERS } from './random-blocks.ts'

const GAS_LIMIT = 300_000_000n

async function start(hardfork: 'prague' | 'osaka'): Promise<Emulator> {
  const genesis = genesisUnder(
    hardfork,
    CHAIN_ID,
    { [SENDERS[0] as Hex]: { balance: '0x56bc75e2d63100000' } },
    GAS_LIMIT,
  )
  return createEmulator({ genesis: genesis as never, accounts: [] })
}

async function refusalOf(chain: Emulator, transaction: Hex): Promise<string | undefined> {
  const header = { gasLimit: integer(GAS_LIMIT), baseFeePerGas: '0x07', excessBlobGas: '0x' } as const
  const outcome = await forge(chain, 'osaka', { transactions: [transaction], header })
  return 'refusal' in outcome ? outcome.refusal.message : undefined
}

// @ethereumjs does not know the limit: its osaka is without EIP-7934.
test('is refused under osaka for its size (EIP-7934), and under prague for what is in it', async () => {
  const data: Hex = `0x${'00'.repeat(8_388_608)}`
  const items = [
    integer(CHAIN_ID),
    '0x',
    '0x01',
    integer(100),
    integer(15_000_000),
    SENDERS[1] as Hex,
    '0x',
    data,
    [],
  ] as const
  const large = await signItems(2, items, KEYS[0] as Hex)
  expect(await refusalOf(await start('osaka'), large)).toMatch(
    /^invalid block 1: size: expected at most 8388608 bytes, got 8389\d{3}$/,
  )
  expect(await refusalOf(await start('prague'), large)).toMatch(
    /^invalid block 1: transaction 0: expected a valid one, got intrinsic gas too low/,
  )
})
