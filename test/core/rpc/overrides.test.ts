// Calls and estimates with state and block overrides. The code in the overrides is hand-written, so that its results
// are known.

import { encodeFunctionData, getContractAddress, type Hex, hexToBigInt, pad, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { Counter, Environment } from '../../contracts/generated.ts'
import { ALICE, BOB, type Scene, startScene } from './scene.ts'

const contract: Hex = `0x${'c0'.repeat(20)}`
const elsewhere: Hex = `0x${'e1'.repeat(20)}`
const nobody: Hex = `0x${'99'.repeat(20)}`
const word = (value: bigint | number): Hex => pad(toHex(value))
const precompile = (number: number): Hex => toHex(number, { size: 20 })

/** Answers the storage slot that its calldata names: CALLDATALOAD(0), SLOAD. */
const SLOAD_CODE = '0x5f35545f5260205ff3'
/** Answers the balance of its caller. */
const BALANCE_CODE = '0x33315f5260205ff3'
/** Answers BLOBBASEFEE (EIP-7516), and BLOBHASH(0) (EIP-4844). */
const BLOB_BASE_FEE_CODE = '0x4a5f5260205ff3'
const BLOB_HASH_CODE = '0x5f495f5260205ff3'
/** Creates an empty contract and answers its address, which the creator's nonce decides. */
const CREATE_CODE = '0x5f5f5ff05f5260205ff3'

let scene: Scene
const call = (request: object, accounts?: unknown, block?: unknown): Promise<Hex> =>
  scene.ask<Hex>('eth_call', request, 'latest', accounts, block)

beforeAll(async () => {
  const storage = { [word(0)]: '0x5', [word(1)]: '0x6' } as const
  scene = await startScene({
    genesis: { alloc: { [contract]: { balance: 7, code: SLOAD_CODE, storage } } },
  })
  await scene.chain.seal()
})

describe('an account that is overridden', () => {
  test('has the balance that is given, to read and to spend', async () => {
    const accounts = { [nobody]: { balance: '0x64' }, [elsewhere]: { code: BALANCE_CODE } }
    expect(await call({ from: nobody, to: elsewhere }, accounts)).toBe(word(100))
    // The value has left the sender when the code runs.
    expect(await call({ from: nobody, to: elsewhere, value: '0x40' }, accounts)).toBe(word(36))
    await expect(call({ from: nobody, to: elsewhere, value: '0x65' }, accounts)).rejects.toMatchObject({
      kind: 'insufficientFunds',
    })
  })

  test('has the code that is given, and none where it is empty', async () => {
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'count' })
    // The storage of the account stays: Counter keeps its count in slot 0.
    expect(await call({ to: contract, data }, { [contract]: { code: Counter.deployedBytecode } })).toBe(
      word(5),
    )
    expect(await call({ to: contract, data: word(0) }, { [contract]: { code: '0x' } })).toBe('0x')
  })

  test('has the nonce that is given', async () => {
    // keccak-256 of RLP([address, nonce]): the contract that this account creates first with nonces 1 and 2.
    const created = await Promise.all(
      ['0x1', '0x2'].map((nonce) => call({ to: elsewhere }, { [elsewhere]: { code: CREATE_CODE, nonce } })),
    )
    expect(created).toEqual(
      [1n, 2n].map((nonce) => pad(getContractAddress({ from: elsewhere, nonce }).toLowerCase() as Hex)),
    )
  })

  test('has all its storage replaced by `state`, and some of it by `stateDiff`', async () => {
    const read = (slot: number, override: object) =>
      call({ to: contract, data: word(slot) }, { [contract]: override })
    const slots = { [word(1)]: word(9) }
    expect(await Promise.all([0, 1].map((slot) => read(slot, { state: slots })))).toEqual([word(0), word(9)])
    expect(await Promise.all([0, 1].map((slot) => read(slot, { stateDiff: slots })))).toEqual([
      word(5),
      word(9),
    ])
    // Zero is nothing, and slots and values may leave leading zeros out.
    expect(await read(0, { stateDiff: { '0x0': '0x0' } })).toBe(word(0))
    expect(await read(1, { state: {} })).toBe(word(0))
  })

  test('is as it was for everybody else', async () => {
    expect(await call({ to: contract, data: word(1) })).toBe(word(6))
    expect(await scene.ask('eth_getBalance', nobody)).toBe('0x0')
    expect(await scene.ask('eth_getStorageAt', contract, '0x1')).toBe(word(6))
  })

  test('is overridden at any block', async () => {
    for (const block of ['earliest', 'latest', 'pending', '0x0']) {
      const accounts = { [contract]: { stateDiff: { '0x1': '0x11' } } }
      expect(await scene.ask('eth_call', { to: contract, data: word(1) }, block, accounts)).toBe(word(17))
    }
  })
})

