// Deposits on the layer 1: the portal, the bridge and the messenger, and the system configuration's events.

import { encodeFunctionData, type Hex, keccak256, parseAbi, parseEther, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { rollupAddresses } from '../../../src/tools/pair/l1-addresses.ts'
import { Token } from '../../contracts/generated.ts'
import { ALICE, GUARDIAN, OWNER, rollupOnL1, SYSTEM, startL1 } from './l1-start.ts'

const PORTAL = parseAbi([
  'function depositTransaction(address to, uint256 value, uint64 gasLimit, bool isCreation, bytes data) payable',
  'event TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
  'function version() view returns (string)',
  'function params() view returns (uint128 prevBaseFee, uint64 prevBoughtGas, uint64 prevBlockNum)',
  'function guardian() view returns (address)',
  'function paused() view returns (bool)',
])
const BRIDGE = parseAbi([
  'function bridgeETH(uint32 minGasLimit, bytes extraData) payable',
  'function depositETH(uint32 minGasLimit, bytes extraData) payable',
  'function bridgeERC20(address localToken, address remoteToken, uint256 amount, uint32 minGasLimit, bytes extraData)',
  'function deposits(address localToken, address remoteToken) view returns (uint256)',
  'function finalizeBridgeETH(address from, address to, uint256 amount, bytes extraData)',
  'function finalizeBridgeERC20(address localToken, address remoteToken, address from, address to, uint256 amount, bytes extraData)',
])
const MESSENGER = parseAbi([
  'function sendMessage(address target, bytes message, uint32 minGasLimit) payable',
  'function relayMessage(uint256 nonce, address sender, address target, uint256 value, uint256 minGasLimit, bytes message) payable',
  'function messageNonce() view returns (uint256)',
  'function baseGas(bytes message, uint32 minGasLimit) view returns (uint64)',
])
const SYSTEM_CONFIG = parseAbi([
  'function setGasConfigEcotone(uint32 baseFeeScalar, uint32 blobBaseFeeScalar)',
  'function setBatcherHash(bytes32 batcherHash)',
  'function setGasLimit(uint64 gasLimit)',
  'function setEIP1559Params(uint32 denominator, uint32 elasticity)',
  'function setOperatorFeeScalars(uint32 scalar, uint64 constant_)',
  'function setMinBaseFee(uint64 minBaseFee)',
  'function setDAFootprintGasScalar(uint16 scalar)',
  'function version() view returns (string)',
  'function minBaseFee() view returns (uint64)',
  'function daFootprintGasScalar() view returns (uint16)',
  'function eip1559Elasticity() view returns (uint32)',
])

const L2_TOKEN = '0x00000000000000000000000000000000000000cc'
const L2_MESSENGER = '0x4200000000000000000000000000000000000007'
const L2_BRIDGE = '0x4200000000000000000000000000000000000010'

/** `TransactionDeposited(address,address,uint256,bytes)`, from the specification of deposits. */
const DEPOSITED = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32'
/** `ConfigUpdate(uint256,uint8,bytes)`, from the specification of the system configuration. */
const CONFIG_UPDATE = '0x1d2b0bda21d56b8bd12d4f94ebacffdfb35f5e226f84b461103bb8beab6353be'

const word = (value: bigint | number | string) => BigInt(value).toString(16).padStart(64, '0')

/** An address of the layer 1 as a sender on the layer 2, by hand. */
function aliased(address: string): string {
  const alias = (BigInt(address) + 0x1111000000000000000000000000000000001111n) % 2n ** 160n
  return `0x${alias.toString(16).padStart(40, '0')}`
}

type L1 = Awaited<ReturnType<typeof startL1>>

/** The deposits that a transaction made, with their opaque data cut up by hand. */
async function depositsOf({ chain, addresses }: L1, hash: Hex) {
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  const logs = receipt?.logs.filter(({ topics }) => topics[0] === DEPOSITED) ?? []
  return logs.map(({ address, topics, data }) => {
    expect(address).toBe(addresses.optimismPortal)
    expect(topics[3]).toBe(`0x${word(0)}`)
    const [offset, length] = [data.slice(2, 66), data.slice(66, 130)]
    expect(BigInt(`0x${offset}`)).toBe(32n)
    const opaque = data.slice(130, 130 + 2 * Number(`0x${length}`))
    return {
      from: `0x${topics[1]?.slice(26)}`,
      to: `0x${topics[2]?.slice(26)}`,
      mint: BigInt(`0x${opaque.slice(0, 64)}`),
      value: BigInt(`0x${opaque.slice(64, 128)}`),
      gasLimit: BigInt(`0x${opaque.slice(128, 144)}`),
      isCreation: opaque.slice(144, 146),
      data: `0x${opaque.slice(146)}`,
    }
  })
}

async function depositTransaction(
  l1: L1,
  changes: Partial<{ gasLimit: bigint; data: Hex; isCreation: boolean }> = {},
) {
  const { gasLimit = 100_000n, data = '0x', isCreation = false } = changes
  return l1.wallet.writeContract({
    account: ALICE,
    abi: PORTAL,
    address: l1.addresses.optimismPortal,
    functionName: 'depositTransaction',
    args: ['0x00000000000000000000000000000000000000aa', 7n, gasLimit, isCreation, data],
    value: parseEther('1'),
  })
}

describe('the portal', () => {
  test('tells of a deposit and keeps its ether', async () => {
    const l1 = await startL1()
    const hash = await depositTransaction(l1, { data: '0xdeadbeef' })
    expect(await depositsOf(l1, hash)).toEqual([
      {
        from: ALICE,
        to: '0x00000000000000000000000000000000000000aa',
        mint: 10n ** 18n,
        value: 7n,
        gasLimit: 100_000n,
        isCreation: '00',
        data: '0xdeadbeef',
      },
    ])
    expect(await l1.reader.getBalance({ address: l1.addresses.optimismPortal })).toBe(10n ** 18n)
  })

  test('takes ether that is sent to it as a deposit to the sender', async () => {
    const l1 = await startL1()
    const hash = await l1.wallet.sendTransaction({
      account: ALICE,
      to: l1.addresses.optimismPortal,
      value: 5n,
    })
    expect(await depositsOf(l1, hash)).toEqual([
      { from: ALICE, to: ALICE, mint: 5n, value: 5n, gasLimit: 100_000n, isCreation: '00', data: '0x' },
    ])
  })

  test('burns gas for what a deposit may use on the layer 2, at 1 gwei at least', async () => {
    const l1 = await startL1()
    const [small, large] = [
      await depositTransaction(l1),
      await depositTransaction(l1, { gasLimit: 2_000_000n }),
    ]
    const gas = async (hash: Hex) => (await l1.reader.getTransactionReceipt({ hash })).gasUsed
    // Two million gas at 1 gwei are paid by as much gas on the layer 1 at a base fee of 1 gwei or less.
    expect(await gas(large)).toBeGreaterThan(1_900_000n)
    expect(await gas(small)).toBeLessThan(200_000n)
    const [price, bought] = await l1.reader.readContract({
      abi: PORTAL,
      address: l1.addresses.optimismPortal,
      functionName: 'params',
    })
    // Never below the minimum; what this block has bought so far.
    expect([price, bought]).toEqual([1_000_000_000n, 2_000_000n])
  })

  // 21,000 and 16 for each of the 4 bytes.
  test.each([
    ['SmallGasLimit()', { gasLimit: 21_063n, data: '0xdeadbeef' as Hex }],
    ['BadTarget()', { isCreation: true }],
    ['LargeCalldata()', { gasLimit: 2_000_000n, data: toHex(new Uint8Array(120_001)) }],
    ['OutOfGas()', { gasLimit: 20_000_001n }],
  ])('refuses with %s', async (error, changes) => {
    const l1 = await startL1()
    await expect(depositTransaction(l1, changes)).rejects.toThrow(`execution reverted: ${error}`)
  })

  test('takes the least gas limit', async () => {
    const l1 = await startL1()
    const hash = await depositTransaction(l1, { gasLimit: 21_064n, data: '0xdeadbeef' })
    expect((await depositsOf(l1, hash))[0]?.gasLimit).toBe(21_064n)
  })

  test('can be read: version, guardian', async () => {
    const { reader, addresses } = await startL1()
    const portal = { abi: PORTAL, address: addresses.optimismPortal }
    expect(await reader.readContract({ ...portal, functionName: 'version' })).toBe('3.10.0')
    expect((await reader.readContract({ ...portal, functionName: 'guardian' })).toLowerCase()).toBe(GUARDIAN)
    expect(await reader.readContract({ ...portal, functionName: 'paused' })).toBe(false)
  })
})

describe('the bridge', () => {
  test.each(['bridgeETH', 'depositETH'] as const)(
    '%s deposits through the messenger',
    { tags: 'gate' },
    async (functionName) => {
      const l1 = await startL1()
      const { l1StandardBridge: address, l1CrossDomainMessenger, optimismPortal } = l1.addresses
      const nonce = await l1.reader.readContract({
        abi: MESSENGER,
        address: l1CrossDomainMessenger,
        functionName: 'messageNonce',
      })
      // The version of messages, 1, is in the first two bytes.
      expect(nonce).toBe(1n << 240n)
      const call = { account: ALICE, abi: BRIDGE, address, args: [200_000, '0x1234'], value: 3n } as const
      const hash = await l1.wallet.writeContract({ ...call, functionName })
      const message = encodeFunctionData({
        abi: BRIDGE,
        functionName: 'finalizeBridgeETH',
        args: [ALICE, ALICE, 3n, '0x1234'],
      })
      const data = encodeFunctionData({
        abi: MESSENGER,
        functionName: 'relayMessage',
        args: [nonce, address, L2_BRIDGE, 3n, 200_000n, message],
      })
      const gasLimit = await l1.reader.readContract({
        abi: MESSENGER,
        address: l1CrossDomainMessenger,
        functionName: 'baseGas',
        args: [message, 200_000],
      })
      expect(await depositsOf(l1, hash)).toEqual([
        {
          from: aliased(l1CrossDomainMessenger),
          to: L2_MESSENGER,
          mint: 3n,
          value: 3n,
          gasLimit,
          isCreation: '00',
          data,
        },
      ])
      expect(await l1.reader.getBalance({ address: optimismPortal })).toBe(3n)
    },
  )

  test('keeps tokens', async () => {
    const l1 = await startL1()
    const { l1StandardBridge: bridge } = l1.addresses
    const deployment = await l1.wallet.deployContract({ account: ALICE, ...Token, args: [1000n] })
    const { contractAddress } = await l1.reader.getTransactionReceipt({ hash: deployment })
    const token = { account: ALICE, abi: Token.abi, address: contractAddress as Hex } as const
    const call = {
      account: ALICE,
      abi: BRIDGE,
      address: bridge,
      functionName: 'bridgeERC20',
      args: [token.address, L2_TOKEN, 40n, 200_000, '0x'],
    } as const
    await expect(l1.wallet.writeContract(call)).rejects.toThrow('execution reverted')
    await l1.wallet.writeContract({ ...token, functionName: 'approve', args: [bridge, 40n] })
    const hash = await l1.wallet.writeContract(call)
    expect(await l1.reader.readContract({ ...token, functionName: 'balanceOf', args: [bridge] })).toBe(40n)
    const deposits = {
      abi: BRIDGE,
      address: bridge,
      functionName: 'deposits',
      args: [token.address, L2_TOKEN],
    } as const
    expect(await l1.reader.readContract(deposits)).toBe(40n)
    const [deposit] = await depositsOf(l1, hash)
    expect(deposit).toMatchObject({ from: aliased(l1.addresses.l1CrossDomainMessenger), mint: 0n, value: 0n })
    // The tokens change places: the local one of the layer 2 is the remote one here.
    const message = encodeFunctionData({
      abi: BRIDGE,
      functionName: 'finalizeBridgeERC20',
      args: [L2_TOKEN, token.address, ALICE, ALICE, 40n, '0x'],
    })
    expect(deposit?.data).toContain(message.slice(2))
  })
})

test('the messenger sends a message, and counts them', async () => {
  const l1 = await startL1()
  const messenger = { abi: MESSENGER, address: l1.addresses.l1CrossDomainMessenger } as const
  const hash = await l1.wallet.writeContract({
    ...messenger,
    account: ALICE,
    functionName: 'sendMessage',
    args: ['0x00000000000000000000000000000000000000bb', '0xc0ffee', 50_000],
  })
  const [deposit] = await depositsOf(l1, hash)
  expect(deposit?.data).toBe(
    encodeFunctionData({
      abi: MESSENGER,
      functionName: 'relayMessage',
      args: [1n << 240n, ALICE, '0x00000000000000000000000000000000000000bb', 0n, 50_000n, '0xc0ffee'],
    }),
  )
  expect(await l1.reader.readContract({ ...messenger, functionName: 'messageNonce' })).toBe((1n << 240n) + 1n)
})

describe('the system configuration', () => {
  // By the specification: the kind of update, and its data.
  test.each([
    ['setBatcherHash', [`0x${word(0xbeef)}`], 0, word(0xbeef)],
    ['setGasConfigEcotone', [5, 6], 1, `${word(0)}01${word(6n * 2n ** 32n + 5n).slice(2)}`],
    ['setGasLimit', [400_000_000n], 2, word(400_000_000n)],
    ['setEIP1559Params', [125, 6], 4, word(125n * 2n ** 32n + 6n)],
    ['setOperatorFeeScalars', [9, 11n], 5, word(9n * 2n ** 64n + 11n)],
    ['setMinBaseFee', [5_000_000n], 6, word(5_000_000)],
    ['setDAFootprintGasScalar', [312], 7, word(312)],
  ] as const)('%s tells the layer 2', { tags: 'gate' }, async (functionName, args, kind, data) => {
    const { chain, wallet, addresses } = await startL1()
    const call = { abi: SYSTEM_CONFIG, address: addresses.systemConfig, functionName, args } as never
    await expect(wallet.writeContract({ account: ALICE, ...(call as object) } as never)).rejects.toThrow(
      'execution reverted: Ownable: caller is not the owner',
    )
    const hash = await wallet.writeContract({ account: OWNER, ...(call as object) } as never)
    const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
    expect(receipt?.logs.map(({ topics, data: logged }) => [topics, logged])).toEqual([
      [[CONFIG_UPDATE, `0x${word(0)}`, `0x${word(kind)}`], `0x${word(32)}${word(data.length / 2)}${data}`],
    ])
  })

  test('holds what the layer 2 was started with, to the limits of the contract', async () => {
    const system = {
      ...SYSTEM,
      minBaseFee: 77n,
      daFootprintGasScalar: 88,
      gasLimit: 400_000_000n,
    }
    const { reader, wallet, addresses } = await startL1({ system })
    const contract = { abi: SYSTEM_CONFIG, address: addresses.systemConfig } as const
    expect(await reader.readContract({ ...contract, functionName: 'version' })).toBe('2.3.0-beta.2+jovian')
    expect(await reader.readContract({ ...contract, functionName: 'minBaseFee' })).toBe(77n)
    expect(await reader.readContract({ ...contract, functionName: 'daFootprintGasScalar' })).toBe(88)
    expect(await reader.readContract({ ...contract, functionName: 'eip1559Elasticity' })).toBe(6)
    const setGasLimit = (gasLimit: bigint) =>
      wallet.writeContract({ ...contract, account: OWNER, functionName: 'setGasLimit', args: [gasLimit] })
    await expect(setGasLimit(500_000_001n)).rejects.toThrow('SystemConfig: gas limit too high')
    await expect(setGasLimit(20_999_999n)).rejects.toThrow('SystemConfig: gas limit too low')
    const elasticity = {
      ...contract,
      account: OWNER,
      functionName: 'setEIP1559Params',
      args: [1, 0],
    } as const
    await expect(wallet.writeContract(elasticity)).rejects.toThrow('SystemConfig: elasticity must be >= 1')
  })
})

test('two rollups have portals of their own', async () => {
  await loadCrypto()
  const l1 = await startL1({}, {}, [rollupOnL1({ chainId: 902, addresses: rollupAddresses(902) })])
  const second = { ...l1, addresses: rollupAddresses(902) }
  await depositTransaction(l1)
  const hash = await depositTransaction(second)
  expect(await depositsOf(second, hash)).toHaveLength(1)
  for (const { addresses } of [l1, second]) {
    expect(await l1.reader.getBalance({ address: addresses.optimismPortal })).toBe(10n ** 18n)
  }
})

test('topics are the hashes of their signatures', () => {
  expect(keccak256(toHex('TransactionDeposited(address,address,uint256,bytes)'))).toBe(DEPOSITED)
  expect(keccak256(toHex('ConfigUpdate(uint256,uint8,bytes)'))).toBe(CONFIG_UPDATE)
})
