// Options of Hardhat's configuration, each with its effect in Hardhat (EDR's provider).
import { createEmulator, type Emulator, type EmulatorOptions, TickchainError } from 'tickchain'
import { encodeFunctionData, type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { Reverter } from '../../contracts/generated.ts'
import { HARDFORKS } from '../../forks.ts'
import { ALICE, alice, BOB, transferFees } from '../rpc/scene.ts'

const contract: Hex = `0x${'c0'.repeat(20)}`
/** `Error("no")`: selector, offset 32, length 2, "no" with its padding. */
const REASON: Hex = `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`
const data = encodeFunctionData({
  abi: Reverter.abi,
  functionName: 'revertWithString',
  args: ['no'],
})
const WORDS = "VM Exception while processing transaction: reverted with reason string 'no'"

function start(options: EmulatorOptions): Promise<Emulator> {
  const { genesis, ...others } = options
  return createEmulator({
    production: 'auto',
    genesis: { ...genesis, alloc: { [contract]: { code: Reverter.deployedBytecode } } },
    ...others,
  })
}

const reverting = { from: ALICE, to: contract, gas: toHex(100_000), data }

async function thrownBy(answer: Promise<unknown>): Promise<TickchainError> {
  const error = await answer.catch((thrown: unknown) => thrown)
  if (!(error instanceof TickchainError)) throw new Error(`nothing was thrown: ${String(error)}`)
  return error
}

function rawTransaction(): Promise<Hex> {
  return alice.signTransaction({ ...transferFees, gas: 100_000n, to: contract, nonce: 0, data })
}

describe('throwOnTransactionFailures', () => {
  test.each(['eth_sendTransaction', 'eth_sendRawTransaction'] as const)(
    '%s throws the reason of the failure, although the transaction is in a block',
    async (method) => {
      const chain = await start({ flavor: 'hardhat' })
      const parameter = method === 'eth_sendTransaction' ? reverting : await rawTransaction()
      const error = await thrownBy(chain.request(method as string, [parameter]))
      expect(error).toMatchObject({ code: 3, kind: 'reverted', message: WORDS, data: REASON })
      expect(await chain.request('eth_blockNumber')).toBe('0x1')
      const block = await chain.request('eth_getBlockByNumber', ['0x1', false])
      expect(block?.transactions).toEqual([error.transactionHash])
      expect(await chain.request('eth_getTransactionReceipt', [error.transactionHash!])).toMatchObject({
        status: '0x0',
        blockNumber: '0x1',
        from: ALICE,
      })
      expect(await chain.request('eth_getTransactionCount', [ALICE, 'latest'])).toBe('0x1')
    },
  )

  test('listeners get the block before the error is thrown', async () => {
    const chain = await start({ flavor: 'hardhat' })
    const heard: string[] = []
    chain.on('sealedBlock', () => heard.push('sealed'))
    await chain.request('eth_sendTransaction', [reverting]).catch(() => heard.push('thrown'))
    expect(heard).toEqual(['sealed', 'thrown'])
  })

  test.each([
    ['anvil', undefined, false],
    ['ganache', undefined, false],
    ['hardhat', undefined, true],
    ['hardhat', false, false],
    ['anvil', true, true],
    ['ganache', true, true],
  ] as const)('flavor %s, option %s: throws %s', async (flavor, option, isThrown) => {
    const chain = await start({
      flavor,
      ...(option === undefined ? {} : { throwOnTransactionFailures: option }),
    })
    const sent = chain.request('eth_sendTransaction', [reverting])
    if (isThrown) await expect(sent).rejects.toMatchObject({ code: 3, data: REASON })
    else
      expect(await chain.request('eth_getTransactionReceipt', [await sent])).toMatchObject({ status: '0x0' })
  })

  test('a failure of another kind has the hash, too', async () => {
    const chain = await start({ flavor: 'hardhat' })
    const invalid = encodeFunctionData({ abi: Reverter.abi, functionName: 'invalidOpcode' })
    const error = await thrownBy(chain.request('eth_sendTransaction', [{ ...reverting, data: invalid }]))
    expect(error).toMatchObject({
      code: 3,
      message: 'VM Exception while processing transaction: invalid opcode',
    })
    const block = await chain.request('eth_getBlockByNumber', ['latest', false])
    expect(block?.transactions).toEqual([error.transactionHash])
  })

  test('a transaction that succeeds answers its hash', async () => {
    const chain = await start({ flavor: 'hardhat' })
    const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, value: '0x1' }])
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' })
  })

  test('without gas the estimate fails, and nothing is sent', async () => {
    const chain = await start({ flavor: 'hardhat' })
    const error = await thrownBy(chain.request('eth_sendTransaction', [{ from: ALICE, to: contract, data }]))
    expect(error).toMatchObject({ code: 3, message: WORDS, data: REASON })
    expect(error).not.toHaveProperty('transactionHash')
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })

  test('a transaction that waits for its block answers its hash', async () => {
    const chain = await start({ flavor: 'hardhat', production: 'interval' })
    const hash = await chain.request('eth_sendTransaction', [reverting])
    await chain.advance(2000)
    expect(await chain.request('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x0' })
  })
})