describe('a precompile', () => {
  const [sha256, identity] = [precompile(2), precompile(4)]

  test('answers where it is moved to, and no longer where it was', async () => {
    const accounts = { [identity]: { movePrecompileToAddress: elsewhere } }
    expect(await call({ to: elsewhere, data: '0xabcd' }, accounts)).toBe('0xabcd')
    expect(await call({ to: identity, data: '0xabcd' }, accounts)).toBe('0x')
    // The next request has it back.
    expect(await call({ to: identity, data: '0xabcd' })).toBe('0xabcd')
    expect(await call({ to: elsewhere, data: '0xabcd' })).toBe('0x')
  })

  test('gives way to code, and takes the place of another', async () => {
    const code = '0x602a5f5260205ff3'
    expect(await call({ to: identity }, { [identity]: { code } })).toBe(word(42))
    const accounts = { [identity]: { movePrecompileToAddress: sha256 } }
    expect(await call({ to: sha256, data: '0x01' }, accounts)).toBe('0x01')
    // Moved, with other code at its old address.
    const both = { [identity]: { movePrecompileToAddress: elsewhere, code } }
    expect(await call({ to: identity, data: '0x01' }, both)).toBe(word(42))
    expect(await call({ to: elsewhere, data: '0x01' }, both)).toBe('0x01')
  })

  test.each([
    [
      { [elsewhere]: { movePrecompileToAddress: contract } },
      -32000,
      `account ${elsewhere} is not a precompile`,
    ],
    [
      { [identity]: { movePrecompileToAddress: identity } },
      -38022,
      `precompile ${identity} cannot be moved to its own address`,
    ],
    [
      { [identity]: { movePrecompileToAddress: contract }, [contract]: { balance: '0x1' } },
      -32000,
      `account ${contract} is already overridden`,
    ],
  ])('is not moved where that makes no sense: %#', async (accounts, code, message) => {
    await expect(call({ to: identity }, accounts)).rejects.toMatchObject({ code, message })
  })
})

describe('a block that is overridden', () => {
  type Getter = Exclude<
    Extract<(typeof Environment.abi)[number], { stateMutability: 'view' }>['name'],
    'blockHash'
  >
  const read = async (functionName: Getter, block: object, request: object = {}): Promise<bigint> => {
    const data = encodeFunctionData({ abi: Environment.abi, functionName })
    const accounts = { [elsewhere]: { code: Environment.deployedBytecode } }
    return hexToBigInt(await call({ to: elsewhere, data, ...request }, accounts, block))
  }

  test.each([
    ['number', { number: '0x1234' }, 0x1234n],
    ['timestamp', { time: '0x77359400' }, 2_000_000_000n],
    ['gasLimit', { gasLimit: '0xf4240' }, 1_000_000n],
    ['coinbase', { feeRecipient: nobody }, BigInt(nobody)],
    ['prevRandao', { prevRandao: word(77) }, 77n],
    ['prevRandao', { prevRandao: '0x4d' }, 77n],
    ['baseFee', { baseFeePerGas: '0x7' }, 7n],
    // There is none since the merge: the opcode reads prevRandao.
    ['prevRandao', { difficulty: '0x9', prevRandao: '0x1' }, 1n],
  ] as const)('%s %#', async (getter, block, expected) => {
    expect(await read(getter, block)).toBe(expected)
  })

  test('a base fee decides what a fee has to be', async () => {
    const fees = { from: ALICE, maxFeePerGas: '0x10', maxPriorityFeePerGas: '0x2', gas: '0x186a0' }
    expect(await read('gasPrice', { baseFeePerGas: '0x7' }, fees)).toBe(9n)
    await expect(read('gasPrice', { baseFeePerGas: '0x11' }, fees)).rejects.toMatchObject({
      kind: 'feeCapTooLow',
    })
    // Without a fee the base fee reads zero, unless it is given.
    expect(await read('baseFee', {})).toBe(0n)
  })

  test('the fee of blobs, and their hashes', async () => {
    const accounts = {
      [elsewhere]: { code: BLOB_BASE_FEE_CODE },
      [contract]: { code: BLOB_HASH_CODE },
    }
    expect(await call({ to: elsewhere }, accounts, { blobBaseFee: '0x3' })).toBe(word(3))
    const blobVersionedHashes = [`0x01${'ab'.repeat(31)}`]
    const blobs = { from: ALICE, to: contract, blobVersionedHashes, maxFeePerBlobGas: '0x5' }
    expect(await call(blobs, accounts)).toBe(blobVersionedHashes[0])
    await expect(call(blobs, accounts, { blobBaseFee: '0x6' })).rejects.toMatchObject({
      kind: 'blobFeeTooLow',
    })
    // A blob is 131,072 blob gas, for which 5 wei each must be there.
    await expect(
      call({ ...blobs, from: nobody }, { ...accounts, [nobody]: { balance: toHex(655_359) } }),
    ).rejects.toMatchObject({ kind: 'insufficientFunds' })
    expect(
      await call({ ...blobs, from: nobody }, { ...accounts, [nobody]: { balance: toHex(655_360) } }),
    ).toBe(blobVersionedHashes[0])
  })

  test('a time may be that of another fork', async () => {
    // Shanghai, which has PUSH0, begins at 1,000 seconds.
    const early = ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople']
    const late = ['petersburg', 'istanbul', 'berlin', 'london']
    const blocks = Object.fromEntries([...early, ...late].map((name) => [`${name}Block`, 0]))
    const config = { chainId: 1, ...blocks, terminalTotalDifficulty: 0, shanghaiTime: 1000 }
    const young = await startScene({ genesis: { timestamp: 0, config }, accounts: [] })
    const ask = (time: number) =>
      young.ask('eth_call', { to: elsewhere }, '0x0', { [elsewhere]: { code: '0x5f5ff3' } }, { time })
    await expect(ask(999)).rejects.toMatchObject({ message: expect.stringContaining('invalid opcode') })
    expect(await ask(1000)).toBe('0x')
  })
})

