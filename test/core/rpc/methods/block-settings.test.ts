// Settings of the next blocks, in headers and as contracts see them. Expected fees are calculated by hand.

import { createEmulator, type EmulatorOptions } from 'tickchain'
import {
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  numberToHex,
  parseGwei,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { Environment } from '../../../contracts/generated.ts'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from '../scene.ts'

const ENVIRONMENT: Hex = `0x${'e0'.repeat(20)}`
const COINBASE: Hex = `0x${'c0'.repeat(20)}`
const RANDAO: Hex = `0x${'2a'.padStart(64, '0')}`

const start = (options: EmulatorOptions = {}): Promise<Scene> =>
  startScene({
    ...options,
    genesis: { alloc: { [ENVIRONMENT]: { code: Environment.deployedBytecode } }, ...options.genesis },
  })

type Field = 'coinbase' | 'prevRandao' | 'gasLimit' | 'chainId' | 'baseFee'

/** What a contract reads at a block. */
async function read({ ask }: Scene, functionName: Field, block = 'latest'): Promise<unknown> {
  const data = encodeFunctionData({ abi: Environment.abi, functionName })
  // With a fee, so that the base fee is not zero for the call.
  const call = { from: ALICE, to: ENVIRONMENT, data, gasPrice: numberToHex(parseGwei('1000')) }
  const result = await ask<Hex>('eth_call', call, block)
  return decodeFunctionResult({ abi: Environment.abi, functionName, data: result })
}

const block = <Header extends object>({ ask }: Scene, number: string): Promise<Header> =>
  ask('eth_getBlockByNumber', number, false)

/** Pre-confirms a transfer, so that the block being built has begun. */
async function begin(scene: Scene): Promise<void> {
  await scene.ask('eth_sendTransaction', { from: ALICE, to: BOB, value: '0x1' })
  await scene.chain.advance(200)
}

const answers = [
  ['anvil', null],
  ['hardhat', true],
  ['ganache', null],
] as const

describe('coinbase', () => {
  test.each(answers)('in %s setCoinbase answers %j', async (flavor, answer) => {
    const scene = await start({ flavor })
    for (const prefix of ['anvil', 'hardhat', 'ganache']) {
      expect(await scene.ask(`${prefix}_setCoinbase`, COINBASE)).toBe(answer)
    }
    expect(await scene.ask('miner_setEtherbase', COINBASE)).toBe(true)
    expect(await scene.ask('eth_coinbase')).toBe(COINBASE)
  })

  test('is in the next block, where contracts read it and tips go', async () => {
    const scene = await start()
    await scene.ask('anvil_setCoinbase', COINBASE)
    expect(await read(scene, 'coinbase', 'pending')).toBe(getAddress(COINBASE))
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    expect(await block(scene, 'latest')).toMatchObject({ miner: COINBASE })
    // 21,000 gas at a tip of 1 gwei.
    expect(await scene.ask('eth_getBalance', COINBASE)).toBe(numberToHex(21_000n * parseGwei('1')))
  })

  test('of a block that has begun stays', async () => {
    const scene = await start()
    await begin(scene)
    await scene.ask('anvil_setCoinbase', COINBASE)
    await scene.chain.seal()
    await scene.chain.seal()
    expect(await block(scene, '0x1')).toMatchObject({ miner: '0x4200000000000000000000000000000000000011' })
    expect(await block(scene, '0x2')).toMatchObject({ miner: COINBASE })
  })
})

describe('the gas limit of blocks', () => {
  test.each(['evm_setBlockGasLimit', 'anvil_setBlockGasLimit', 'miner_setGasLimit'])('%s', async (method) => {
    const scene = await start()
    expect(await scene.ask(method, '0x186a0')).toBe(true)
    expect(await read(scene, 'gasLimit', 'pending')).toBe(100_000n)
    await scene.chain.seal()
    expect(await block(scene, 'latest')).toMatchObject({ gasLimit: '0x186a0' })
    await expect(scene.send(alice, { ...transfer(BOB, 0), gas: 100_001n })).rejects.toMatchObject({
      message: 'exceeds block gas limit: gas 100001, limit 100000',
    })
  })

  test('drops pooled transactions that ask for more', async () => {
    const scene = await start()
    const large = await scene.send(alice, { ...transfer(BOB, 1), gas: 100_001n })
    const small = await scene.send(alice, { ...transfer(BOB, 0), gas: 100_000n })
    await scene.ask('evm_setBlockGasLimit', 100_000)
    expect(await scene.ask('eth_getTransactionByHash', large)).toBeNull()
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', small)).toMatchObject({ status: '0x1' })
    expect(await scene.ask('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' })
  })

  test('of a block that has begun stays', async () => {
    const scene = await start()
    await begin(scene)
    await scene.ask('evm_setBlockGasLimit', 100_000)
    await scene.chain.seal()
    await scene.chain.seal()
    expect(await block(scene, '0x1')).toMatchObject({ gasLimit: numberToHex(60_000_000) })
    expect(await block(scene, '0x2')).toMatchObject({ gasLimit: '0x186a0' })
  })

  test('is not zero', async () => {
    const { ask } = await start()
    await expect(ask('evm_setBlockGasLimit', '0x0')).rejects.toMatchObject({
      kind: 'blockGasLimitZero',
      code: -32602,
    })
  })

  // geth, params.MaxGasLimit
  test('is at most 2^63 - 1', async () => {
    const scene = await start()
    await expect(scene.ask('evm_setBlockGasLimit', '0x8000000000000000')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('2^63 - 1'),
    })
    expect(await scene.ask('evm_setBlockGasLimit', '0x7fffffffffffffff')).toBe(true)
    await expect(scene.chain.setBlockGasLimit(2n ** 63n)).rejects.toThrow('2^63 - 1')
  })
})

