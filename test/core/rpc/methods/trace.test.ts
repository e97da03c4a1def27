// The trace module. Gas is that of the yellow paper and EIP-2929; shapes and words are OpenEthereum's.
import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import { type Hex, numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { forge, startChain } from '../../chain/forge.ts'
import { ALICE, alice, BOB, bob, type Scene, startScene, transfer, transferFees } from '../scene.ts'

const X: Hex = '0x0000000000000000000000000000000000000aa1'
const Y: Hex = '0x0000000000000000000000000000000000000aa2'
const UNKNOWN = `0x${'11'.repeat(32)}`
const ALL = ['trace', 'vmTrace', 'stateDiff']

interface Trace {
  readonly type: string
  readonly action: Readonly<Record<string, string>>
  readonly error?: string
  readonly result: Readonly<Record<string, string>> | null
  readonly subtraces: number
  readonly traceAddress: readonly number[]
  readonly blockHash?: string | null
  readonly blockNumber?: number | null
  readonly transactionHash?: string | null
  readonly transactionPosition?: number | null
}

interface Operation {
  readonly pc: number
  readonly cost: number
  readonly ex: {
    readonly used: number
    readonly push: readonly string[]
    readonly mem: { readonly off: number; readonly data: string } | null
    readonly store: { readonly key: string; readonly val: string } | null
  } | null
  readonly sub: { readonly code: string; readonly ops: readonly Operation[] } | null
  readonly op: string
  readonly idx: string
}

interface Results {
  readonly output: string
  readonly trace: readonly Trace[]
  readonly vmTrace: { readonly code: string; readonly ops: readonly Operation[] } | null
  readonly stateDiff: Readonly<Record<string, Readonly<Record<string, unknown>>>> | null
  readonly transactionHash?: string
}

/** A chain that seals each transaction, with code at X and Y. */
async function startWith(codes: Readonly<Record<Hex, Hex>>, options: EmulatorOptions = {}): Promise<Scene> {
  const scene = await startScene({ production: 'auto', ...options })
  for (const [address, code] of Object.entries(codes)) await scene.chain.setCode(address as Hex, code)
  return scene
}

/** Sends 100,000 gas from Alice. */
function call({ ask }: Scene, to: Hex, fields: Readonly<Record<string, unknown>> = {}): Promise<Hex> {
  return ask('eth_sendTransaction', { from: ALICE, to, gas: '0x186a0', ...fields })
}

const push20 = (address: Hex): string => `73${address.slice(2)}`
const word = (value: number): Hex => pad(numberToHex(value), { size: 32 })

describe('call traces', () => {
  test('of a transfer', async () => {
    const scene = await startWith({})
    const hash = await call(scene, BOB, { value: '0x5' })
    const { hash: blockHash } = await scene.ask<{ hash: string }>('eth_getBlockByNumber', '0x1', false)
    const [trace] = await scene.ask<Trace[]>('trace_transaction', hash)
    expect(trace).toEqual({
      type: 'call',
      // 100,000 − 21,000
      action: { from: ALICE, to: BOB, value: '0x5', gas: '0x13498', input: '0x', callType: 'call' },
      result: { gasUsed: '0x0', output: '0x' },
      subtraces: 0,
      traceAddress: [],
      blockHash,
      blockNumber: 1,
      transactionHash: hash,
      transactionPosition: 0,
    })
    expect(await scene.ask('trace_block', '0x1')).toEqual([trace])
    expect(await scene.ask('trace_block', blockHash)).toEqual([trace])
  })

  test('of nested frames, with addresses, values and words', async () => {
    // Y: 1 wei to a plain account, a delegate call of X, then REVERT.
    const yCode: Hex = `0x5f5f5f5f6001${push20(BOB)}5af15f5f5f5f${push20(X)}5af45f5ffd`
    // Z calls Y, and an invalid opcode with 10,000 gas.
    const z: Hex = '0x0000000000000000000000000000000000000aa3'
    const bad: Hex = '0x0000000000000000000000000000000000000aa4'
    const zCode: Hex = `0x5f5f5f5f5f${push20(Y)}5af15f5f5f5f5f${push20(bad)}612710f100`
    const scene = await startWith({ [X]: '0x00', [Y]: yCode, [z]: zCode, [bad]: '0x0c' })
    await scene.chain.setBalance(Y, 1n)
    const hash = await call(scene, z)
    const traces = await scene.ask<Trace[]>('trace_transaction', hash)
    expect(
      traces.map(({ traceAddress, subtraces, action, error }) => [
        ...[
          traceAddress,
          subtraces,
          action['callType'],
          action['from'],
          action['to'],
          action['value'],
          error,
        ],
      ]),
    ).toEqual([
      [[], 2, 'call', ALICE, z, '0x0', undefined],
      [[0], 2, 'call', z, Y, '0x0', 'Reverted'],
      [[0, 0], 0, 'call', Y, BOB, '0x1', undefined],
      [[0, 1], 0, 'delegatecall', Y, X, '0x0', undefined],
      [[1], 0, 'call', z, bad, '0x0', 'Bad instruction'],
    ])
    expect(traces[1]?.result).toMatchObject({ output: '0x' })
    expect(traces[4]?.result).toBeNull()
    expect(traces[4]?.action['gas']).toBe('0x2710')
    expect(await scene.ask('trace_get', hash, ['0x0', '0x1'])).toEqual(traces[3])
    expect(await scene.ask('trace_get', hash, [])).toEqual(traces[0])
    expect(await scene.ask('trace_get', hash, ['0x2'])).toBeNull()
  })

  test('of creations and self-destructs', async () => {
    // Init code that returns one byte, STOP; it is at 0x13 of the memory, 13 bytes long.
    const init = '6001600c60003960016000f300'
    const scene = await startWith({ [X]: `0x6c${init}5f526007600d60135ff5${push20(BOB)}ff` })
    await scene.chain.setBalance(X, 9n)
    const hash = await call(scene, X)
    const [root, creation, suicide] = await scene.ask<Trace[]>('trace_transaction', hash)
    expect(root).toMatchObject({ type: 'call', subtraces: 2 })
    expect(creation).toMatchObject({
      type: 'create',
      action: { from: X, value: '0x0', init: `0x${init}`, creationMethod: 'create2' },
      // PUSH1 ×5: 15, CODECOPY: 3 + 3 + 3, RETURN: 0, and 200 for a byte of code.
      result: { code: '0x00', gasUsed: '0xe0' },
      traceAddress: [0],
    })
    expect(Object.keys(creation?.action ?? {})).not.toContain('to')
    expect(suicide).toMatchObject({
      type: 'suicide',
      action: { address: X, refundAddress: BOB, balance: '0x9' },
      result: null,
      traceAddress: [1],
    })
  })

  test.each([
    ['out of gas', '0x5b5f56', 'Out of gas'],
    ['a bad jump', '0x602a56', 'Bad jump destination'],
    ['an empty stack', '0x01', 'Stack underflow'],
    ['INVALID', '0xfe', 'Bad instruction'],
    ['REVERT', '0x5f5ffd', 'Reverted'],
  ] as const)('name %s as OpenEthereum does', async (_, code, error) => {
    const scene = await startWith({ [X]: code })
    const [trace] = await scene.ask<Trace[]>('trace_transaction', await call(scene, X, { gas: '0x5dc0' }))
    expect(trace?.error).toBe(error)
  })

  test('leave out precompiles, unless they get ether or are the recipient', async () => {
    const identity: Hex = '0x0000000000000000000000000000000000000004'
    const scene = await startWith({
      [X]: `0x5f5f5f5f6004${'5a'}fa5f5f5f5f600160045af100`,
    })
    await scene.chain.setBalance(X, 1n)
    const traces = await scene.ask<Trace[]>('trace_transaction', await call(scene, X))
    expect(
      traces.map(({ traceAddress, subtraces, action }) => [traceAddress, subtraces, action['value']]),
    ).toEqual([
      [[], 1, '0x0'],
      [[0], 0, '0x1'],
    ])
    const direct = await scene.ask<Trace[]>(
      'trace_transaction',
      await call(scene, identity, { data: '0x1234' }),
    )
    expect(direct).toMatchObject([{ action: { to: identity }, result: { output: '0x1234' } }])
  })

  test('of blocks with proof of work end with the rewards', async () => {
    const chain: Emulator = await startChain('istanbul')
    const first = await forge(chain, 'istanbul')
    if ('refusal' in first) throw first.refusal
    const uncleMiner: Hex = `0x${'dd'.repeat(20)}`
    const uncle = first.header.map((value, index) => (index === 2 ? uncleMiner : value))
    const second = await forge(chain, 'istanbul', { uncles: [uncle] })
    expect(second).toHaveProperty('rlp')
    const traces = (await chain.request('trace_block', ['0x2'])) as unknown as readonly Trace[]
    const rewards = traces.filter(({ type }) => type === 'reward')
    // 2 ether and a 32nd of it; 7 eighths of 2 ether.
    expect(
      rewards.map(({ action }) => [action['rewardType'], action['author'], BigInt(action['value'] as Hex)]),
    ).toEqual([
      ['block', first.header[2], 2_062_500_000_000_000_000n],
      ['uncle', uncleMiner, 1_750_000_000_000_000_000n],
    ])
    expect(rewards[0]).toMatchObject({
      ...{ result: null, subtraces: 0, traceAddress: [], blockNumber: 2 },
      ...{ transactionHash: null, transactionPosition: null },
    })
    const filter = { fromBlock: '0x0', toBlock: 'latest', toAddress: [uncleMiner] }
    expect(await chain.request('trace_filter', [filter])).toEqual([rewards[1]])
    const details = await chain.request('ots_getBlockDetails', [2])
    expect(details?.issuance).toEqual({
      blockReward: numberToHex(2_062_500_000_000_000_000n),
      uncleReward: numberToHex(1_750_000_000_000_000_000n),
      issuance: numberToHex(3_812_500_000_000_000_000n),
    })
  })

  test('of the first block have no reward, whatever its number', async () => {
    const chain = await createEmulator({ hardfork: 'istanbul', genesis: { number: 100, difficulty: 5n } })
    expect(await chain.request('trace_block', ['0x64'])).toEqual([])
    expect(await chain.request('trace_filter', [{ fromBlock: '0x64', toBlock: '0x64' }])).toEqual([])
    const details = await chain.request('ots_getBlockDetails', [100])
    expect(details?.issuance).toEqual({ blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' })
  })
})

describe('vmTrace', () => {
  test('has cost, gas left, pushes, memory and storage of each operation', async () => {
    // 5 + 3 to memory and back; slots[1] = 7.
    const code: Hex = '0x60056003015f525f5150600760015500'
    const scene = await startWith({ [X]: code })
    const hash = await call(scene, X)
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', hash, ['vmTrace'])
    expect(vmTrace?.code).toBe(code)
    const rows = vmTrace?.ops.map(({ pc, op, cost, ex, idx }) => [pc, op, cost, ex?.used, ex?.push, idx])
    expect(rows).toEqual([
      [0, 'PUSH1', 3, 78_997, ['0x5'], '0'],
      [2, 'PUSH1', 3, 78_994, ['0x3'], '1'],
      [4, 'ADD', 3, 78_991, ['0x8'], '2'],
      [5, 'PUSH0', 2, 78_989, ['0x0'], '3'],
      [6, 'MSTORE', 6, 78_983, [], '4'],
      [7, 'PUSH0', 2, 78_981, ['0x0'], '5'],
      [8, 'MLOAD', 3, 78_978, ['0x8'], '6'],
      [9, 'POP', 2, 78_976, [], '7'],
      [10, 'PUSH1', 3, 78_973, ['0x7'], '8'],
      [12, 'PUSH1', 3, 78_970, ['0x1'], '9'],
      [14, 'SSTORE', 22_100, 56_870, [], '10'],
      [15, 'STOP', 0, 56_870, [], '11'],
    ])
    const effects = vmTrace?.ops.map(({ ex }) => ex)
    expect(effects?.map((ex) => ex?.mem).filter((mem) => mem !== null)).toEqual([
      { off: 0, data: word(8) },
      { off: 0, data: word(8) },
    ])
    expect(effects?.map((ex) => ex?.store).filter((store) => store !== null)).toEqual([
      { key: '0x1', val: '0x7' },
    ])
  })

  test('has the operations of a call below it, and its result after it', async () => {
    const reverting: Hex = '0x60fe5f5360015ffd'
    // One byte of output to memory at 0x20; 65,535 gas; the call reverts.
    const code: Hex = `0x600160205f5f5f${push20(X)}61fffff100`
    const scene = await startWith({ [X]: reverting, [Y]: code })
    const hash = await call(scene, Y)
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', hash, ['vmTrace'])
    const message = vmTrace?.ops[7]
    expect(message).toMatchObject({
      op: 'CALL',
      // A cold account (2,600), 2 words of memory (6), and the gas that it gets.
      cost: 2_600 + 6 + 65_535,
      // 79,000 less 18 before, 2,606, and 16 in the call.
      ex: { used: 79_000 - 18 - 2_606 - 16, push: ['0x0'], mem: { off: 32, data: '0xfe' }, store: null },
      sub: { code: reverting },
    })
    expect(message?.sub?.ops.map(({ op, idx, ex }) => [op, idx, ex?.used])).toEqual([
      ['PUSH1', '7-0', 65_532],
      ['PUSH0', '7-1', 65_530],
      ['MSTORE8', '7-2', 65_524],
      ['PUSH1', '7-3', 65_521],
      ['PUSH0', '7-4', 65_519],
      ['REVERT', '7-5', 65_519],
    ])
  })

  test('has null effects for an operation that failed', async () => {
    const scene = await startWith({ [X]: '0x6001fe' })
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', await call(scene, X), ['vmTrace'])
    expect(vmTrace?.ops.map(({ op, ex }) => [op, ex === null])).toEqual([
      ['PUSH1', false],
      ['INVALID', true],
    ])
  })

  test('shows DUPn and SWAPn with the words that they reached', async () => {
    const scene = await startWith({ [X]: '0x600160026003829100' })
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', await call(scene, X), ['vmTrace'])
    expect(vmTrace?.ops.slice(3, 5).map(({ op, ex }) => [op, ex?.push])).toEqual([
      ['DUP3', ['0x1', '0x2', '0x3', '0x1']],
      ['SWAP2', ['0x1', '0x3', '0x2']],
    ])
  })

  test('shows code that the transaction itself deployed, and init code', async () => {
    const init = '625f5f005f526003601df3'
    // CREATE, then a call of what it made: PUSH0 PUSH0 STOP.
    const scene = await startWith({ [X]: `0x6a${init}5f52600b60155ff05f5f5f5f5f855af100` })
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', await call(scene, X), ['vmTrace'])
    const subs = vmTrace?.ops.map(({ sub }) => sub?.code).filter((code) => code !== undefined)
    expect(subs).toEqual([`0x${init}`, '0x5f5f00'])
  })

  test('shows no code where a creation was undone', async () => {
    const init = '625f5f005f526003601df3'
    // Y creates a contract and reverts with its address, which X then calls.
    const yCode: Hex = `0x6a${init}5f52600b60155ff05f5260205ffd`
    const scene = await startWith({
      [X]: `0x5f5f5f5f${push20(Y)}5af45060205f5f3e5f5f5f5f5f5f515af100`,
      [Y]: yCode,
    })
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', await call(scene, X), ['vmTrace'])
    const subs = vmTrace?.ops.map(({ sub }) => sub).filter((sub) => sub !== null)
    expect(subs?.map((sub) => sub?.code)).toEqual([yCode, '0x'])
    expect(subs?.[0]?.ops.find(({ sub }) => sub !== null)?.sub?.code).toBe(`0x${init}`)
    expect(subs?.[1]?.ops).toEqual([])
  })

  test('shows the code of a contract that deletes itself', async () => {
    const code: Hex = `0x${push20(BOB)}ff`
    const scene = await startWith({ [X]: code }, { hardfork: 'shanghai' })
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', await call(scene, X), ['vmTrace'])
    expect(vmTrace).toMatchObject({ code, ops: [{ op: 'PUSH20' }, { op: 'SELFDESTRUCT', sub: null }] })
  })

  test('shows the code that a delegation of the same transaction leads to', async () => {
    const scene = await startWith({ [X]: '0x5f00' })
    const authorization = await alice.signAuthorization({ chainId: 31_337, address: X, nonce: 0 })
    const { gas, type, ...fees } = transferFees
    const hash = await scene.send(bob, {
      ...{ ...fees, type: 'eip7702', gas: 100_000n, nonce: 0, to: ALICE },
      authorizationList: [authorization],
    })
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', hash, ['vmTrace'])
    expect(vmTrace).toMatchObject({ code: '0x5f00', ops: [{ op: 'PUSH0' }, { op: 'STOP' }] })
  })

  test('has a limit', async () => {
    const scene = await startWith({ [X]: '0x5f5f00' }, { limits: { traceBytes: 1500 } })
    const hash = await call(scene, X)
    const { vmTrace } = await scene.ask<Results>('trace_replayTransaction', hash, ['vmTrace'])
    expect(vmTrace?.ops).toHaveLength(3)
    const calls = [0, 1].map(() => [{ from: ALICE, to: X }, ['vmTrace']])
    await expect(scene.ask('trace_callMany', calls)).rejects.toMatchObject({
      kind: 'traceTooLarge',
      message: expect.stringContaining('limits.traceBytes'),
    })
  })
})

describe('stateDiff', () => {
  test('has changed slots, balances and nonces, and nothing of what is equal', async () => {
    const scene = await startWith({ [X]: '0x600760015500' })
    const hash = await call(scene, X, { value: '0x3' })
    const { stateDiff, trace, vmTrace } = await scene.ask<Results>('trace_replayTransaction', hash, [
      'stateDiff',
    ])
    expect(stateDiff?.[X]).toEqual({
      balance: { '*': { from: '0x0', to: '0x3' } },
      code: '=',
      nonce: '=',
      storage: { [word(1)]: { '*': { from: word(0), to: word(7) } } },
    })
    expect(stateDiff?.[ALICE]).toMatchObject({
      code: '=',
      nonce: { '*': { from: '0x0', to: '0x1' } },
      storage: {},
    })
    expect([trace, vmTrace]).toEqual([[], null])
  })

  test('has accounts that were made', async () => {
    const scene = await startWith({})
    const hash = await call(scene, X, { value: '0x5' })
    const { stateDiff } = await scene.ask<Results>('trace_replayTransaction', hash, ['stateDiff'])
    const born = { balance: { '+': '0x5' }, code: { '+': '0x' }, nonce: { '+': '0x0' }, storage: {} }
    expect(stateDiff?.[X]).toEqual(born)
  })

  test('has accounts that were deleted, before EIP-6780', async () => {
    const code: Hex = `0x${push20(BOB)}ff`
    const scene = await startWith({ [X]: code }, { hardfork: 'shanghai' })
    await scene.chain.setStorageAt(X, word(2), word(9))
    const hash = await call(scene, X, { value: '0x5' })
    const { stateDiff } = await scene.ask<Results>('trace_replayTransaction', hash, ['stateDiff'])
    expect(stateDiff?.[X]).toEqual({
      ...{ balance: { '-': '0x0' }, code: { '-': code }, nonce: { '-': '0x0' } },
      storage: { [word(2)]: { '-': word(9) } },
    })
  })
})

// Stores its calldata, or returns what it stored: CALLDATASIZE, PUSH1 12, JUMPI, …
const STORE_OR_LOAD: Hex = '0x36600c575f545f5260205ff35b5f355f5500'

describe('calls', () => {
  test('trace_call answers as eth_call runs, with overrides, and changes nothing', async () => {
    const scene = await startWith({})
    const request = { from: ALICE, to: X }
    const overrides = { [X]: { code: STORE_OR_LOAD, stateDiff: { [word(0)]: word(42) } } }
    const results = await scene.ask<Results>('trace_call', request, ALL, 'latest', overrides)
    expect(results.output).toBe(word(42))
    expect(results.trace).toMatchObject([{ action: { from: ALICE, to: X }, result: { output: word(42) } }])
    expect(results.vmTrace?.code).toBe(STORE_OR_LOAD)
    // Without a fee, only the nonce of the caller changes.
    expect(results.stateDiff).toEqual({
      [ALICE]: { balance: '=', code: '=', nonce: { '*': { from: '0x0', to: '0x1' } }, storage: {} },
    })
    expect(await scene.ask('eth_getTransactionCount', ALICE, 'latest')).toBe('0x0')
  })

  test('a call that fails is traced, not refused', async () => {
    const scene = await startWith({ [X]: '0x60fe5f5360015ffd' })
    const results = await scene.ask<Results>('trace_call', { from: ALICE, to: X }, ['trace'])
    expect(results).toMatchObject({ output: '0xfe', trace: [{ error: 'Reverted' }] })
    const poor = { from: X, to: BOB, value: '0x1' }
    await expect(scene.ask('trace_call', poor, ['trace'])).rejects.toMatchObject({ code: -32000 })
  })

  test('trace_callMany runs each call on the state after the one before', async () => {
    const scene = await startWith({ [X]: STORE_OR_LOAD })
    const [first, second] = await scene.ask<Results[]>('trace_callMany', [
      [{ from: ALICE, to: X, data: word(7) }, ['stateDiff']],
      [{ from: ALICE, to: X }, ['trace', 'stateDiff']],
    ])
    expect(first?.stateDiff?.[X]).toMatchObject({
      storage: { [word(0)]: { '*': { from: word(0), to: word(7) } } },
    })
    expect(second?.output).toBe(word(7))
    expect(second?.stateDiff).toMatchObject({ [ALICE]: { nonce: { '*': { from: '0x1', to: '0x2' } } } })
  })

  test('trace_rawTransaction needs no nonce, pays, and submits nothing', async () => {
    const scene = await startWith({})
    const raw = await alice.signTransaction(transfer(X, 5))
    const { trace, stateDiff } = await scene.ask<Results>('trace_rawTransaction', raw, ['trace', 'stateDiff'])
    expect(trace).toMatchObject([{ action: { from: ALICE, to: X, gas: '0x0', value: '0x1' } }])
    expect(stateDiff?.[X]).toMatchObject({ balance: { '+': '0x1' } })
    const { baseFeePerGas } = await scene.ask<{ baseFeePerGas: Hex }>('eth_getBlockByNumber', 'latest', false)
    const price = BigInt(baseFeePerGas) + 1_000_000_000n
    const from = 10n ** 22n
    expect(stateDiff?.[ALICE]?.['balance']).toEqual({
      '*': { from: numberToHex(from), to: numberToHex(from - 1n - 21_000n * price) },
    })
    expect(await scene.ask('eth_blockNumber')).toBe('0x0')
  })
})

describe('transactions that are not sealed', () => {
  test.each(['anvil', 'hardhat', 'ganache'] as const)(
    'are traced at pending, in the flavor %s',
    async (flavor) => {
      const scene = await startScene({ flavor, production: 'interval' })
      await scene.chain.setCode(X, '0x600760015500')
      const hash = await call(scene, X)
      await scene.chain.advance(200)
      const traces = await scene.ask<Trace[]>('trace_transaction', hash)
      expect(traces).toMatchObject([{ action: { to: X }, blockNumber: 1, transactionPosition: 0 }])
      expect(await scene.ask('trace_block', 'pending')).toEqual(traces)
      expect(await scene.ask('trace_filter', { fromBlock: 'pending', toBlock: 'pending' })).toEqual(traces)
      expect(await scene.ask('trace_filter', { toBlock: 'latest' })).toEqual([])
      const results = await scene.ask<Results>('trace_replayTransaction', hash, ALL)
      const replayed = await scene.ask<Results[]>('trace_replayBlockTransactions', 'pending', ALL)
      expect(replayed).toEqual([{ ...results, transactionHash: hash }])
      await scene.chain.seal()
      const sealed = await scene.ask<Trace[]>('trace_transaction', hash)
      const places = sealed.map(({ blockHash }) => blockHash)
      const { hash: blockHash } = await scene.ask<{ hash: string }>('eth_getBlockByNumber', '0x1', false)
      expect(places).toEqual([blockHash])
      expect(sealed).toEqual(traces.map((trace) => ({ ...trace, blockHash })))
      expect(await scene.ask('trace_replayTransaction', hash, ALL)).toEqual(results)
    },
  )

  test('show the number and the hash that pending has', async () => {
    const scene = await startScene({ production: 'interval', pendingIdentity: 'null' })
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.advance(200)
    expect(await scene.ask('trace_block', 'pending')).toMatchObject([{ blockHash: null, blockNumber: null }])
  })

  test('have no traces while they wait in the pool', async () => {
    const scene = await startScene({ production: 'interval' })
    const hash = await scene.send(alice, transfer(BOB, 0))
    expect(await scene.ask('trace_transaction', hash)).toBeNull()
    await expect(scene.ask('trace_replayTransaction', hash, ['trace'])).rejects.toMatchObject({
      code: -32000,
      message: `transaction not found: ${hash} waits in the pool, and has not run yet`,
    })
  })
})

describe('trace_filter', () => {
  test('costs nothing for a million empty blocks', async () => {
    const scene = await startScene({ production: 'manual' })
    await scene.chain.mine(100)
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    await scene.chain.mine(1_000_000)
    const traces = await scene.ask<Trace[]>('trace_filter', { toAddress: BOB })
    expect(traces.map(({ blockNumber, transactionHash }) => [blockNumber, transactionHash])).toEqual([
      [101, hash],
    ])
    expect(await scene.ask('trace_filter', { fromBlock: '0x66', toBlock: '0xf0000' })).toEqual([])
    expect(await scene.ask('trace_block', '0xf0000')).toEqual([])
  })

  test('has a limit, which a count can keep it from', async () => {
    const scene = await startWith({}, { limits: { replayedTransactions: 2 } })
    for (let sent = 0; sent < 3; sent++) await call(scene, BOB)
    await expect(scene.ask('trace_filter', {})).rejects.toMatchObject({
      code: -32005,
      message:
        'this would execute more than 2 transactions again; narrow it, or raise limits.replayedTransactions',
    })
    expect(await scene.ask('trace_filter', { count: 2 })).toHaveLength(2)
    expect(await scene.ask('trace_filter', { fromBlock: '0x2' })).toHaveLength(2)
  })

  test('has a limit of bytes', async () => {
    const scene = await startWith({}, { limits: { traceBytes: 2500 } })
    for (let sent = 0; sent < 3; sent++) await call(scene, BOB)
    await expect(scene.ask('trace_filter', {})).rejects.toMatchObject({ kind: 'traceTooLarge' })
    expect(await scene.ask('trace_filter', { count: 2 })).toHaveLength(2)
  })

  test('pages over the traces that match', async () => {
    const scene = await startWith({})
    const hashes: Hex[] = []
    for (const to of [BOB, X, BOB, BOB]) hashes.push(await call(scene, to))
    const found = await scene.ask<Trace[]>('trace_filter', { toAddress: [BOB], after: 1, count: 1 })
    expect(found.map(({ transactionHash }) => transactionHash)).toEqual([hashes[2]])
    expect(await scene.ask('trace_filter', { toAddress: [BOB], after: 3 })).toEqual([])
    expect(await scene.ask('trace_filter', { fromAddress: [], toAddress: [] })).toHaveLength(4)
  })

  test('takes the created contract for the recipient, unless the creation failed', async () => {
    const scene = await startWith({})
    const data = '0x6001600c60003960016000f300'
    const ok = await scene.ask<Hex>('eth_sendTransaction', { from: ALICE, data, gas: '0x186a0' })
    const failed = await scene.ask<Hex>('eth_sendTransaction', { from: ALICE, data: '0xfe', gas: '0x186a0' })
    const created = await Promise.all(
      [ok, failed].map(async (hash) => {
        const { contractAddress } = await scene.ask<{ contractAddress: Hex }>(
          'eth_getTransactionReceipt',
          hash,
        )
        return contractAddress
      }),
    )
    const found = await scene.ask<Trace[]>('trace_filter', {
      toAddress: created.filter((each) => each !== null),
    })
    expect(found.map(({ transactionHash }) => transactionHash)).toEqual([ok])
  })

  test.each([
    [{ fromBlock: '0x2', toBlock: '0x1' }, 'invalid block range params'],
    [{ toBlock: '0x9' }, 'block range extends beyond current head block'],
    [{ mode: 'both' }, 'invalid argument 0.mode: expected one of union, intersection, got "both"'],
    [{ fromAdress: [] }, 'invalid argument 0.fromAdress: unknown field, did you mean fromAddress?'],
  ])('refuses %o', async (filter, message) => {
    const scene = await startWith({})
    for (let sent = 0; sent < 2; sent++) await call(scene, BOB)
    await expect(scene.ask('trace_filter', filter)).rejects.toMatchObject({ code: -32602, message })
  })
})

describe('what is not there', () => {
  test('is null, or an error', async () => {
    const scene = await startWith({})
    expect(await scene.ask('trace_transaction', UNKNOWN)).toBeNull()
    expect(await scene.ask('trace_get', UNKNOWN, [])).toBeNull()
    expect(await scene.ask('trace_block', '0x9')).toBeNull()
    expect(await scene.ask('trace_replayBlockTransactions', '0x9', ['trace'])).toBeNull()
    await expect(scene.ask('trace_replayTransaction', UNKNOWN, ['trace'])).rejects.toMatchObject({
      message: `transaction not found: ${UNKNOWN}`,
    })
    await expect(scene.ask('trace_call', {}, ['trace'], '0x9')).rejects.toMatchObject({ code: -32001 })
    await expect(scene.ask('trace_call', {}, ['calls'])).rejects.toMatchObject({
      message: 'invalid argument 1[0]: expected one of trace, vmTrace, stateDiff, got "calls"',
    })
  })

  test('includes states that are not kept; their blocks have no traces', async () => {
    const scene = await startScene({ production: 'manual', stateHistory: 2 })
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    await scene.chain.mine(5)
    const error = { kind: 'stateNotAvailable', message: expect.stringContaining('stateHistory') }
    await expect(scene.ask('trace_transaction', hash)).rejects.toMatchObject(error)
    await expect(scene.ask('trace_filter', {})).rejects.toMatchObject(error)
    expect(await scene.ask('trace_filter', { fromBlock: '0x2' })).toEqual([])
  })
})