describe('a transaction that cannot be mined at once', () => {
  // As Hardhat 3.18 answers it; the base fee after an empty first block is 7/8 of a gwei (EIP-1559).
  const payment = { from: ALICE, to: BOB, gas: '0x5208' } as const
  const tooLow = 'is too low for the next block, which has a baseFeePerGas of 875000000'

  test.each([
    [
      { nonce: '0x7' },
      'nonceTooHigh',
      "Nonce too high. Expected nonce to be 0 but got 7. Note that transactions can't be queued when automining.",
    ],
    [{ gasPrice: '0x1' }, 'feeCapTooLow', `Transaction gasPrice (1) ${tooLow}`],
    [
      { maxFeePerGas: '0x2', maxPriorityFeePerGas: '0x1' },
      'feeCapTooLow',
      `Transaction maxFeePerGas (2) ${tooLow}`,
    ],
  ] as const)('%j is refused in automine', async (fields, kind, message) => {
    const chain = await start({ flavor: 'hardhat' })
    const error = await thrownBy(chain.request('eth_sendTransaction', [{ ...payment, ...fields }]))
    expect(error).toMatchObject({ kind, code: -32000, message })
    expect(await chain.request('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
    await chain.request('eth_sendTransaction', [payment])
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
  })

  test.each([
    ['hardhat', 'manual'],
    ['anvil', 'auto'],
    ['ganache', 'auto'],
  ] as const)('waits in the flavor %s with %s production', async (flavor, production) => {
    const chain = await start({ flavor, production })
    await chain.request('eth_sendTransaction', [{ ...payment, nonce: '0x7' }])
    await chain.request('eth_sendTransaction', [{ ...payment, from: BOB, gasPrice: '0x1' }])
    expect(await chain.request('txpool_status')).toMatchObject({ queued: '0x1' })
    expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })

  test('before london no fee cap is too low', async () => {
    const chain = await start({ flavor: 'hardhat', hardfork: 'berlin' })
    await chain.request('eth_sendTransaction', [{ ...payment, gasPrice: '0x1' }])
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
  })
})

describe('throwOnCallFailures', () => {
  test('false: a reverting call returns its revert data', async () => {
    const chain = await start({ flavor: 'hardhat', throwOnCallFailures: false })
    expect(await chain.request('eth_call', [reverting])).toBe(REASON)
  })

  test('false: a call that fails otherwise returns nothing, and an estimate still throws', async () => {
    const chain = await start({ throwOnCallFailures: false })
    const invalid = encodeFunctionData({ abi: Reverter.abi, functionName: 'invalidOpcode' })
    expect(await chain.request('eth_call', [{ ...reverting, data: invalid }])).toBe('0x')
    await expect(chain.request('eth_estimateGas', [reverting])).rejects.toMatchObject({ code: 3 })
  })

  test.each(['anvil', 'hardhat', 'ganache'] as const)('is true in the flavor %s', async (flavor) => {
    const chain = await start({ flavor })
    await expect(chain.request('eth_call', [reverting])).rejects.toMatchObject({ code: 3, data: REASON })
  })
})

describe('numbers of snapshots', () => {
  test('Hardhat skips one for every automined transaction', async () => {
    const chain = await start({ flavor: 'hardhat' })
    const send = () => chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }])
    const snapshot = () => chain.request('evm_snapshot')
    expect(await snapshot()).toBe('0x1')
    await send()
    expect(await snapshot()).toBe('0x3')
    await chain.request('eth_sendTransaction', [reverting]).catch(() => undefined)
    await send()
    expect(await snapshot()).toBe('0x6')
    expect(await chain.request('evm_revert', ['0x3'])).toBe(true)
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
    expect(await chain.request('evm_revert', ['0x6'])).toBe(false)
    expect(await chain.request('evm_revert', ['0x2'])).toBe(false)
  })

  test.each([
    ['hardhat', 'manual'],
    ['anvil', 'auto'],
    ['ganache', 'auto'],
  ] as const)('none is skipped in the flavor %s with %s production', async (flavor, production) => {
    const chain = await start({ flavor, production })
    const first = Number(await chain.request('evm_snapshot'))
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }])
    expect(Number(await chain.request('evm_snapshot'))).toBe(first + 1)
  })
})

