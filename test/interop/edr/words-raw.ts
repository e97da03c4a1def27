// Signed transactions that are refused.

import { privateKeyToAccount } from 'viem/accounts'
import type { Scenario, Step } from './scenario.ts'
import { ALICE, BOB, differing, scenario, step } from './words-steps.ts'

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')

const ERA = { chainId: 31_337, nonce: 0, to: BOB, gas: 21_000n } as const
const FEES = { type: 'eip1559', maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n } as const
const PRICE = { gasPrice: 3_000_000_000n } as const
const accessList = [{ address: BOB, storageKeys: [] }] as const

const sign = (fields: object) => account.signTransaction({ ...ERA, ...fields } as never)
const raw = async (fields: object): Promise<Step> => step('eth_sendRawTransaction', await sign(fields))

const dynamic = await raw(FEES)
const listed = await raw({ type: 'eip2930', ...PRICE, accessList, gas: 60_000n })
const setCode = await raw({ ...FEES, type: 'eip7702', authorizationList: [] })
const whole = await sign(FEES)

const onFork = (
  hardfork: 'istanbul' | 'berlin' | 'london' | 'cancun',
  ...steps: readonly Step[]
): Scenario => ({
  title: `a signed transaction of a type that ${hardfork} does not have`,
  network: { hardfork },
  options: { hardfork },
  steps,
})

/** A legacy transaction for chain 123, whose r was wiped. */
const WITHOUT_R =
  '0xf3808501dcd6500083015f9080800082011a80a00dbd1a45b7823be518540ca77afb7178a470b8054281530a6cdfd0ad3328cf96'

const undecodable = (message: string): unknown => ({ name: 'InvalidArgumentsError', code: -32602, message })

export const RAW: readonly Scenario[] = [
  scenario(
    'a signed transaction of another chain',
    await raw({ ...FEES, chainId: 1 }),
    await raw({ type: 'legacy', ...PRICE, chainId: 1 }),
    await raw({ type: 'eip2930', ...PRICE, accessList, chainId: 1 }),
  ),
  scenario(
    'a signed transaction that automining refuses',
    await raw({ ...FEES, gas: 20_000n }),
    await raw({ ...FEES, nonce: 3 }),
    await raw({ ...FEES, value: 10n ** 30n }),
    await raw({ ...FEES, maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }),
    await raw({ type: 'legacy', gasPrice: 1n }),
    await raw({ ...FEES, gas: 10n ** 9n }),
    await raw({ ...FEES, to: undefined, data: `0x${'00'.repeat(49_153)}`, gas: 10_000_000n }),
    setCode,
    dynamic,
    dynamic,
    // The transaction itself is looked at first, then its nonce, then the limits of the pool.
    await raw({ ...FEES, gas: 20_000n }),
    await raw({ ...FEES, gas: 10n ** 9n }),
    await raw({ ...FEES, value: 10n ** 30n }),
  ),
  scenario(
    'a signed transaction that the pool refuses',
    step('evm_setAutomine', false),
    dynamic,
    dynamic,
    await raw({ ...FEES, value: 1n }),
    await raw({ ...FEES, nonce: 1, gas: 10n ** 9n }),
    await raw({ ...FEES, nonce: 1, gas: 20_000n }),
    await raw({ ...FEES, nonce: 1, value: 10n ** 30n }),
    step('evm_mine'),
    await raw({ ...FEES, value: 1n }),
  ),
  onFork('istanbul', dynamic, listed, setCode),
  onFork('berlin', dynamic, setCode),
  onFork('london', setCode),
  onFork('cancun', setCode),
  scenario('a signature whose r is zero', step('eth_sendRawTransaction', WITHOUT_R)),
  scenario(
    'bytes that are no transaction',
    step('eth_sendRawTransaction', '0x'),
    step('eth_sendRawTransaction', '0x01'),
    step('eth_sendRawTransaction', '0x02c0'),
    step('eth_sendRawTransaction', '0xc0'),
    step('eth_sendRawTransaction', '0x03c0'),
    step('eth_sendRawTransaction', '0x05c0'),
    step('eth_sendRawTransaction', whole.slice(0, -4)),
  ),
  differing(
    'bytes that are no transaction, in the words of another decoder',
    'Both decoders refuse them with the same code; the reasons are those of libraries.',
    [
      step('eth_sendRawTransaction', `0x02${'00'.repeat(40)}`),
      undecodable('rlp: invalid RLP: remainder must be zero'),
    ],
    [step('eth_sendRawTransaction', '0x12'), undecodable('input too short')],
  ),
  scenario('nothing of a refused transaction remains', await raw({ ...FEES, gas: 20_000n }), {
    ...step('eth_getTransactionCount', ALICE, 'pending'),
    compare: 'result',
  }),
]
