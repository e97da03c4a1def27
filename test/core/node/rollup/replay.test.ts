// Transactions of a rollup executed again: traces, witnesses, changes of balances, simulations.

import type { Emulator } from 'tickchain'
import { type Hex, hexToBigInt, numberToHex, toHex } from 'viem'
import { expect, test } from 'vitest'
import { blockAt, startRollup } from './scene.ts'

const DEPOSITOR: Hex = '0x00000000000000000000000000000000000a11ce'
const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015'
const PASSER: Hex = '0x4200000000000000000000000000000000000016'
const VAULTS = ['11', '19', '1a', '1b'].map((end): Hex => `0x42${end.padStart(38, '0')}`)
const [SEQUENCER_VAULT, BASE_FEE_VAULT, L1_FEE_VAULT, OPERATOR_FEE_VAULT] = VAULTS as [Hex, Hex, Hex, Hex]

/** A rollup with all fees, and a transfer of 5 wei in its block 1. */
async function startWithTransfer() {
  const systemConfig = {
    baseFeeScalar: 2269,
    blobBaseFeeScalar: 1_055_762,
    operatorFeeScalar: 1000,
    operatorFeeConstant: 10,
  }
  const chain = await startRollup({ rollup: { stack: 'op', systemConfig } })
  const [from, to] = (await chain.request('eth_accounts')) as [Hex, Hex]
  const fees = { maxFeePerGas: toHex(2_000_000_000), maxPriorityFeePerGas: toHex(3) }
  const transaction = { from, to, value: '0x5', gas: toHex(50_000), ...fees } as const
  const hash = await chain.request('eth_sendTransaction', [transaction])
  await chain.advance(2000)
  const receipt = (await chain.request('eth_getTransactionReceipt', [hash])) as unknown as Record<string, Hex>
  const read = (name: string) => hexToBigInt(receipt[name] as Hex)
  const gasUsed = read('gasUsed')
  // The operator fee of jovian.
  const rollupFees = read('l1Fee') + gasUsed * 1000n * 100n + 10n
  return { chain, from, to, hash, fees, fee: gasUsed * read('effectiveGasPrice') + rollupFees, rollupFees }
}

interface Balances {
  readonly [address: Hex]: { readonly balance?: Hex }
}

function sum(balances: Balances): bigint {
  return Object.values(balances).reduce((total, { balance }) => total + BigInt(balance ?? '0x0'), 0n)
}

test('the state difference of a transaction has the vaults, and loses nothing', async () => {
  const { chain, from, to, hash, fee } = await startWithTransfer()
  const tracerConfig = { diffMode: true, disableCode: true }
  const { pre, post } = (await chain.request('debug_traceTransaction', [
    hash,
    { tracer: 'prestateTracer', tracerConfig },
  ])) as unknown as { pre: Balances; post: Balances }
  expect(Object.keys(post).sort()).toEqual([from, to, ...VAULTS].sort())
  expect(sum(post)).toBe(sum(pre))
  expect(hexToBigInt(pre[from]?.balance as Hex) - hexToBigInt(post[from]?.balance as Hex)).toBe(fee + 5n)
})

test('the change of a balance may leave out all fees', async () => {
  const { chain, from, to, hash, fee, rollupFees } = await startWithTransfer()
  expect(rollupFees).toBeGreaterThan(2_100_000_010n)
  expect(await chain.balanceChange(hash, from, { fees: 'excluded' })).toBe(-5n)
  expect(await chain.balanceChange(hash, from)).toBe(-5n - fee)
  expect(await chain.balanceChange(hash, to)).toBe(5n)
  expect(await chain.balanceChange(hash, SEQUENCER_VAULT)).toBe(3n * 21_000n)
  expect(await chain.balanceChange(hash, OPERATOR_FEE_VAULT)).toBe(21_000n * 100_000n + 10n)
  const [vaultA, vaultB] = [BASE_FEE_VAULT, L1_FEE_VAULT].map((vault) => chain.balanceChange(hash, vault))
  expect(((await vaultA) as bigint) + ((await vaultB) as bigint)).toBe(
    fee - 3n * 21_000n - 21_000n * 100_000n - 10n,
  )
})

async function depositsIn(chain: Emulator): Promise<readonly Hex[]> {
  const failing = await chain.deposit({
    from: DEPOSITOR,
    to: VAULTS[0],
    value: 7n,
    mint: 3n,
    gasLimit: 100_000n,
  })
  await chain.advance(14_000)
  const created = await chain.deposit({ from: DEPOSITOR, data: '0x60016000f3', mint: 1n, gasLimit: 100_000n })
  await chain.advance(14_000)
  return [failing.hash, created.hash]
}