describe('the base fee of the next block', () => {
  test.each(answers)('in %s setNextBlockBaseFeePerGas answers %j', async (flavor, answer) => {
    const { ask } = await start({ flavor })
    for (const prefix of ['anvil', 'hardhat', 'ganache']) {
      expect(await ask(`${prefix}_setNextBlockBaseFeePerGas`, '0x10')).toBe(answer)
    }
  })

  test('is the set one, and later ones follow by EIP-1559', async () => {
    const scene = await start()
    await scene.ask('anvil_setNextBlockBaseFeePerGas', numberToHex(parseGwei('8')))
    expect(await read(scene, 'baseFee', 'pending')).toBe(parseGwei('8'))
    expect(await scene.ask('eth_gasPrice')).toBe(numberToHex(parseGwei('9')))
    await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    // 8 gwei, and a tip of 1.
    const receipts = await scene.ask<{ effectiveGasPrice: Hex }[]>('eth_getBlockReceipts', 'latest')
    expect(receipts.map(({ effectiveGasPrice }) => effectiveGasPrice)).toEqual([numberToHex(parseGwei('9'))])
    await scene.chain.seal()
    // 21,000 of a target of 30 million: 8 gwei less 8 gwei × 29,979,000 / 30,000,000 / 8.
    const second = 8_000_000_000n - (8_000_000_000n * 29_979_000n) / 30_000_000n / 8n
    expect(second).toBe(7_000_700_000n)
    expect(await block(scene, '0x2')).toMatchObject({ baseFeePerGas: numberToHex(second) })
    await scene.chain.seal()
    // An empty block: seven eighths.
    expect(await block(scene, '0x3')).toMatchObject({ baseFeePerGas: numberToHex((second * 7n) / 8n) })
  })

  test('may be zero', async () => {
    const scene = await start()
    await scene.ask('hardhat_setNextBlockBaseFeePerGas', '0x0')
    await scene.chain.seal()
    await scene.chain.seal()
    expect(await block(scene, '0x1')).toMatchObject({ baseFeePerGas: '0x0' })
    expect(await block(scene, '0x2')).toMatchObject({ baseFeePerGas: '0x0' })
  })

  test('excludes transactions that do not pay it', async () => {
    const scene = await start()
    const hash = await scene.send(alice, transfer(BOB, 0))
    await scene.ask('anvil_setNextBlockBaseFeePerGas', numberToHex(parseGwei('11')))
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toBeNull()
    // 11 × 7/8 = 9.625 gwei, under the cap of 10.
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x2' })
  })

  test('is refused once transactions have seen it, and before london', async () => {
    const scene = await start()
    await begin(scene)
    await expect(scene.ask('anvil_setNextBlockBaseFeePerGas', '0x1')).rejects.toMatchObject({
      kind: 'blockBegun',
    })
    const berlin = await start({ hardfork: 'berlin' })
    await expect(berlin.ask('anvil_setNextBlockBaseFeePerGas', '0x1')).rejects.toMatchObject({
      code: -32602,
      message: 'anvil_setNextBlockBaseFeePerGas is only supported when EIP-1559 is active',
    })
  })

  test('survives a reorganisation of the blocks before it', async () => {
    const scene = await start()
    await scene.chain.seal()
    await scene.ask('anvil_setNextBlockBaseFeePerGas', '0x1234')
    await scene.chain.reorg({ depth: 1 })
    expect(await block(scene, 'latest')).toMatchObject({ baseFeePerGas: numberToHex(875_000_000) })
    expect(await block(scene, 'pending')).toMatchObject({ baseFeePerGas: '0x1234' })
  })
})

