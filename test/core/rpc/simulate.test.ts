// eth_simulateV1. The vectors of execution-apis cover the details of geth. Here are cases that they omit, and a
// simulation of a block that was built, which must be equal to the byte.

import type { EmulatorOptions } from 'tickchain'
import {
  decodeFunctionResult,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  pad,
  parseGwei,
  serializeTransaction,
  toHex,
} from 'viem'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Counter, Environment, Lifecycle, Reverter, Token } from '../../contracts/generated.ts'
import { genesisOf } from '../chain/forge.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transferFees } from './scene.ts'

interface Log {
  readonly address: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly logIndex: Hex
  readonly transactionHash: Hex
  readonly blockHash: Hex
}
interface Call {
  readonly returnData: Hex
  readonly logs: readonly Log[]
  readonly gasUsed: Hex
  readonly maxUsedGas: Hex
  readonly status: Hex
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Hex }
}
type Block = Record<string, Hex> & {
  readonly calls: readonly Call[]
  readonly transactions: readonly unknown[]
}

const word = (value: bigint | number): Hex => pad(toHex(value))
const sender: Hex = `0x${'c0'.repeat(20)}`

/** As the vector ethSimulate-overflow-nonce-validation of execution-apis has it. */
const NONCE_MAX = `nonce has max value: address ${sender}, nonce: 18446744073709551615`
const contract: Hex = `0x${'c1'.repeat(20)}`
const other: Hex = `0x${'c2'.repeat(20)}`
const rich = { [sender]: { balance: toHex(10n ** 18n) } }
const push = (address: Hex): string => `73${address.slice(2)}`
/** Answers BALANCE of the address in its calldata. */
const BALANCE_OF = '0x5f35315f5260205ff3'

let scene: Scene
const simulate = (
  blocks: readonly object[],
  options: object = {},
  block?: string,
): Promise<readonly Block[]> => scene.ask('eth_simulateV1', { blockStateCalls: blocks, ...options }, block)
const simulateOne = async (block: object, options: object = {}): Promise<Block> =>
  (await simulate([block], options))[0] as Block
const run = async (calls: readonly object[], block: object = {}, options: object = {}) =>
  (await simulateOne({ calls, ...block }, options)).calls

beforeAll(async () => {
  scene = await startScene({ genesis: { gasLimit: 200_000_000 } })
  await scene.chain.seal()
})

