// chain.subscribe: one listener for one subscription.

import { createEmulator, type TickchainError } from 'tickchain'
import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { Counter } from '../../../contracts/generated.ts'

const COUNTER = `0x${'c0'.repeat(20)}` as const
const ADD = encodeFunctionData({ abi: Counter.abi, functionName: 'add', args: [1n] })

test('listeners get the results of their own subscription, until it ends', async () => {
  const chain = await createEmulator()
  const [heads, messages]: [string[], unknown[]] = [[], []]
  chain.on('message', (message) => messages.push(message))
  const end = await chain.subscribe('newHeads', undefined, ({ number }) => heads.push(number ?? 'none'))
  await chain.advance(4000)
  expect(heads).toEqual(['0x1', '0x2'])
  await end()
  await end()
  await chain.seal()
  expect(heads).toHaveLength(2)
  // EIP-1193 messages are for those who asked by eth_subscribe.
  expect(messages).toEqual([])
})

test('a filter limits logs, sealed and pre-confirmed', async () => {
  const alloc = { [COUNTER]: { code: Counter.deployedBytecode } }
  const chain = await createEmulator({ genesis: { alloc } })
  const [from = '0x'] = await chain.listAccounts()
  const heard: string[] = []
  await chain.subscribe('pendingLogs', { address: COUNTER }, ({ address }) =>
    heard.push(`pending ${address}`),
  )
  await chain.subscribe('logs', { address: COUNTER }, ({ address }) => heard.push(`sealed ${address}`))
  await chain.subscribe('logs', { address: from }, () => heard.push('of another address'))
  await chain.request('eth_sendTransaction', [{ from, to: COUNTER, data: ADD }])
  await chain.closePartial()
  expect(heard).toEqual([`pending ${COUNTER}`])
  await chain.seal()
  expect(heard).toEqual([`pending ${COUNTER}`, `sealed ${COUNTER}`])
})

test('faults of eth_subscribe do not apply', async () => {
  const chain = await createEmulator()
  await chain.fault({ method: 'eth_*', error: { code: -32005, message: 'slow down' } })
  const heard: unknown[] = []
  await chain.subscribe('syncing', undefined, (state) => heard.push(state))
  expect(heard).toEqual([false])
})

test('a listener that throws is reported', async () => {
  const chain = await createEmulator()
  const errors: unknown[] = []
  chain.on('listenerError', ({ error }) => errors.push((error as Error).message))
  await chain.subscribe('newHeads', undefined, () => {
    throw new Error('no')
  })
  await chain.seal()
  expect(errors).toEqual(['no'])
  expect(await chain.request('eth_blockNumber')).toBe('0x1')
})

test('wrong arguments are refused, with a right call', async () => {
  const chain = await createEmulator()
  const refused = (...args: unknown[]): Promise<string> =>
    (chain.subscribe as (...args: unknown[]) => Promise<unknown>)(...args).then(
      () => 'accepted',
      (error: TickchainError) => `${error.kind}: ${error.message}`,
    )
  const right = "; for example: chain.subscribe('logs', { address }, listener)"
  expect(await refused('newBlocks', undefined, () => {})).toMatch(
    /^invalidCall: .*unknown subscription "newBlocks"/,
  )
  expect(await refused('logs', { adress: COUNTER }, () => {})).toMatch(/^invalidCall: .*filter.adress/)
  expect(await refused('newHeads', () => {})).toMatch(/^invalidCall/)
  expect(await refused('newHeads')).toBe(
    `invalidCall: invalid call subscribe: expected a function as listener, got nothing${right}`,
  )
})
