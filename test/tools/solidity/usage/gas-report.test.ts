// Gas of calls of known contracts, recorded on a chain.
import { createEmulator, type Emulator, formatGasReport, recordGas } from 'tickchain'
import { concat, encodeFunctionData, type Hex, parseAbi, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'

const TARGET = `0x${'c1'.repeat(20)}` as const
const PROXY = `0x${'c2'.repeat(20)}` as const
const abi = parseAbi(['function poke()', 'function look() view'])
/** Burns nothing: STOP. */
const STOP = '0x00'
/** Delegates to the target with all calldata and gas, and returns nothing. */
const FORWARD: Hex = concat(['0x365f5f375f5f365f73', TARGET, '0x5af400'])
/** Stops if there is calldata, and reverts otherwise. */
const PICKY = '0x36600657005b5f5ffd'

const contracts = [
  { contractName: 'Target', sourceName: 'Target.sol', abi, deployedBytecode: STOP },
  { contractName: 'Proxy', sourceName: 'Proxy.sol', abi: [], deployedBytecode: FORWARD },
]

async function createChain(): Promise<Emulator> {
  const chain = await createEmulator({ production: 'auto' })
  await chain.addContracts(contracts)
  await chain.setCode(TARGET, STOP)
  await chain.setCode(PROXY, FORWARD)
  return chain
}

const poke = encodeFunctionData({ abi, functionName: 'poke' })
const look = encodeFunctionData({ abi, functionName: 'look' })

test('transactions have the gas of their receipts, inner calls their own', async () => {
  const chain = await createChain()
  const recording = await recordGas(chain)
  await chain.request('eth_sendTransaction', [{ to: TARGET, data: poke }])
  await chain.request('eth_sendTransaction', [{ to: TARGET, data: `${poke}00000001` }])
  await chain.request('eth_sendTransaction', [{ to: PROXY, data: poke }])
  const [proxy, target] = recording.report
  // The floor of calldata (EIP-7623): 10 gas a token, 16 tokens for 4 bytes, 7 for three zeros and a one.
  const [function_] = target?.functions ?? []
  expect(function_).toEqual({ name: 'poke()', count: 3, min: 0, mean: 14130, median: 21160, max: 21230 })
  expect(proxy?.functions.map(({ name, count }) => [name, count])).toEqual([['fallback', 1]])
  expect(target?.codeSize).toBe(1)
  expect(target?.deployments).toBeUndefined()
})

test('a call of a view counts, and simulations, estimates and traces do not', async () => {
  const chain = await createChain()
  const recording = await recordGas(chain)
  await chain.request('eth_call', [{ to: TARGET, data: poke }])
  await chain.request('eth_estimateGas', [{ to: TARGET, data: look }])
  await chain.trace({ to: TARGET, data: look })
  expect(recording.report).toEqual([])
  await chain.request('eth_call', [{ to: TARGET, data: look }])
  expect(recording.report[0]?.functions).toMatchObject([{ name: 'look()', count: 1, min: 21160 }])
})

test('a replay does not count, and nothing after the end', async () => {
  const chain = await createChain()
  const recording = await recordGas(chain)
  const hash = await chain.request('eth_sendTransaction', [{ to: TARGET, data: poke }])
  await chain.trace(hash)
  await chain.request('debug_traceTransaction', [hash])
  const copy = chain.clone()
  await copy.request('eth_sendTransaction', [{ to: TARGET, data: poke }])
  expect(recording.report[0]?.functions[0]?.count).toBe(2)
  recording.stop()
  await chain.request('eth_sendTransaction', [{ to: TARGET, data: poke }])
  expect(recording.report[0]?.functions[0]?.count).toBe(2)
})

test('deployments are recognised by their creation code; what fails is left out', async () => {
  const chain = await createEmulator({ production: 'auto' })
  // Returns the code behind it.
  const creation = concat(['0x60095f8160095f39f3'.slice(0, 20) as Hex, PICKY])
  const picky = { contractName: 'Picky', abi: parseAbi(['function go()', 'receive() external payable']) }
  await chain.addContracts([{ ...picky, bytecode: creation, deployedBytecode: PICKY }])
  const recording = await recordGas(chain)
  const hash = await chain.request('eth_sendTransaction', [{ data: creation }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  const to = receipt?.contractAddress as Hex
  expect(await chain.request('eth_getCode', [to, 'latest'])).toBe(PICKY)
  const data = toFunctionSelector('go()')
  for (const each of [data, '0x'] as const) {
    const sent = await chain.request('eth_sendTransaction', [{ to, data: each, gas: '0x10000' }])
    await chain.request('eth_getTransactionReceipt', [sent])
  }
  const [report] = recording.report
  expect(report?.deployments).toMatchObject({ count: 1, min: Number(receipt?.gasUsed) })
  // With calldata it goes on to the revert.
  expect(report?.functions.map(({ name, count }) => [name, count])).toEqual([['receive', 1]])
  expect(formatGasReport(recording.report)).toContain('Picky')
})
