// Random commands and reads on a chain on which empty blocks are common.

import fc from 'fast-check'
import { type Hex, hexToNumber, numberToHex, parseGwei } from 'viem'
import type { Emulator } from '../../../../src/index.ts'
import { alice, BOB, bob, transfer } from '../../rpc/scene.ts'
import { blockOf, heightOf, type Way } from './stepwise.ts'

export async function ask<Result>(chain: Emulator, method: string, ...params: unknown[]): Promise<Result> {
  return (await chain.request(method, params)) as Result
}

export type Step =
  | { readonly do: 'advance'; readonly ms: number }
  | { readonly do: 'mine'; readonly count: number }
  | { readonly do: 'send'; readonly from: 0 | 1; readonly gap: number; readonly capGwei: number }
  | { readonly do: 'reorg'; readonly depth: number; readonly isReplaced: boolean }
  | { readonly do: 'shift' | 'stamp' | 'edit'; readonly seconds: number }
  | { readonly do: 'snapshot' | 'revert' | 'look' }

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('mine' as const), count: fc.integer({ min: 1, max: 30 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      from: fc.constantFrom(0 as const, 1 as const),
      gap: fc.constantFrom(0, 0, 0, 1),
      capGwei: fc.constantFrom(0.00001, 0.01, 0.5, 10),
    }),
  },
  fc.record({
    do: fc.constant('reorg' as const),
    depth: fc.integer({ min: 1, max: 20 }),
    isReplaced: fc.boolean(),
  }),
  fc.record({
    do: fc.constantFrom('shift' as const, 'stamp' as const, 'edit' as const),
    seconds: fc.integer({ min: 1, max: 90 }),
  }),
  fc.record({ do: fc.constantFrom('snapshot' as const, 'revert' as const, 'look' as const) }),
)

/** Performs a step; a refusal is part of the outcome. */
export async function perform({ chain, advance, mine }: Way, it: Step): Promise<unknown> {
  switch (it.do) {
    case 'advance':
      return advance(it.ms)
    case 'mine':
      return mine(it.count)
    case 'send': {
      const signer = it.from === 0 ? alice : bob
      const nonce = hexToNumber(await ask<Hex>(chain, 'eth_getTransactionCount', signer.address, 'pending'))
      const cap = parseGwei(it.capGwei.toFixed(9))
      const fees = { maxFeePerGas: cap, maxPriorityFeePerGas: cap < 1000n ? 0n : 1000n }
      const raw = await signer.signTransaction({ ...transfer(BOB, nonce + it.gap), ...fees })
      return ask(chain, 'eth_sendRawTransaction', raw).catch(({ code }) => code)
    }
    case 'reorg': {
      const depth = Math.min(it.depth, await heightOf(chain))
      return depth === 0 ? undefined : chain.reorg({ depth, ...(it.isReplaced ? {} : { blocks: [] }) })
    }
    case 'shift':
      return ask(chain, 'evm_increaseTime', it.seconds)
    case 'stamp': {
      const { timestamp } = await blockOf(chain, await heightOf(chain))
      const asked = hexToNumber(timestamp) + it.seconds
      return ask(chain, 'evm_setNextBlockTimestamp', asked).catch(({ code }) => code)
    }
    case 'edit':
      return ask(chain, 'anvil_setBalance', BOB, numberToHex(10n ** 18n + BigInt(it.seconds)))
    case 'snapshot':
      return ask(chain, 'evm_snapshot')
    case 'revert':
      return ask(chain, 'evm_revert', '0x0')
    case 'look':
      return (await blockOf(chain, await heightOf(chain))).hash
  }
}