describe('the least gas price', () => {
  test.each(['anvil', 'hardhat', 'ganache'])(
    "%s_setMinGasPrice is refused in the peers' words",
    async (prefix) => {
      const { ask } = await start()
      await expect(ask(`${prefix}_setMinGasPrice`, '0x1')).rejects.toMatchObject({
        code: -32602,
        message: `${prefix}_setMinGasPrice is not supported when EIP-1559 is active`,
      })
    },
  )

  test('before london excludes lower prices, and is suggested', async () => {
    const scene = await start({ hardfork: 'berlin' })
    expect(await scene.ask('anvil_setMinGasPrice', numberToHex(parseGwei('20')))).toBeNull()
    const pay = (gasPrice: bigint) =>
      scene.send(alice, { chainId: 31_337, type: 'legacy', to: BOB, gas: 21_000n, gasPrice })
    await expect(pay(parseGwei('19'))).rejects.toMatchObject({ kind: 'tipTooLow' })
    expect(await scene.ask('eth_gasPrice')).toBe(numberToHex(parseGwei('20')))
    const filled = await scene.ask('eth_sendTransaction', { from: BOB, to: ALICE })
    expect(await scene.ask('eth_getTransactionByHash', filled)).toMatchObject({
      gasPrice: numberToHex(parseGwei('20')),
    })
    await pay(parseGwei('20'))
  })

  // As in EDR: docs/compliance.md.
  test('before london lets cheaper transactions wait in the flavor hardhat', async () => {
    const scene = await start({ hardfork: 'berlin', flavor: 'hardhat', production: 'manual' })
    expect(await scene.ask('hardhat_setMinGasPrice', '0xf')).toBe(true)
    const pay = (sender: typeof alice, gasPrice: bigint) =>
      scene.send(sender, { chainId: 31_337, type: 'legacy', to: BOB, gas: 21_000n, gasPrice })
    const cheap = await pay(alice, 14n)
    await scene.ask('evm_mine')
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [] })
    expect(await scene.ask('eth_gasPrice')).toBe(numberToHex(parseGwei('8')))
    await scene.ask('hardhat_setMinGasPrice', '0xe')
    await scene.ask('evm_mine')
    expect(await scene.ask('eth_getBlockByNumber', 'latest', false)).toMatchObject({ transactions: [cheap] })
  })

  test('before london refuses cheaper transactions in the flavor hardhat while it automines', async () => {
    const scene = await start({ hardfork: 'berlin', flavor: 'hardhat', production: 'auto' })
    await scene.ask('hardhat_setMinGasPrice', '0xf')
    const cheap = { chainId: 31_337, type: 'legacy', to: BOB, gas: 21_000n, gasPrice: 14n } as const
    await expect(scene.send(alice, cheap)).rejects.toMatchObject({
      code: -32000,
      message: 'Transaction gas price is 14, which is below the minimum of 15',
    })
  })

  test('miner_setGasPrice is a least tip where there is a base fee', async () => {
    const scene = await start()
    expect(await scene.ask('miner_setGasPrice', numberToHex(parseGwei('2')))).toBe(true)
    await expect(scene.send(alice, transfer(BOB, 0))).rejects.toMatchObject({ kind: 'tipTooLow' })
    expect(await scene.ask('eth_maxPriorityFeePerGas')).toBe(numberToHex(parseGwei('2')))
    await scene.ask('miner_setGasPrice', '0x0')
    await scene.send(alice, transfer(BOB, 0))
    expect(await scene.ask('eth_maxPriorityFeePerGas')).toBe(numberToHex(parseGwei('1')))
  })
})

