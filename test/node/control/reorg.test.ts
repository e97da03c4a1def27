// Reorganisations. Refusals of replacement transactions have geth's messages (core/error.go, core/txpool).

import type { EmulatorOptions } from 'tickchain'
import { type Hex, parseEther } from 'viem'
import { expect, test } from 'vitest'
import { FORKS_BY_NUMBER } from '../../forks.ts'
import { ALICE, alice, BOB, bob, startScene, transfer, transferFees } from '../../rpc/scene.ts'

/** Prague at first, and osaka half a minute later. */
const forking: EmulatorOptions['genesis'] = {
  config: {
    chainId: 31_337,
    ...FORKS_BY_NUMBER,
    ...{ terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 },
    ...{ pragueTime: 0, osakaTime: 30 },
  },
}

async function reasonOf(reorg: Promise<void>): Promise<string> {
  const error = await reorg.then(
    () => undefined,
    (thrown: { kind: string; message: string }) => thrown,
  )
  expect(error?.kind).toBe('replacementNotExecutable')
  return (
    error?.message.replace(/^transaction 0x[0-9a-f]{64} cannot execute in the replacement block: /, '') ?? ''
  )
}

test("the refusal has geth's reason", async () => {
  const { chain } = await startScene()
  await chain.seal()
  await chain.seal()
  const signed = (changes: object): Promise<Hex> => alice.signTransaction({ ...transfer(BOB, 0), ...changes })
  const reason = async (...raws: Hex[]): Promise<string> =>
    reasonOf(chain.reorg({ depth: 1, blocks: [raws] }))
  expect(await reason(await signed({ nonce: 1 }))).toBe('nonce too high')
  const twice = [await signed({}), await signed({ value: 2n })] as const
  expect(await reason(...twice)).toBe('nonce too low')
  expect(await reason(await signed({ value: parseEther('10000') }))).toBe(
    'insufficient funds for gas * price + value',
  )
  const cheap = { maxFeePerGas: 7n, maxPriorityFeePerGas: 0n }
  expect(await reason(await signed(cheap))).toBe('max fee per gas less than block base fee')
  const large = await Promise.all([
    alice.signTransaction({ ...transferFees, to: BOB, nonce: 0, gas: 60_000_000n }),
    bob.signTransaction({ ...transferFees, to: ALICE, nonce: 0, gas: 60_000_000n }),
  ])
  expect(await reason(...large)).toBe('exceeds block gas limit')
  await chain.setCode(ALICE, '0x00')
  // An edit of the head is gone with it; one below stays.
  await chain.seal()
  expect(await reason(await signed({}))).toBe('sender not an eoa')
})

test('one pooled before a fork that forbids it, named by its hash', async () => {
  const { chain, send } = await startScene({ genesis: forking })
  // EIP-7825, from osaka on: no more than 2^24 gas.
  await chain.setBalance(ALICE, parseEther('100'))
  const hash = await send(alice, { ...transferFees, to: BOB, nonce: 1, gas: 20_000_000n })
  await chain.advance(40_000)
  const head = Number(await chain.request('eth_blockNumber'))
  expect(await reasonOf(chain.reorg({ depth: 1, blocks: [[hash]] }))).toBe(
    'transaction gas limit too high (cap: 16777216, tx: 20000000)',
  )
  expect(Number(await chain.request('eth_blockNumber'))).toBe(head)
})