describe('defaultTransactionGasLimit', () => {
  test('is the gas limit of a request without one', async () => {
    const chain = await start({ defaultTransactionGasLimit: 1_000_000 })
    const gasOf = async (request: object) => {
      const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, ...request }])
      return (await chain.request('eth_getTransactionByHash', [hash]))?.gas
    }
    expect(await gasOf({})).toBe(toHex(1_000_000))
    expect(await gasOf({ gas: '0x7530' })).toBe('0x7530')
  })

  test("'estimate' estimates, which is the default", async () => {
    for (const options of [{}, { defaultTransactionGasLimit: 'estimate' }] as const) {
      const chain = await start(options)
      const hash = await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB }])
      expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({ gas: '0x5208' })
    }
  })

  test('lets a transaction that reverts be sent without gas', async () => {
    const chain = await start({ flavor: 'hardhat', defaultTransactionGasLimit: 100_000 })
    const error = await thrownBy(chain.request('eth_sendTransaction', [{ from: ALICE, to: contract, data }]))
    expect(error.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await chain.request('eth_blockNumber')).toBe('0x1')
  })
})

describe('allowBlocksWithSameTimestamp', () => {
  async function timestamps(options: EmulatorOptions): Promise<number[]> {
    const chain = await start({ ...options, genesis: { timestamp: 1000 } })
    for (let i = 0; i < 3; i++) await chain.request('evm_mine')
    const blocks = [0, 1, 2, 3].map((number) => chain.request('eth_getBlockByNumber', [toHex(number), false]))
    return (await Promise.all(blocks)).map((block) => Number(block?.timestamp))
  }

  test('true: blocks sealed at the same moment share its timestamp', async () => {
    expect(await timestamps({ allowBlocksWithSameTimestamp: true })).toEqual([1000, 1000, 1000, 1000])
  })

  test('false: each is a second later than its parent', async () => {
    expect(await timestamps({})).toEqual([1000, 1001, 1002, 1003])
  })

  test("true: the parent's timestamp may be requested", async () => {
    const time = [1000] as const
    const common = { flavor: 'hardhat', genesis: { timestamp: 1000 } } as const
    const chain = await start({ ...common, allowBlocksWithSameTimestamp: true })
    await chain.request('evm_setNextBlockTimestamp', time)
    const strict = await start(common)
    await expect(strict.request('evm_setNextBlockTimestamp', time)).rejects.toMatchObject({
      kind: 'timestampTooLow',
    })
  })
})