describe('extra data', () => {
  test('is in the blocks from then on', async () => {
    const scene = await start()
    expect(await scene.ask('miner_setExtra', '0xc0ffee')).toBe(true)
    await scene.chain.seal()
    expect(await block(scene, 'latest')).toMatchObject({ extraData: '0xc0ffee' })
    await expect(scene.ask('miner_setExtra', `0x${'00'.repeat(33)}`)).rejects.toMatchObject({
      message: 'extra exceeds max length. 33 > 32',
    })
  })
})

describe('prevRandao of the next block', () => {
  test.each(['hardhat_setPrevRandao', 'anvil_setPrevRandao', 'anvil_setNextBlockPrevRandao'])(
    '%s: contracts read it, and the next is its hash',
    async (method) => {
      const scene = await start()
      expect(await scene.ask(method, RANDAO)).toBeNull()
      expect(await read(scene, 'prevRandao', 'pending')).toBe(42n)
      await scene.chain.seal()
      await scene.chain.seal()
      expect(await block(scene, '0x1')).toMatchObject({ mixHash: RANDAO })
      expect(await block(scene, '0x2')).toMatchObject({ mixHash: keccak256(RANDAO) })
    },
  )

  test('is refused once transactions have seen it, and before paris', async () => {
    const scene = await start()
    await begin(scene)
    await expect(scene.ask('hardhat_setPrevRandao', RANDAO)).rejects.toMatchObject({ kind: 'blockBegun' })
    const london = await start({ hardfork: 'london' })
    await expect(london.ask('hardhat_setPrevRandao', RANDAO)).rejects.toMatchObject({
      code: -32000,
      message:
        'hardhat_setPrevRandao is only available in post-merge hardforks, the current hardfork is london',
    })
  })
})

