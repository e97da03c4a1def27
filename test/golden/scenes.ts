// Scenes whose digests docs/DETERMINISM.md shows, for whatever runs the library: everything that they answer, as lines of
// text.

import { encodeDeployData, encodeFunctionData, type Hex, parseAbi, toHex } from 'viem'
import type { createEmulator, Emulator, EmulatorOptions } from '../../src/index.ts'
import type { createRollup } from '../../src/rollup.ts'
import { Console, Counter, Environment, Lifecycle, Recoverer, Token } from '../contracts/generated.ts'
import { PRECOMPILES } from '../contracts/precompile-calls.ts'

/** What a place has of the library. */
export interface Library {
  readonly createEmulator: typeof createEmulator
  readonly createRollup: typeof createRollup
}

type Interpreter = NonNullable<EmulatorOptions['interpreter']>
type Scene = (library: Library, interpreter: Interpreter) => Promise<string[]>

// The first three accounts of the "test … junk" mnemonic.
const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const CAROL = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'

function toText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}n` : item)) ?? '-'
}

const EVENTS = [
  'pendingTransaction',
  'replacedTransaction',
  'partialBlock',
  'sealedBlock',
  'consoleLog',
  'unincludedTransaction',
  'orphanedBlocks',
  'message',
] as const

/** A chain whose events and answers are written down. */
function written(chain: Emulator) {
  const lines: string[] = []
  for (const name of EVENTS) chain.on(name, (payload) => lines.push(`${name} ${toText(payload)}`))
  const request = chain.request as (method: string, params: readonly unknown[]) => Promise<unknown>
  const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const answer = await request(method, params).catch(({ code, message, data }) => ({ code, message, data }))
    lines.push(`${method} ${toText(answer)}`)
    return answer
  }
  const send = (request: Readonly<Record<string, unknown>>) =>
    ask('eth_sendTransaction', request) as Promise<Hex>
  return { chain, lines, ask, send }
}

/** Everything that a chain tells afterwards, of each block and transaction. */
async function tellAll({ chain, lines, ask }: ReturnType<typeof written>): Promise<string[]> {
  const head = Number(await ask('eth_blockNumber'))
  for (let number = 0; number <= head; number++) {
    const block = (await ask('eth_getBlockByNumber', toHex(number), true)) as {
      readonly transactions: readonly { readonly hash: Hex }[]
    }
    await ask('eth_getBlockReceipts', toHex(number))
    for (const { hash } of block.transactions) {
      await ask('debug_traceTransaction', hash)
      await ask('debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig: { withLog: true } })
    }
  }
  await ask('eth_getBlockByNumber', 'pending', true)
  await ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'pending' })
  await ask('eth_feeHistory', '0x10', 'latest', [5, 50, 99.5])
  await ask('eth_getProof', ALICE, ['0x0'], 'latest')
  lines.push(toHex(await chain.dump()))
  return lines
}

const transfers: Scene = async ({ createEmulator }, interpreter) => {
  const scene = written(await createEmulator({ interpreter }))
  const { chain, ask, send } = scene
  for (const kind of ['newHeads', 'newFlashblocks', 'newFlashblockTransactions', 'newPendingTransactions'])
    await ask('eth_subscribe', kind)
  await send({ from: ALICE, to: BOB, value: '0xde0b6b3a7640000', gasPrice: '0x77359400' })
  await send({
    from: BOB,
    to: CAROL,
    value: '0x1',
    accessList: [{ address: ALICE, storageKeys: [toHex(1, { size: 32 })] }],
  })
  await chain.advance(200)
  const dropped = await send({
    from: CAROL,
    to: ALICE,
    value: '0x2',
    maxFeePerGas: '0xba43b7400',
    maxPriorityFeePerGas: '0x3b9aca00',
  })
  await chain.advance(200)
  await chain.dropPreconfirmed(dropped)
  const raw = await ask('eth_signTransaction', {
    from: CAROL,
    to: BOB,
    value: '0x3',
    gas: '0x5208',
    nonce: '0x0',
    maxFeePerGas: '0x2540be400',
    maxPriorityFeePerGas: '0x1',
  })
  await ask('eth_sendRawTransaction', raw)
  await chain.advance(1600)
  const before = chain.snapshot()
  for (let count = 0; count < 5; count++) {
    await send({ from: ALICE, to: CAROL, value: toHex(count) })
    await chain.advance(700)
  }
  await chain.reorg({ depth: 1 })
  await chain.advance(2000)
  await chain.revert(before)
  // Refused, each in its own words.
  await send({ from: ALICE, to: BOB, value: toHex(10n ** 30n) })
  await send({ from: ALICE, to: BOB, gas: '0x1' })
  await ask('eth_getBlockByNumber', 'nonsense', true)
  await send({ from: ALICE, to: BOB, value: '0x4' })
  await chain.advance(5000)
  return tellAll(scene)
}

const contracts: Scene = async ({ createEmulator }, interpreter) => {
  const at = (index: number): Hex => toHex(0xc0n * 2n ** 152n + BigInt(index), { size: 20 })
  const deployed = [Counter, Environment, Lifecycle, Recoverer, Console]
  const alloc = Object.fromEntries(
    deployed.map((each, i) => [at(i), { nonce: 1, code: each.deployedBytecode }]),
  )
  const scene = written(await createEmulator({ interpreter, hardfork: 'osaka', genesis: { alloc } }))
  const { chain, ask, send } = scene
  await ask('eth_subscribe', 'pendingLogs', {})
  const call = (to: Hex, data: Hex, gas: Hex = '0x80000') => send({ from: ALICE, to, data, gas })
  await send({ from: ALICE, data: encodeDeployData({ ...Token, args: [10n ** 24n] }), gas: '0x400000' })
  const [counter, environment, lifecycle, recoverer, console] = deployed.map((_, index) => at(index)) as [
    Hex,
    Hex,
    Hex,
    Hex,
    Hex,
  ]
  await call(counter, encodeFunctionData({ ...Counter, functionName: 'add', args: [41n] }))
  await call(environment, encodeFunctionData({ ...Environment, functionName: 'record' }))
  await chain.advance(200)
  await call(lifecycle, encodeFunctionData({ ...Lifecycle, functionName: 'fill', args: [3n, 9n] }))
  await call(lifecycle, encodeFunctionData({ ...Lifecycle, functionName: 'createChild' }))
  await call(lifecycle, encodeFunctionData({ ...Lifecycle, functionName: 'createAndDestroy', args: [BOB] }))
  await call(lifecycle, encodeFunctionData({ ...Lifecycle, functionName: 'addTransient', args: [7n] }))
  await chain.advance(2000)
  await call(lifecycle, encodeFunctionData({ ...Lifecycle, functionName: 'clear', args: [4n, 6n] }))
  await call(counter, encodeFunctionData({ ...Counter, functionName: 'decrement' }))
  await call(
    console,
    encodeFunctionData({ ...Console, functionName: 'sayInRevertedCall', args: ['to whom it concerns'] }),
  )
  await call(console, encodeFunctionData({ ...Console, functionName: 'sayUntilOutOfGas' }), '0x10000')
  await ask('eth_sign', BOB, toHex('a message'))
  const typed = {
    types: {
      EIP712Domain: [{ name: 'name', type: 'string' }],
      Payment: [
        { name: 'to', type: 'address' },
        { name: 'amounts', type: 'uint256[]' },
      ],
    },
    primaryType: 'Payment',
    domain: { name: 'a bank' },
    message: { to: CAROL, amounts: ['1', '2'] },
  }
  await ask('eth_signTypedData_v4', BOB, typed)
  await chain.advance(2000)
  for (const [address, data] of PRECOMPILES) {
    const to = toHex(address, { size: 20 })
    await ask('eth_call', { to, data }, 'latest')
    await ask('eth_estimateGas', { from: ALICE, to, data })
  }
  await ask('eth_createAccessList', {
    from: ALICE,
    to: lifecycle,
    data: encodeFunctionData({ ...Lifecycle, functionName: 'slots', args: [3n] }),
  })
  await ask('eth_getStorageAt', recoverer, '0x0', 'latest')
  return tellAll(scene)
}

const PORTAL = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
])

const rollup: Scene = async ({ createRollup }, interpreter) => {
  const pair = await createRollup({ l1: { interpreter }, l2: { interpreter } })
  const [l1, l2] = [written(pair.l1), written(pair.l2)]
  const { address } = pair.contracts.portal[pair.l1.settings.chainId] as { readonly address: Hex }
  const data = encodeFunctionData({
    abi: PORTAL,
    functionName: 'depositTransaction',
    args: [BOB, 5n, 100_000n, false, '0x'],
  })
  await l1.send({ from: ALICE, to: address, value: '0x5', data, gas: '0x100000' })
  await pair.advance(14_000)
  await l2.send({ from: BOB, to: CAROL, value: '0x9' })
  await pair.advance(60_000)
  await pair.l1.reorg({ depth: 2 })
  await pair.advance(24_000)
  for (const { ask } of [l1, l2]) {
    const head = Number(await ask('eth_blockNumber'))
    for (let number = 0; number <= head; number++) {
      await ask('eth_getBlockByNumber', toHex(number), true)
      await ask('eth_getBlockReceipts', toHex(number))
    }
    await ask('eth_getBlockByNumber', 'safe', false)
    await ask('eth_getBalance', BOB, 'pending')
  }
  return [...l1.lines, ...l2.lines]
}

/** By their names in docs/DETERMINISM.md. */
export const SCENES: Readonly<Record<string, Scene>> = { transfers, contracts, rollup }