test('deposits are traced, also long after', { tags: 'gate' }, async () => {
  const { chain } = await startWithTransfer()
  const [failing, created] = (await depositsIn(chain)) as [Hex, Hex]
  const error = `failed deposit: insufficient funds for transfer: address ${DEPOSITOR}`
  const trace = async (hash: Hex) => chain.request('debug_traceTransaction', [hash, { tracer: 'callTracer' }])
  const [ofFailing, ofCreated] = [await trace(failing), await trace(created)]
  expect(ofFailing).toMatchObject({
    type: 'CALL',
    from: DEPOSITOR,
    value: '0x7',
    gasUsed: toHex(100_000),
    error,
  })
  expect(ofCreated).toMatchObject({ type: 'CREATE', from: DEPOSITOR, output: '0x00', gas: toHex(100_000) })
  const receipt = (await chain.request('eth_getTransactionReceipt', [created])) as unknown as Record<
    string,
    Hex
  >
  expect(ofCreated).toMatchObject({ to: receipt['contractAddress'], gasUsed: receipt['gasUsed'] })
  // The nonce of the failed one counts.
  expect(receipt).toMatchObject({ status: '0x1', depositNonce: '0x1' })
  // Archived, and a state dump later.
  await chain.advance(400_000)
  expect([await trace(failing), await trace(created)]).toEqual([ofFailing, ofCreated])
  const other = await startRollup()
  await other.load(await chain.dump())
  expect(await other.request('debug_traceTransaction', [created, { tracer: 'callTracer' }])).toEqual(
    ofCreated,
  )
  expect(await other.request('eth_getTransactionReceipt', [created])).toEqual(receipt)
  expect(await blockAt(other, 'latest')).toEqual(await blockAt(chain, 'latest'))
})

test('a witness has what the protocol reads of a rollup', async () => {
  const { chain, from, to } = await startWithTransfer()
  const { keys } = (await chain.request('debug_executionWitness', ['0x1'])) as unknown as { keys: Hex[] }
  const slots = [1, 3, 5, 6, 7, 8].map((slot) => numberToHex(slot, { size: 32 }))
  expect(keys).toEqual(expect.arrayContaining([from, to, ...VAULTS, L1_BLOCK, PASSER, ...slots]))
  // No request contracts (EIP-7002, EIP-7251).
  expect(keys).not.toContain('0x00000961ef480eb55e80d19ad83579a64c007002')
})

interface Simulated {
  readonly calls: readonly { readonly status: Hex }[]
  readonly baseFeePerGas: Hex
  readonly extraData: Hex
  readonly blobGasUsed: Hex
}

test('simulated blocks go on from the parameters of the parent; their calls pay no fees of the rollup', async () => {
  const { chain, to, fees } = await startWithTransfer()
  const poor: Hex = '0x00000000000000000000000000000000000000aa'
  // All that a call with 21,000 gas can cost besides the fees of the rollup.
  const stateOverrides = { [poor]: { balance: toHex(21_000n * 2_000_000_000n + 1n) } }
  const calls = [{ from: poor, to, value: '0x1', gas: toHex(21_000), ...fees }]
  const head = await blockAt(chain, 'latest')
  const [first, second] = (await chain.request('eth_simulateV1', [
    { blockStateCalls: [{ stateOverrides, calls }, {}], validation: true } as never,
    'latest',
  ])) as unknown as [Simulated, Simulated]
  expect(first.calls[0]?.status).toBe('0x1')
  expect([first.extraData, second.extraData]).toEqual([head.extraData, head.extraData])
  expect(first.blobGasUsed).toBe('0x0')
  // The first is almost empty.
  expect(hexToBigInt(second.baseFeePerGas)).toBeLessThan(hexToBigInt(first.baseFeePerGas))
})

test('calls and estimates need no funds for the fees of the rollup', async () => {
  const { chain, to, fees } = await startWithTransfer()
  const poor: Hex = '0x00000000000000000000000000000000000000aa'
  await chain.setBalance(poor, 21_000n * 2_000_000_000n + 1n)
  const call = { from: poor, to, value: '0x1', ...fees } as const
  expect(await chain.request('eth_estimateGas', [call])).toBe(toHex(21_000))
  expect(await chain.request('eth_call', [{ ...call, gas: toHex(21_000) }, 'latest'])).toBe('0x')
})