describe('eth_estimateGas', () => {
  test('with overrides of state', async () => {
    const data = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })
    const estimate = (override: object) =>
      scene.ask<Hex>('eth_estimateGas', { from: BOB, to: elsewhere, data }, 'latest', {
        [elsewhere]: { code: Counter.deployedBytecode, ...override },
      })
    const [first, later] = await Promise.all([estimate({}), estimate({ stateDiff: { '0x0': '0x1' } })])
    // A slot that is zero costs 22,100 to write, one that is not 5,000 (EIP-2929).
    const difference = Number(hexToBigInt(first) - hexToBigInt(later))
    expect(Math.abs(difference - 17_100)).toBeLessThan(1500)
    await expect(
      scene.ask('eth_estimateGas', { from: nobody, to: BOB, value: '0x1' }, 'latest'),
    ).rejects.toMatchObject({ kind: 'insufficientFunds' })
    expect(
      await scene.ask('eth_estimateGas', { from: nobody, to: BOB, value: '0x1' }, 'latest', {
        [nobody]: { balance: '0x1' },
      }),
    ).toBe('0x5208')
  })

  test('with overrides of the block: its gas limit is the most that is tried', async () => {
    const request = { from: BOB, to: elsewhere }
    // Jumps to nowhere where less than 2,000,000 gas is left.
    const accounts = { [elsewhere]: { code: '0x621e84805a1060095700' } }
    await expect(
      scene.ask('eth_estimateGas', request, 'latest', accounts, { gasLimit: toHex(1_000_000) }),
    ).rejects.toMatchObject({ kind: 'executionFailed', message: 'invalid jump destination' })
    const estimate = await scene.ask<Hex>('eth_estimateGas', request, 'latest', accounts, {
      gasLimit: toHex(4_000_000),
    })
    expect(hexToBigInt(estimate)).toBeGreaterThan(2_000_000n)
  })
})