describe('the blocks', () => {
  test('follow one another from the base on, 12 seconds apart', async () => {
    const head = await scene.ask<Block>('eth_getBlockByNumber', 'latest', false)
    const [first, second] = (await simulate([{}, {}])) as [Block, Block]
    expect(first).toMatchObject({
      number: toHex(hexToBigInt(head['number'] as Hex) + 1n),
      timestamp: toHex(hexToBigInt(head['timestamp'] as Hex) + 12n),
      parentHash: head['hash'],
      miner: head['miner'],
      gasLimit: head['gasLimit'],
      mixHash: word(0),
      extraData: '0x',
      baseFeePerGas: '0x0',
      calls: [],
    })
    expect(second).toMatchObject({
      number: toHex(hexToBigInt(head['number'] as Hex) + 2n),
      timestamp: toHex(hexToBigInt(head['timestamp'] as Hex) + 24n),
      parentHash: first['hash'],
    })
  })

  test('have empty ones between them where numbers are left out', async () => {
    const blocks = await simulate([{ blockOverrides: { number: 4, time: '0x7fffffff' } }, {}])
    expect(blocks.map(({ number }) => Number(number))).toEqual([2, 3, 4, 5])
    const [base] = blocks as [Block]
    const start = Number(base['timestamp'])
    expect(blocks.map(({ timestamp }) => Number(timestamp))).toEqual([
      start,
      start + 12,
      0x7fffffff,
      0x7fffffff + 12,
    ])
  })

  // geth takes a block from mergeNetsplitBlock on to be after the merge (params, IsPostMerge).
  test('have no difficulty from the block of the merge on, also on one of proof of work', async () => {
    const { config, ...genesis } = genesisOf('london')
    const merging = { ...config, terminalTotalDifficulty: 10n ** 9n, mergeNetsplitBlock: 3 }
    const { ask } = await startScene({ genesis: { ...genesis, config: merging } })
    const blocks = await ask<Block[]>('eth_simulateV1', {
      blockStateCalls: [{ blockOverrides: { number: 4 } }],
    })
    expect(blocks.map(({ difficulty }) => difficulty)).toEqual(['0x20000', '0x20000', '0x0', '0x0'])
  })

  test('pay the coinbase of a block with proof of work, as geth does when it finalizes one', async () => {
    const { config, ...genesis } = genesisOf('london')
    const { ask } = await startScene({ genesis: { ...genesis, config } })
    // COINBASE, BALANCE, returned: the first block is paid when it ends.
    const calls = [{ input: '0x413160005260206000f3' }]
    const feeRecipient = `0x${'5e'.repeat(20)}`
    const blocks = await ask<{ calls: { returnData: Hex }[] }[]>('eth_simulateV1', {
      blockStateCalls: [{ blockOverrides: { feeRecipient }, calls }, { calls }],
    })
    expect(blocks.map(({ calls: [call] }) => BigInt(call!.returnData))).toEqual([0n, 2n * 10n ** 18n])
  })

  // Where geth would execute the block by the rules before the merge (docs/compliance.md).
  test('take no difficulty after the merge: DIFFICULTY reads prevRandao, and the hash is the same', async () => {
    const { ask } = await startScene()
    // DIFFICULTY, stored and returned.
    const calls = [{ input: '0x4460005260206000f3' }]
    const simulate = (blockOverrides: object) =>
      ask<(Block & { calls: { returnData: Hex }[] })[]>('eth_simulateV1', {
        blockStateCalls: [
          { blockOverrides: { prevRandao: `0x${'2a'.repeat(32)}`, ...blockOverrides }, calls },
        ],
      })
    const [[plain], [overridden]] = await Promise.all([simulate({}), simulate({ difficulty: '0x5' })])
    expect(overridden).toMatchObject({ difficulty: '0x0', calls: [{ returnData: `0x${'2a'.repeat(32)}` }] })
    expect(overridden).toEqual(plain)
  })

  test('keep what the one before them was given, as far as a chain does', async () => {
    const blockOverrides = {
      gasLimit: '0xf4240',
      feeRecipient: other,
      prevRandao: word(5),
      baseFeePerGas: '0x8',
      beaconRoot: word(6),
    }
    const [first, second] = await simulate([{ blockOverrides }, {}])
    expect(first).toMatchObject({
      gasLimit: '0xf4240',
      miner: other,
      mixHash: word(5),
      baseFeePerGas: '0x8',
      parentBeaconBlockRoot: word(6),
    })
    expect(second).toMatchObject({
      gasLimit: '0xf4240',
      miner: other,
      mixHash: word(0),
      baseFeePerGas: '0x0',
      parentBeaconBlockRoot: word(0),
    })
  })

  test('begin anywhere', async () => {
    expect((await simulate([{}], {}, 'earliest'))[0]).toMatchObject({ number: '0x1' })
    const pending = await scene.ask<Block>('eth_getBlockByNumber', 'pending', false)
    expect((await simulate([{}], {}, 'pending'))[0]).toMatchObject({
      number: '0x3',
      parentHash: pending['hash'],
    })
    await expect(simulate([{}], {}, '0xff')).rejects.toMatchObject({
      code: -32000,
      message: 'header not found',
    })
  })

  test('are known to BLOCKHASH', async () => {
    const data = (n: bigint): Hex =>
      encodeFunctionData({ abi: Environment.abi, functionName: 'blockHash', args: [n] })
    const stateOverrides = { [contract]: { code: Environment.deployedBytecode } }
    const [first, second] = (await simulate([
      { stateOverrides },
      { calls: [1n, 2n, 3n].map((n) => ({ to: contract, input: data(n) })) },
    ])) as [Block, Block]
    expect(second.calls.map(({ returnData }) => returnData)).toEqual([
      first['parentHash'],
      first['hash'],
      word(0),
    ])
  })

  test('pay withdrawals', async () => {
    const withdrawals = [{ index: '0x0', validatorIndex: '0x1', address: other, amount: '0x2' }]
    const [first, second] = (await simulate([
      { blockOverrides: { withdrawals }, stateOverrides: { [contract]: { code: BALANCE_OF } } },
      { calls: [{ to: contract, input: pad(other) }] },
    ])) as [Block, Block]
    expect(first['withdrawals']).toEqual(withdrawals)
    // 2 gwei.
    expect(second.calls[0]?.returnData).toBe(word(2_000_000_000))
  })

  test('leave the chain as it is', async () => {
    const look = () =>
      Promise.all([
        scene.ask('eth_getBlockByNumber', 'pending', true),
        scene.ask('eth_getBalance', BOB, 'pending'),
        scene.ask('txpool_status'),
      ])
    const before = await look()
    await run([{ from: ALICE, to: BOB, value: '0x1' }])
    expect(await look()).toEqual(before)
  })
})