describe('the chain id', () => {
  const signed = (chainId: number, nonce: number) =>
    alice.signTransaction({ ...transfer(BOB, nonce), chainId })

  test.each(answers)(
    'in %s anvil_setChainId answers %j, and every method follows',
    async (flavor, answer) => {
      const scene = await start({ flavor })
      expect(await scene.ask('anvil_setChainId', 10)).toBe(answer)
      expect(await scene.ask('eth_chainId')).toBe('0xa')
      expect(await scene.ask('net_version')).toBe('10')
      expect(await scene.ask('eth_networkId')).toBe('10')
      expect(scene.chain.settings.chainId).toBe(10)
      expect(await scene.ask('eth_config')).toMatchObject({ current: { chainId: '0xa' } })
      await scene.ask('wallet_switchEthereumChain', { chainId: '0xa' })
      await expect(scene.ask('wallet_switchEthereumChain', { chainId: '0x7a69' })).rejects.toMatchObject({
        code: 4902,
      })
    },
  )

  test('is read by contracts at every block, and used for signatures', async () => {
    const scene = await start()
    await scene.chain.seal()
    await scene.ask('anvil_setChainId', '0xa')
    for (const at of ['earliest', 'latest', 'pending']) expect(await read(scene, 'chainId', at)).toBe(10n)
    await expect(scene.ask('eth_sendRawTransaction', await signed(31_337, 0))).rejects.toMatchObject({
      kind: 'wrongChainId',
    })
    await scene.ask('eth_sendRawTransaction', await signed(10, 0))
    const own = await scene.ask('eth_sendTransaction', { from: ALICE, to: BOB })
    expect(await scene.ask('eth_getTransactionByHash', own)).toMatchObject({ chainId: '0xa', nonce: '0x1' })
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', own)).toMatchObject({ status: '0x1' })
  })

  test('holds at once in a block that has begun', async () => {
    const scene = await start()
    await begin(scene)
    await scene.ask('anvil_setChainId', '0xa')
    expect(await read(scene, 'chainId', 'pending')).toBe(10n)
    const hash = await scene.ask('eth_sendRawTransaction', await signed(10, 1))
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x1' })
  })

  test('keeps transactions for another id in the pool until that is set again', async () => {
    const scene = await start()
    const hash = await scene.ask('eth_sendRawTransaction', await signed(31_337, 0))
    await scene.ask('anvil_setChainId', '0xa')
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toBeNull()
    await scene.ask('anvil_setChainId', 31_337)
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ blockNumber: '0x2' })
  })

  test('decides which authorizations count (EIP-7702)', async () => {
    const scene = await start()
    await scene.ask('anvil_setChainId', 10)
    const delegator = privateKeyToAccount(`0x${'77'.repeat(32)}`)
    const authorize = (chainId: number) =>
      delegator.signAuthorization({ contractAddress: ENVIRONMENT, chainId, nonce: 0 })
    for (const [nonce, chainId] of [31_337, 10].entries()) {
      const transaction = { ...transfer(BOB, nonce), chainId: 10, gas: 100_000n, type: 'eip7702' } as const
      await scene.send(alice, { ...transaction, authorizationList: [await authorize(chainId)] } as never)
      await scene.chain.seal()
      const delegation = chainId === 10 ? `0xef0100${ENVIRONMENT.slice(2)}` : '0x'
      expect(await scene.ask('eth_getCode', delegator.address)).toBe(delegation)
    }
  })

  test('is not zero', async () => {
    const { ask } = await start()
    await expect(ask('anvil_setChainId', 0)).rejects.toMatchObject({ code: -32602 })
  })
})

test('snapshots, clones and reverts keep every setting', async () => {
  const scene = await start()
  const before = scene.chain.snapshot()
  const unset = await block<object>(scene, 'pending')
  await scene.ask('anvil_setCoinbase', COINBASE)
  await scene.ask('evm_setBlockGasLimit', 1_000_000)
  await scene.ask('anvil_setNextBlockBaseFeePerGas', 777)
  await scene.ask('anvil_setPrevRandao', RANDAO)
  await scene.ask('anvil_setChainId', 5)
  await scene.ask('miner_setExtra', '0x01')
  await scene.ask('miner_setGasPrice', numberToHex(parseGwei('3')))
  const expected = {
    miner: COINBASE,
    gasLimit: numberToHex(1_000_000),
    baseFeePerGas: numberToHex(777),
    mixHash: RANDAO,
    extraData: '0x01',
  }
  const clone = scene.chain.clone()
  const after = scene.chain.snapshot()
  await scene.chain.revert(before)
  expect(await block(scene, 'pending')).toEqual(unset)
  expect([await scene.ask('eth_chainId'), scene.chain.settings.chainId]).toEqual(['0x7a69', 31_337])
  expect(await scene.ask('eth_maxPriorityFeePerGas')).toBe(numberToHex(parseGwei('1')))
  await scene.chain.revert(after)
  for (const chain of [clone, scene.chain]) {
    await chain.seal()
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject(expected)
    expect(await chain.request('eth_chainId')).toBe('0x5')
    expect(await chain.request('eth_maxPriorityFeePerGas')).toBe(numberToHex(parseGwei('3')))
  }
})

test.each([
  ['anvil', /^anvil\//],
  ['hardhat', /^HardhatNetwork\//],
  ['ganache', /^Ganache\/.*EthereumJS TestRPC\//],
] as const)('web3_clientVersion of %s begins like its own, and names tickchain', async (flavor, pattern) => {
  const version = await (await createEmulator({ flavor })).request('web3_clientVersion')
  expect(version).toMatch(pattern)
  expect(version).toMatch(/tickchain\/v\d+\.\d+\.\d+/)
})