describe('bad input', () => {
  const at = (override: unknown) => ({ [contract]: override })

  test.each([
    [[], 'invalid argument 2: expected an object, got an array'],
    [{ '0x12': {} }, 'invalid argument 2 key: expected an address of 20 bytes, got "0x12" (1 byte)'],
    [at(null), `invalid argument 2.${contract}: expected an object, got null`],
    [
      at({ balance: '12' }),
      `invalid argument 2.${contract}.balance: expected a whole number from 0 to 2^256 - 1, as hex or number, got "12"`,
    ],
    [
      at({ nonce: '0x10000000000000000' }),
      `invalid argument 2.${contract}.nonce: expected a whole number from 0 to 2^64 - 1, as hex or number, got "0x10000000000000000"`,
    ],
    [
      at({ code: '0x1' }),
      `invalid argument 2.${contract}.code: expected data, as hex, got "0x1" (hex string of odd length)`,
    ],
    [at({ state: [] }), `invalid argument 2.${contract}.state: expected an object, got an array`],
    [
      at({ state: { '0x0': 1 } }),
      `invalid argument 2.${contract}.state.0x0: expected a storage value, hex of up to 32 bytes, got 1`,
    ],
    [
      at({ stateDiff: { zero: '0x1' } }),
      `invalid argument 2.${contract}.stateDiff key: expected a storage slot, hex of up to 32 bytes, got "zero"`,
    ],
    [at({ state: {}, stateDiff: {} }), `invalid argument 2.${contract}: has both state and stateDiff`],
    [
      at({ ballance: '0x1' }),
      `invalid argument 2.${contract}.ballance: unknown field, did you mean balance?`,
    ],
    [
      at({ movePrecompileToAddress: '0x01' }),
      `invalid argument 2.${contract}.movePrecompileToAddress: expected an address of 20 bytes, got "0x01" (1 byte)`,
    ],
    [{ [contract]: {}, [`0x${'C0'.repeat(20)}`]: {} }, `invalid argument 2: has ${contract} twice`],
  ])('in the state: %#', async (accounts, message) => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_createAccessList']) {
      await expect(scene.ask(method, { to: contract }, 'latest', accounts)).rejects.toMatchObject({
        code: -32602,
        message,
      })
    }
  })

  test.each([
    ['latest', 'invalid argument 3: expected an object, got "latest"'],
    [
      { number: -1 },
      'invalid argument 3.number: expected a whole number from 0 to 9007199254740991, as hex, number or decimal string, got -1',
    ],
    [
      { time: 1.5 },
      'invalid argument 3.time: expected a whole number from 0 to 9007199254740991, as hex, number or decimal string, got 1.5',
    ],
    [
      { gasLimit: '0x10000000000000000' },
      'invalid argument 3.gasLimit: expected a whole number from 0 to 2^64 - 1, as hex or number, got "0x10000000000000000"',
    ],
    [
      { feeRecipient: '0x' },
      'invalid argument 3.feeRecipient: expected an address of 20 bytes, got "0x" (0 bytes)',
    ],
    [
      { prevRandao: 7 },
      'invalid argument 3.prevRandao: expected a random value, hex of up to 32 bytes, got 7',
    ],
    [
      { baseFeePerGas: `0x1${'00'.repeat(32)}` },
      `invalid argument 3.baseFeePerGas: expected a whole number from 0 to 2^256 - 1, as hex or number, got "0x1${'0'.repeat(62)}…"`,
    ],
    [
      { timestamp: '0x1' },
      'invalid argument 3.timestamp: expected one of number, time, gasLimit, feeRecipient, prevRandao, baseFeePerGas, blobBaseFee, difficulty, got an unknown field',
    ],
    // A call sees nothing of either.
    [{ withdrawals: [] }, expect.stringContaining('3.withdrawals: expected one of ')],
    [{ beaconRoot: word(1) }, expect.stringContaining('3.beaconRoot: expected one of ')],
  ])('in the block: %#', async (block, message) => {
    for (const method of ['eth_call', 'eth_estimateGas']) {
      await expect(scene.ask(method, { to: contract }, 'latest', {}, block)).rejects.toMatchObject({
        code: -32602,
        message,
      })
    }
  })

  test.each([
    [{ blobVersionedHashes: [] }, 'invalid argument 0.blobVersionedHashes: expected at least one hash'],
    [
      { blobVersionedHashes: [word(1)] },
      'invalid argument 0.blobVersionedHashes[0]: expected a hash of version 1, which begins with 0x01',
    ],
    [
      { to: null, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] },
      'invalid argument 0.to: a blob transaction needs a recipient (EIP-4844)',
    ],
  ])('in the blobs of a call: %#', async (fields, message) => {
    await expect(scene.ask('eth_call', { to: contract, ...fields })).rejects.toMatchObject({
      code: -32602,
      message,
    })
  })

  test('blobs cannot be sent without what they hold', async () => {
    const blobVersionedHashes = [`0x01${'00'.repeat(31)}`]
    await expect(
      scene.ask('eth_sendTransaction', { from: ALICE, to: BOB, blobVersionedHashes }),
    ).rejects.toMatchObject({ kind: 'transactionTypeNotSupported' })
  })
})
