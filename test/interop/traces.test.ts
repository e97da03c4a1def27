// Traces by viem and ethers, which send debug_trace* as it is.

import { BrowserProvider } from 'ethers'
import { createEmulator } from 'tickchain'
import {
  type Address,
  createWalletClient,
  custom,
  decodeFunctionResult,
  encodeFunctionData,
  type Hash,
  type Hex,
  publicActions,
} from 'viem'
import { foundry } from 'viem/chains'
import { afterEach, expect, test } from 'vitest'
import { Counter } from '../contracts/generated.ts'

const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const COUNTER: Address = `0x${'c0'.repeat(20)}`

interface CallFrame {
  readonly from: Address
  readonly to: Address
  readonly gasUsed: Hex
  readonly input: Hex
  readonly output?: Hex
  readonly type: string
  readonly logs?: readonly { readonly address: Address; readonly topics: readonly Hash[] }[]
}

const providers: BrowserProvider[] = []

afterEach(() => {
  for (const provider of providers.splice(0)) provider.destroy()
})

function start() {
  return createEmulator({
    production: 'auto',
    genesis: { alloc: { [COUNTER]: { code: Counter.deployedBytecode } } },
  })
}

test('viem: actions over debug_traceTransaction and debug_traceCall', async () => {
  const chain = await start()
  const client = createWalletClient({ account: ALICE, chain: foundry, transport: custom(chain) })
    .extend(publicActions)
    .extend((own) => ({
      traceTransaction: (hash: Hash, tracerConfig: object) =>
        own.request<{ Method: string; Parameters: unknown[]; ReturnType: CallFrame }>({
          method: 'debug_traceTransaction',
          params: [hash, { tracer: 'callTracer', tracerConfig }],
        }),
      traceCall: (call: object) =>
        own.request<{ Method: string; Parameters: unknown[]; ReturnType: CallFrame }>({
          method: 'debug_traceCall',
          params: [call, 'latest', { tracer: 'callTracer' }],
        }),
    }))
  const hash = await client.writeContract({
    abi: Counter.abi,
    address: COUNTER,
    functionName: 'add',
    args: [41n],
  })
  const receipt = await client.getTransactionReceipt({ hash })
  const trace = await client.traceTransaction(hash, { withLog: true })
  expect(trace).toMatchObject({ from: ALICE.toLowerCase(), to: COUNTER, type: 'CALL' })
  expect(BigInt(trace.gasUsed)).toBe(receipt.gasUsed)
  expect(trace.logs?.map(({ address, topics }) => ({ address, topics }))).toEqual(
    receipt.logs.map(({ address, topics }) => ({ address, topics })),
  )
  const data = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })
  const { output = '0x' } = await client.traceCall({ to: COUNTER, data })
  expect(decodeFunctionResult({ abi: Counter.abi, functionName: 'count', data: output })).toBe(41n)
})

test('ethers: provider.send', async () => {
  const chain = await start()
  const provider = new BrowserProvider(chain, undefined, { cacheTimeout: -1, pollingInterval: 10 })
  providers.push(provider)
  const signer = await provider.getSigner()
  const data = encodeFunctionData({ abi: Counter.abi, functionName: 'add', args: [41n] })
  const { hash } = await signer.sendTransaction({ to: COUNTER, data })
  const receipt = await provider.getTransactionReceipt(hash)
  const steps = await provider.send('debug_traceTransaction', [hash])
  expect(steps).toMatchObject({ gas: Number(receipt?.gasUsed), failed: false })
  expect(steps.structLogs.at(-1)).toMatchObject({ depth: 1, op: 'STOP' })
  const diff = { tracer: 'prestateTracer', tracerConfig: { diffMode: true } }
  const { post } = await provider.send('debug_traceTransaction', [hash, diff])
  expect(BigInt(Object.values(post[COUNTER].storage)[0] as Hex)).toBe(41n)
})