describe('calls', () => {
  test('see what those before them have done, in their block and in later ones', async () => {
    const increment = {
      to: contract,
      input: encodeFunctionData({ abi: Counter.abi, functionName: 'increment' }),
    }
    const count = { to: contract, input: encodeFunctionData({ abi: Counter.abi, functionName: 'count' }) }
    const [first, second] = (await simulate([
      { stateOverrides: { [contract]: { code: Counter.deployedBytecode } }, calls: [increment, count] },
      { calls: [increment, count] },
    ])) as [Block, Block]
    expect([first, second].map(({ calls }) => calls[1]?.returnData)).toEqual([word(1), word(2)])
    const [{ logs }] = first.calls as [Call]
    expect(logs).toHaveLength(1)
    expect(logs[0]).toMatchObject({
      address: contract,
      data: word(1),
      blockHash: first['hash'],
      blockNumber: first['number'],
      blockTimestamp: first['timestamp'],
      transactionHash: first.transactions[0],
      transactionIndex: '0x0',
      logIndex: '0x0',
      removed: false,
    })
  })

  test('that create a contract answer its code', async () => {
    // Deploys 0x00: STOP.
    const [call] = await run([{ from: sender, input: '0x60015ff3' }], { stateOverrides: rich })
    expect(call).toMatchObject({ status: '0x1', returnData: '0x00' })
    const created = getContractAddress({ from: sender, nonce: 0n })
    const [, balance] = await run(
      [
        { from: sender, input: '0x', value: '0x5' },
        { to: contract, input: pad(created) },
      ],
      { stateOverrides: { ...rich, [contract]: { code: BALANCE_OF } } },
    )
    expect(balance?.returnData).toBe(word(5))
  })

  // geth's tracer counts through the block, also the logs of what reverts (internal/ethapi/logtracer.go: `t.count++`).
  test('number their logs through the block, not through the call', async () => {
    // Logs without topics and data, and reverts after it if there is calldata.
    const code = '0x5f5fa036600857005b5f5ffd'
    const call = { to: contract, gas: '0x186a0' }
    const calls = await run(
      [call, { ...call, input: '0x01' }, { ...call, value: '0x1', from: sender }, call],
      {
        stateOverrides: { ...rich, [contract]: { code } },
      },
      { traceTransfers: true },
    )
    const indices = calls.map(({ logs }) => logs.map(({ logIndex }) => logIndex))
    expect(indices).toEqual([['0x0'], [], ['0x2', '0x3'], ['0x4']])
    expect((await run([call], { stateOverrides: { [contract]: { code } } }))[0]?.logs[0]?.logIndex).toBe(
      '0x0',
    )
  })

  test('that revert or fail say so and the rest goes on', async () => {
    const data = (functionName: 'revertEmpty' | 'invalidOpcode' | 'panicAssert'): Hex =>
      encodeFunctionData({ abi: Reverter.abi, functionName })
    const reason = encodeFunctionData({
      abi: Reverter.abi,
      functionName: 'revertWithString',
      args: ['no'],
    })
    const inputs = [reason, data('revertEmpty'), data('panicAssert'), data('invalidOpcode'), '0x']
    const calls = await run(
      inputs.map((input) => ({ to: contract, input, gas: '0x186a0' })),
      { stateOverrides: { [contract]: { code: Reverter.deployedBytecode } } },
    )
    expect(calls.map(({ error }) => error)).toEqual([
      {
        code: 3,
        message: 'execution reverted: no',
        data: `0x08c379a0${word(32).slice(2)}${word(2).slice(2)}${'6e6f'.padEnd(64, '0')}`,
      },
      { code: 3, message: 'execution reverted', data: '0x' },
      { code: 3, message: 'execution reverted: assert(false)', data: `0x4e487b71${word(1).slice(2)}` },
      { code: -32015, message: 'invalid opcode: INVALID' },
      { code: 3, message: 'execution reverted', data: '0x' },
    ])
    expect(calls.map(({ status, returnData }) => [status, returnData])).toEqual(Array(5).fill(['0x0', '0x']))
    expect(calls[3]?.gasUsed).toBe('0x186a0')
  })

  test('tell gas with and without the refund', async () => {
    // Clears slot 0: 21,000 and two PUSH0, 5,000 for the slot; 4,800 back (EIP-3529).
    const stateOverrides = { [contract]: { code: '0x5f5f5500', state: { '0x0': '0x1' } } }
    const [call] = await run([{ to: contract }], { stateOverrides })
    expect(call).toMatchObject({ maxUsedGas: toHex(26_004), gasUsed: toHex(21_204) })
    // Calldata of 100 bytes that are not zero costs 40 each at least (EIP-7623).
    const [data] = await run([{ to: other, input: `0x${'11'.repeat(100)}` }])
    expect(data).toMatchObject({ maxUsedGas: toHex(25_000), gasUsed: toHex(25_000) })
  })

  test('have the gas of the block, and of 50,000,000 for all together', async () => {
    const spend = { to: contract }
    const stateOverrides = { [contract]: { code: '0xfe' } }
    const gasLimits = async (blocks: readonly object[]) =>
      (await simulate(blocks, { returnFullTransactions: true })).flatMap(({ transactions }) =>
        transactions.map((each) => Number((each as { gas: Hex }).gas)),
      )
    const idle = { to: other }
    expect(await gasLimits([{ calls: [idle, idle] }, { calls: [idle] }])).toEqual([
      50_000_000, 49_979_000, 49_958_000,
    ])
    const small = { blockOverrides: { gasLimit: '0xf4240' } }
    expect(await gasLimits([{ ...small, calls: [idle, idle] }])).toEqual([1_000_000, 979_000])
    await expect(run([spend, spend], { stateOverrides })).rejects.toMatchObject({ code: -38026 })
  })

  test('become transactions as geth encodes what nobody has signed', async () => {
    const chainId = 31_337
    const unsigned = { r: '0x0', s: '0x0', yParity: 0 } as const
    const { transactions } = await simulateOne(
      {
        stateOverrides: rich,
        calls: [
          {
            from: sender,
            to: other,
            gas: '0x5208',
            value: '0x7',
            maxFeePerGas: '0x9',
            maxPriorityFeePerGas: '0x2',
          },
          { from: sender, to: other, gas: '0x5208', gasPrice: '0x9', nonce: '0x63' },
        ],
      },
      { returnFullTransactions: true },
    )
    const fees = { maxFeePerGas: 9n, maxPriorityFeePerGas: 2n }
    const dynamic = serializeTransaction(
      { type: 'eip1559', chainId, nonce: 0, gas: 21_000n, to: other, value: 7n, ...fees },
      unsigned,
    )
    expect(transactions[0]).toMatchObject({
      hash: keccak256(dynamic),
      type: '0x2',
      from: sender,
      nonce: '0x0',
      chainId: toHex(chainId),
      gasPrice: '0x2',
      ...{ v: '0x0', r: '0x0', s: '0x0', yParity: '0x0' },
      transactionIndex: '0x0',
    })
    // RLP, a list of 31 bytes: nonce 99, gas price 9, gas, recipient, no value, no data, zeros for v, r and s.
    const legacy: Hex = `0xdf6309825208${'94'}${other.slice(2)}${'80'.repeat(5)}`
    expect(transactions[1]).toMatchObject({ hash: keccak256(legacy), type: '0x0', v: '0x0', nonce: '0x63' })
    expect(transactions[1]).not.toHaveProperty('chainId')
  })

  test('may come from a contract, or from a nonce that wraps round', async () => {
    const stateOverrides = {
      [sender]: { balance: '0x5', code: '0x00', nonce: toHex(2n ** 64n - 1n) },
    }
    const { transactions } = await simulateOne(
      {
        stateOverrides,
        calls: [
          { from: sender, to: other, value: '0x5' },
          { from: sender, to: other },
        ],
      },
      { returnFullTransactions: true },
    )
    expect(transactions).toMatchObject([{ nonce: '0xffffffffffffffff' }, { nonce: '0x0' }])
    await expect(run([{ from: sender }], { stateOverrides })).rejects.toMatchObject({ kind: 'nonceMax' })
  })

  test('pay when they name a fee', async () => {
    const pays = { from: sender, to: other, gas: '0x5208', maxFeePerGas: '0x10', maxPriorityFeePerGas: '0x2' }
    const balances = [sender, other, BOB].map((address) => ({ to: contract, input: pad(address) }))
    const calls = await run([{ ...pays, value: '0x3' }, ...balances], {
      blockOverrides: { baseFeePerGas: '0x5', feeRecipient: BOB },
      stateOverrides: { [sender]: { balance: toHex(21_000 * 16 + 3) }, [contract]: { code: BALANCE_OF } },
    })
    const before = hexToBigInt(await scene.ask<Hex>('eth_getBalance', BOB))
    // 7 for a unit of gas: 5 are burnt, 2 are the tip.
    expect(calls.slice(1).map(({ returnData }) => hexToBigInt(returnData))).toEqual([
      21_000n * 9n,
      3n,
      before + 21_000n * 2n,
    ])
  })
})