describe('coinbase', () => {
  const miner: Hex = `0x${'ab'.repeat(20)}`

  test('receives the tips of blocks, and the first block keeps its own', async () => {
    const chain = await start({ coinbase: miner })
    await chain.request('eth_sendTransaction', [
      { from: ALICE, to: BOB, gas: '0x5208', maxFeePerGas: toHex(10n ** 10n), maxPriorityFeePerGas: '0x3' },
    ])
    const minerOf = async (block: Hex) => (await chain.request('eth_getBlockByNumber', [block, false]))?.miner
    expect(await minerOf('0x1')).toBe(miner)
    expect(await minerOf('0x0')).toBe('0x4200000000000000000000000000000000000011')
    // 21,000 gas with a tip of 3 wei.
    expect(await chain.request('eth_getBalance', [miner])).toBe(toHex(63_000))
  })

  test('is that of genesis if only that is given', async () => {
    const chain = await start({ genesis: { coinbase: miner } })
    await chain.request('evm_mine')
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({ miner })
  })
})

describe('null and undefined in a transaction object', () => {
  const none = [null, undefined] as const

  test.each(none)('%s counts as absent when it is sent', async (nothing) => {
    const chain = await start({})
    // As EDR writes down what ethers sent.
    const hash = await chain.request('eth_sendTransaction', [
      {
        from: ALICE,
        to: BOB,
        gas: '0x5208',
        gasPrice: nothing,
        maxFeePerGas: nothing,
        maxPriorityFeePerGas: nothing,
        value: nothing,
        data: nothing,
        input: nothing,
        nonce: nothing,
        chainId: nothing,
        accessList: nothing,
        type: nothing,
        blobs: nothing,
        blobHashes: nothing,
        blobVersionedHashes: nothing,
        maxFeePerBlobGas: nothing,
        authorizationList: nothing,
      } as never,
    ])
    expect(await chain.request('eth_getTransactionByHash', [hash])).toMatchObject({
      type: '0x2',
      to: BOB,
      value: '0x0',
      input: '0x',
      nonce: '0x0',
    })
  })

  test.each(none)('to: %s deploys', async (nothing) => {
    const chain = await start({})
    const hash = await chain.request('eth_sendTransaction', [
      { from: ALICE, to: nothing, data: '0x5f5ff3', gas: toHex(100_000) } as never,
    ])
    const receipt = await chain.request('eth_getTransactionReceipt', [hash])
    expect(receipt).toMatchObject({ to: null, status: '0x1' })
    expect(receipt?.contractAddress).toMatch(/^0x[0-9a-f]{40}$/)
  })

  test.each(none)('%s counts as absent in calls and estimates', async (nothing) => {
    const chain = await start({})
    const message = { from: nothing, to: BOB, gas: nothing, gasPrice: nothing, value: nothing, data: nothing }
    expect(await chain.request('eth_call', [message as never, 'latest'])).toBe('0x')
    expect(await chain.request('eth_estimateGas', [message as never])).toBe('0x5208')
  })
})

test('every hardfork since byzantium mines successful and failing transactions', async () => {
  // PUSH1 0, PUSH1 0, REVERT: what byzantium can do.
  const alloc = { [contract]: { code: '0x60006000fd' } } as const
  for (const hardfork of HARDFORKS) {
    const chain = await createEmulator({
      flavor: 'hardhat',
      hardfork,
      production: 'auto',
      genesis: { alloc },
    })
    const error = await thrownBy(
      chain.request('eth_sendTransaction', [{ from: ALICE, to: contract, gas: toHex(50_000) }]),
    )
    expect(error.message, hardfork).toBe('Transaction reverted without a reason string')
    await chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, value: '0x5' }])
    expect(await chain.request('eth_blockNumber'), hardfork).toBe('0x2')
  }
})

test.each([
  ['merge', 'paris'],
  ['grayGlacier', 'london'],
  ['arrowGlacier', 'london'],
  ['muirGlacier', 'istanbul'],
] as const)("Hardhat's hardfork %s is %s", async (hardfork, ours) => {
  const [named, same] = await Promise.all([createEmulator({ hardfork }), createEmulator({ hardfork: ours })])
  await Promise.all([named.seal(), same.seal()])
  const head = (chain: Emulator) => chain.request('eth_getBlockByNumber', ['latest', false])
  expect(await head(named)).toEqual(await head(same))
})