describe('transfers of ether among the logs', () => {
  const ETHER = `0x${'ee'.repeat(20)}`
  const transfer = (from: Hex, to: Hex, value: number) => ({
    address: ETHER,
    topics: [keccak256(toHex('Transfer(address,address,uint256)')), pad(from), pad(to)],
    data: word(value),
  })
  const traced = async (code: string, more: object = {}): Promise<Block> =>
    simulateOne(
      {
        stateOverrides: { ...rich, [contract]: { code }, ...more },
        calls: [{ from: sender, to: contract, value: '0x9' }],
      },
      { traceTransfers: true },
    )
  const logsOf = (block: Block) =>
    block.calls.flatMap(({ logs }) => logs.map(({ address, topics, data }) => ({ address, topics, data })))
  /** CALL, or another of its kind, with a value and no data. */
  const call = (opcode: string, to: Hex, value: number): string =>
    `5f5f5f5f60${value.toString(16).padStart(2, '0')}${push(to)}5a${opcode}50`
  /** LOG1 with a topic and no data. */
  const log = (topic: number): string => `60${topic.toString(16).padStart(2, '0')}5f5fa1`
  const emitted = (topic: number, address = contract) => ({ address, topics: [word(topic)], data: '0x' })

  test('stand where they happened, and receipts know nothing of them', async () => {
    const code = `0x${log(1)}${call('f1', other, 2)}${log(3)}00`
    const block = await traced(code)
    expect(logsOf(block)).toEqual([
      transfer(sender, contract, 9),
      emitted(1),
      transfer(contract, other, 2),
      emitted(3),
    ])
    expect(block.calls[0]?.logs.map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x1', '0x2', '0x3'])
    const untraced = await simulateOne({
      stateOverrides: { ...rich, [contract]: { code } },
      calls: [{ from: sender, to: contract, value: '0x9' }],
    })
    expect(logsOf(untraced)).toEqual([emitted(1), emitted(3)])
    for (const field of ['receiptsRoot', 'logsBloom', 'stateRoot', 'hash']) {
      expect(block[field]).toBe(untraced[field])
    }
  })

  test('have not happened where a frame failed', async () => {
    // The other logs, passes 1 on to the sender, and reverts.
    const reverting = `0x${log(5)}${call('f1', sender, 1)}5f5ffd`
    const block = await traced(`0x${call('f1', other, 2)}${log(3)}00`, { [other]: { code: reverting } })
    expect(logsOf(block)).toEqual([transfer(sender, contract, 9), emitted(3)])
    // The transfer to the other, its log, and its transfer back took three.
    expect(block.calls[0]?.logs.map(({ logIndex }) => logIndex)).toEqual(['0x0', '0x4'])
    const failed = await traced(`0x${call('f1', other, 2)}5f5ffd`)
    expect(logsOf(failed)).toEqual([])
  })

  test('are none where code is borrowed, or nothing moves', async () => {
    // CALLCODE with a value runs the other's code here; DELEGATECALL has no value of its own.
    const delegate = `5f5f5f5f${push(other)}5af450`
    const block = await traced(`0x${call('f2', other, 2)}${delegate}${call('f1', other, 0)}00`, {
      [other]: { code: `0x${log(7)}00` },
    })
    expect(logsOf(block)).toEqual([transfer(sender, contract, 9), emitted(7), emitted(7), emitted(7, other)])
  })

  test('to a contract that is created, and from one that destroys itself', async () => {
    const created = getContractAddress({ from: contract, nonce: 0n }).toLowerCase() as Hex
    // CREATE with 4 wei and init code that destroys itself in favour of the other: PUSH20, SELFDESTRUCT.
    const init = `${push(other)}ff`
    const code = `0x75${init}5f526016600a6004f05000`
    expect(logsOf(await traced(code))).toEqual([
      transfer(sender, contract, 9),
      transfer(contract, created, 4),
      transfer(created, other, 4),
    ])
  })

  test('to oneself', async () => {
    const block = await simulateOne(
      { stateOverrides: rich, calls: [{ from: sender, to: sender, value: '0x1' }] },
      { traceTransfers: true },
    )
    expect(logsOf(block)).toEqual([transfer(sender, sender, 1)])
  })
})

describe('overrides of state', () => {
  test('hold from their block on, precompiles in their block only', async () => {
    const identity = toHex(4, { size: 20 })
    const calls = [
      { to: identity, input: '0xab' },
      { to: other, input: '0xab' },
    ]
    const blocks = await simulate([
      { calls },
      { stateOverrides: { [identity]: { movePrecompileToAddress: other } }, calls },
      { calls },
    ])
    expect(blocks.map((block) => block.calls.map(({ returnData }) => returnData))).toEqual([
      ['0xab', '0x'],
      ['0x', '0xab'],
      ['0xab', '0x'],
    ])
  })

  test('of two precompiles that are moved to one address the later answers there', async () => {
    const [sha256, identity] = [2, 4].map((number) => toHex(number, { size: 20 })) as [Hex, Hex]
    const stateOverrides = {
      [sha256]: { movePrecompileToAddress: other },
      [identity]: { movePrecompileToAddress: other },
    }
    expect(await run([{ to: other, input: '0xab' }], { stateOverrides })).toMatchObject([
      { returnData: '0xab' },
    ])
  })
})

describe('what keeps a call from its block', () => {
  const full = { validation: true }
  const pays = { from: sender, to: other, gas: '0x5208', maxFeePerGas: '0x10' }
  const blockOverrides = { baseFeePerGas: '0x10' }
  const nonce = (given: string, own: string) => ({
    calls: [{ ...pays, nonce: given }],
    stateOverrides: { [sender]: { balance: toHex(10n ** 18n), nonce: own } },
    blockOverrides,
  })

  test.each([
    [-38010, nonce('0x4', '0x5'), full, `nonce too low: address ${sender}, tx: 4 state: 5`],
    [-38011, nonce('0x6', '0x5'), full, `nonce too high: address ${sender}, tx: 6 state: 5`],
    [-32603, nonce('0xffffffffffffffff', '0xffffffffffffffff'), full, NONCE_MAX],
    [
      -38012,
      { calls: [pays], stateOverrides: rich, blockOverrides: { baseFeePerGas: '0x11' } },
      full,
      `max fee per gas less than block base fee: address ${sender}, maxFeePerGas: 16, baseFee: 17`,
    ],
    // Without validation too, where a fee is named.
    [
      -38012,
      { calls: [pays], stateOverrides: rich, blockOverrides: { baseFeePerGas: '0x11' } },
      {},
      `max fee per gas less than block base fee: address ${sender}, maxFeePerGas: 16, baseFee: 17`,
    ],
    [
      -38013,
      { calls: [{ to: other, gas: toHex(20_999) }] },
      {},
      'intrinsic gas too low: have 20999, want 21000',
    ],
    // EIP-7623: 21,000 and 40 for a byte.
    [
      -38013,
      { calls: [{ to: other, gas: toHex(21_039), input: '0x01' }] },
      {},
      'intrinsic gas too low: have 21039, want 21040',
    ],
    [
      -38014,
      { calls: [{ ...pays, value: '0x1' }], stateOverrides: { [sender]: { balance: toHex(336_000) } } },
      {},
      `insufficient funds for gas * price + value: address ${sender} have 336000 want 336001`,
    ],
    [
      -38015,
      {
        calls: [{ to: other }, { to: other, gas: toHex(30_000) }],
        blockOverrides: { gasLimit: toHex(50_000) },
      },
      {},
      'block gas limit reached: 51000 > 50000',
    ],
    [
      -38025,
      { calls: [{ from: sender, input: `0x${'00'.repeat(49_153)}` }] },
      {},
      'max initcode size exceeded: code size 49153 limit 49152',
    ],
    [
      -32000,
      { calls: [{ ...pays, maxPriorityFeePerGas: '0x11' }], stateOverrides: rich },
      {},
      'max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas 17, maxFeePerGas 16',
    ],
    [
      -32000,
      { calls: [{ to: other, chainId: '0x1' }] },
      {},
      'invalid sender: invalid chain id for signer: have 1 want 31337',
    ],
  ] as const)('%i: %#', async (code, block, options, message) => {
    await expect(simulate([{}, block], options)).rejects.toMatchObject({ code, message })
  })

  test('not the size of input to an account, or of init code that no rule limits (EIP-3860)', async () => {
    const large = `0x${'00'.repeat(49_153)}` as const
    // The bytes are zeros: STOP.
    expect(await run([{ to: other, input: large }])).toMatchObject([{ status: '0x1' }])
    expect(await run([{ input: large.slice(0, -2) }])).toMatchObject([{ status: '0x1' }])
    for (const options of [{ hardfork: 'paris' }, { allowUnlimitedContractSize: true }] as const) {
      const { ask } = await startScene(options)
      const blocks = await ask('eth_simulateV1', { blockStateCalls: [{ calls: [{ input: large }] }] })
      expect(blocks).toMatchObject([{ calls: [{ status: '0x1' }] }])
    }
  })

  test('a fee for blobs below theirs', async () => {
    const blobs = { ...pays, blobVersionedHashes: [`0x01${'00'.repeat(31)}`], maxFeePerBlobGas: '0x1' }
    const block = (blobBaseFee: string) => ({
      calls: [blobs],
      stateOverrides: rich,
      blockOverrides: { ...blockOverrides, blobBaseFee },
    })
    expect(await simulateOne(block('0x1'), full)).toMatchObject({ blobGasUsed: '0x20000' })
    await expect(simulate([block('0x2')], full)).rejects.toMatchObject({ kind: 'blobFeeTooLow' })
  })
})

test.each([
  [-38020, [{ blockOverrides: { number: 1 } }], 'block numbers must be in order: 1 <= 1'],
  [
    -38020,
    [{ blockOverrides: { number: 5 } }, { blockOverrides: { number: 5 } }],
    'block numbers must be in order: 5 <= 5',
  ],
  [-38026, [{ blockOverrides: { number: 258 } }], 'too many blocks: at most 256 in a simulation'],
  [-38026, Array(257).fill({}), 'too many blocks: at most 256 in a simulation'],
  // As in geth, before their numbers are read.
  [
    -38026,
    Array(257).fill({ blockOverrides: { number: 5 } }),
    'too many blocks: at most 256 in a simulation',
  ],
] as const)('%i for blocks out of order or too many: %#', async (code, blocks, message) => {
  await expect(simulate(blocks)).rejects.toMatchObject({ code, message })
})

test('blocks have to be later than those before them', async () => {
  const { timestamp } = await scene.ask<{ timestamp: Hex }>('eth_getBlockByNumber', 'latest', false)
  await expect(simulate([{ blockOverrides: { time: timestamp } }])).rejects.toMatchObject({ code: -38021 })
  // Two empty blocks stand between, which takes 24 seconds.
  const time = toHex(hexToBigInt(timestamp) + 24n)
  await expect(simulate([{ blockOverrides: { number: 4, time } }])).rejects.toMatchObject({ code: -38021 })
  const later = toHex(hexToBigInt(timestamp) + 25n)
  expect(await simulate([{ blockOverrides: { number: 4, time: later } }])).toHaveLength(3)
})

test.each([
  [undefined, 'missing value for required argument 0: simulation'],
  [[], 'invalid argument 0: expected an object, got an array'],
  [{}, 'invalid argument 0.blockStateCalls: expected at least one block'],
  [{ blockStateCalls: [] }, 'invalid argument 0.blockStateCalls: expected at least one block'],
  [{ blockStateCalls: {} }, 'invalid argument 0.blockStateCalls: expected an array, got an object'],
  [{ blockStateCalls: [null] }, 'invalid argument 0.blockStateCalls[0]: expected an object, got null'],
  [
    { blockStateCalls: [{ call: [] }] },
    'invalid argument 0.blockStateCalls[0].call: unknown field, did you mean calls?',
  ],
  [
    { blockStateCalls: [{ calls: [{ to: '0x1' }] }] },
    'invalid argument 0.blockStateCalls[0].calls[0].to: expected an address of 20 bytes, got "0x1" (hex string of odd length)',
  ],
  [
    { blockStateCalls: [{}, { stateOverrides: { [other]: { nonce: 'x' } } }] },
    `invalid argument 0.blockStateCalls[1].stateOverrides.${other}.nonce: expected a whole number from 0 to 2^64 - 1, as hex or number, got "x"`,
  ],
  [
    { blockStateCalls: [{ blockOverrides: { time: 'now' } }] },
    'invalid argument 0.blockStateCalls[0].blockOverrides.time: expected a whole number from 0 to 9007199254740991, as hex, number or decimal string, got "now"',
  ],
  [
    { blockStateCalls: [{ blockOverrides: { withdrawals: [{}] } }] },
    'invalid argument 0.blockStateCalls[0].blockOverrides.withdrawals[0].index: missing',
  ],
  [{ blockStateCalls: [{}], validation: 1 }, 'invalid argument 0.validation: expected true or false, got 1'],
])('bad input is refused: %#', async (payload, message) => {
  await expect(scene.ask('eth_simulateV1', payload)).rejects.toMatchObject({ code: -32602, message })
})

describe('a block that was built', () => {
  let real: Scene
  const lifecycle: Hex = `0x${'1f'.repeat(20)}`

  beforeEach(async () => {
    const storage = Object.fromEntries(
      // slots[0] and slots[1], a mapping in slot 0.
      [0, 1].map((key) => [keccak256(`${word(key)}${word(0).slice(2)}` as Hex), '0x1' as const]),
    )
    real = await startScene({
      genesis: { alloc: { [lifecycle]: { nonce: 1, code: Lifecycle.deployedBytecode, storage } } },
    })
  })

  test('is simulated to the same roots', async () => {
    const fees = { ...transferFees, gas: 1_000_000n }
    const lifecycleCall = (data: Hex, nonce: number, value = 0n) => ({
      ...fees,
      to: lifecycle,
      nonce,
      data,
      value,
    })
    const { abi } = Lifecycle
    await real.send(alice, {
      ...fees,
      nonce: 0,
      data: `${Token.bytecode}${word(1000).slice(2)}` as Hex,
    })
    await real.send(
      alice,
      lifecycleCall(encodeFunctionData({ abi, functionName: 'createAndDestroy', args: [BOB] }), 1, 5n),
    )
    // Two slots are cleared: the refund is capped.
    await real.send(
      alice,
      lifecycleCall(encodeFunctionData({ abi, functionName: 'clear', args: [0n, 2n] }), 2),
    )
    await real.send(alice, lifecycleCall(encodeFunctionData({ abi, functionName: 'createChild' }), 3, 6n))
    const { chainId, gas } = fees
    await real.send(alice, { type: 'legacy', chainId, gas, gasPrice: parseGwei('9'), to: BOB, nonce: 4 })
    const authorization = await bob.signAuthorization({ chainId, contractAddress: lifecycle, nonce: 0 })
    await real.send(alice, {
      ...fees,
      type: 'eip7702',
      to: BOB,
      nonce: 5,
      data: encodeFunctionData({ abi, functionName: 'fill', args: [7n, 2n] }),
      authorizationList: [authorization],
    } as never)
    await real.chain.seal()

    const built = await real.ask<Record<string, Hex> & { transactions: Record<string, unknown>[] }>(
      'eth_getBlockByNumber',
      'latest',
      true,
    )
    expect(built.transactions).toHaveLength(6)
    const calls = built.transactions.map(({ type, gasPrice, ...transaction }) =>
      type === '0x0' ? { ...transaction, gasPrice } : transaction,
    )
    const blockOverrides = {
      number: built['number'],
      time: built['timestamp'],
      gasLimit: built['gasLimit'],
      feeRecipient: built['miner'],
      prevRandao: built['mixHash'],
      baseFeePerGas: built['baseFeePerGas'],
      beaconRoot: built['parentBeaconBlockRoot'],
    }
    const [simulated] = await real.ask<readonly Block[]>(
      'eth_simulateV1',
      { blockStateCalls: [{ blockOverrides, calls }], validation: true, traceTransfers: true },
      '0x0',
    )
    expect(simulated?.calls.map(({ status }) => status)).toEqual(Array(6).fill('0x1'))
    for (const field of ['stateRoot', 'receiptsRoot', 'gasUsed', 'logsBloom', 'parentHash', 'requestsHash']) {
      expect(simulated?.[field]).toBe(built[field])
    }
    const balance = encodeFunctionData({ abi: Token.abi, functionName: 'balanceOf', args: [ALICE] })
    const token = getContractAddress({ from: ALICE, nonce: 0n })
    const answer = await real.ask<Hex>('eth_call', { to: token, data: balance })
    expect(decodeFunctionResult({ abi: Token.abi, functionName: 'balanceOf', data: answer })).toBe(1000n)
  })
})

type Hardfork = NonNullable<EmulatorOptions['hardfork']>

describe('the type of a call without one (geth, TransactionArgs.ToTransaction)', () => {
  const typesUnder = async (hardfork: Hardfork, call: object): Promise<unknown> => {
    const { ask } = await startScene({ hardfork })
    const asked = {
      blockStateCalls: [{ calls: [{ from: ALICE, to: BOB, ...call }] }],
      returnFullTransactions: true,
    }
    const [block] = await ask<{ transactions: { type: string }[] }[]>('eth_simulateV1', asked)
    return block?.transactions.map(({ type }) => type)
  }

  test.each<[hardfork: Hardfork, call: object, type: string]>([
    ['istanbul', {}, '0x0'],
    ['berlin', {}, '0x0'],
    ['london', {}, '0x2'],
    ['prague', {}, '0x2'],
    ['prague', { gasPrice: '0x77359400' }, '0x0'],
    ['prague', { authorizationList: [] }, '0x4'],
  ])('under %s with %j is %s', async (hardfork, call, type) => {
    expect(await typesUnder(hardfork, call)).toEqual([type])
  })

  test.each<[hardfork: Hardfork, call: object]>([
    ['cancun', { authorizationList: [] }],
    ['shanghai', { maxFeePerBlobGas: '0x1', blobVersionedHashes: [`0x01${'11'.repeat(31)}`] }],
  ])('under %s is refused with %j', async (hardfork, call) => {
    await expect(typesUnder(hardfork, call)).rejects.toMatchObject({ kind: 'transactionTypeNotSupported' })
  })
})
