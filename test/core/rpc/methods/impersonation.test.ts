// Impersonated accounts: accepted transactions, and their form on chain.
import { EmulatorProvider } from 'tickchain/ethers'
import {
  createTestClient,
  createWalletClient,
  custom,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  parseEther,
  parseTransaction,
  publicActions,
  serializeTransaction,
  toHex,
  walletActions,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { Counter, Recoverer } from '../../../contracts/generated.ts'
import { ALICE, alice, BOB, type Scene, startScene, transferFees } from '../scene.ts'

const WHALE: Hex = `0x${'ab'.repeat(20)}`
const OTHER: Hex = `0x${'cd'.repeat(20)}`
const ETHER = toHex(parseEther('1'))

const increment = encodeFunctionData({ abi: Counter.abi, functionName: 'increment' })

interface ShownTransaction {
  readonly hash: Hex
  readonly from: Hex
  readonly r: Hex
  readonly s: Hex
}

let scene: Scene
beforeEach(async () => {
  scene = await startScene()
  for (const address of [WHALE, OTHER]) await scene.ask('anvil_setBalance', address, ETHER)
})

describe.each([
  ['anvil', null, null],
  ['hardhat', true, false],
  ['ganache', true, false],
] as const)('in flavor %s', (flavor, done, notImpersonated) => {
  test.each(['anvil', 'hardhat', 'ganache'])('%s_impersonateAccount and its end', async (prefix) => {
    const { ask, chain } = await startScene({ flavor })
    await ask('anvil_setBalance', WHALE, ETHER)
    const request = { from: WHALE, to: BOB, value: '0x1' }
    const refused = { kind: 'unknownAccount', code: -32000 }
    await expect(ask('eth_sendTransaction', request)).rejects.toMatchObject(refused)
    expect(await ask(`${prefix}_impersonateAccount`, WHALE)).toBe(done)
    const hash = await ask('eth_sendTransaction', request)
    await chain.seal()
    expect(await ask('eth_getTransactionReceipt', hash)).toMatchObject({ from: WHALE, status: '0x1' })
    // A transfer that has the suggested tip of 1 gwei over a base fee of 7/8 gwei.
    expect(await ask('eth_getBalance', WHALE)).toBe(toHex(parseEther('1') - 1n - 21_000n * 1_875_000_000n))
    expect(await ask(`${prefix}_stopImpersonatingAccount`, WHALE)).toBe(done)
    expect(await ask(`${prefix}_stopImpersonatingAccount`, WHALE)).toBe(notImpersonated)
    await expect(ask('eth_sendTransaction', request)).rejects.toMatchObject(refused)
  })

  test.each(['anvil', 'hardhat'])('%s_autoImpersonateAccount', async (prefix) => {
    const { ask, chain } = await startScene({ flavor })
    for (const address of [WHALE, OTHER]) await ask('anvil_setBalance', address, ETHER)
    expect(await ask(`${prefix}_autoImpersonateAccount`, true)).toBe(done)
    for (const from of [WHALE, OTHER]) await ask('eth_sendTransaction', { from, to: BOB, value: '0x1' })
    await chain.seal()
    expect(await ask('eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x2')
    expect(await ask(`${prefix}_autoImpersonateAccount`, false)).toBe(done)
    await expect(ask('eth_sendTransaction', { from: WHALE, to: BOB })).rejects.toMatchObject({
      kind: 'unknownAccount',
    })
  })
})

test('held accounts are among eth_accounts; impersonated ones only in anvil', async () => {
  const own = (await scene.ask<Hex[]>('eth_accounts')).length
  expect(own).toBe(10)
  await scene.ask('anvil_impersonateAccount', WHALE)
  await scene.ask('anvil_impersonateAccount', ALICE)
  expect((await scene.ask<Hex[]>('eth_accounts')).slice(own)).toEqual([WHALE])
  const hardhat = await startScene({ flavor: 'hardhat' })
  await hardhat.ask('hardhat_impersonateAccount', WHALE)
  expect(await hardhat.ask<Hex[]>('eth_accounts')).not.toContain(WHALE)
})

describe('a transaction without a signature', () => {
  const request = { from: WHALE, to: BOB, value: '0x1', nonce: '0x0', gas: '0x5208' }
  const fees = { maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x3b9aca00' }

  async function sendAs(from: Hex, fields: object = fees): Promise<ShownTransaction> {
    const hash = await scene.ask<Hex>('eth_sendTransaction', { ...request, ...fields, from })
    return scene.ask<ShownTransaction>('eth_getTransactionByHash', hash)
  }

  beforeEach(async () => {
    await scene.chain.impersonate('all')
  })

  test.each([
    ['eip1559', fees],
    ['legacy', { gasPrice: '0x2540be400' }],
    ['eip2930', { gasPrice: '0x2540be400', accessList: [] }],
  ])('is well-formed, and different for each sender: %s', async (type, fields) => {
    const [one, other] = [await sendAs(WHALE, fields), await sendAs(OTHER, fields)]
    expect(one.from).toBe(WHALE)
    expect(other.from).toBe(OTHER)
    expect(one.hash).not.toBe(other.hash)
    // A one before the address, as r and s.
    expect(one).toMatchObject({ r: `0x1${WHALE.slice(2)}`, s: `0x1${WHALE.slice(2)}` })
    const raw = await scene.ask<Hex>('eth_getRawTransactionByHash', one.hash)
    expect(keccak256(raw)).toBe(one.hash)
    const parsed = parseTransaction(raw)
    expect(parsed).toMatchObject({ type, gas: 21_000n, value: 1n, chainId: 31_337 })
    expect(parsed.to?.toLowerCase()).toBe(BOB)
    expect(hexToBigInt(parsed.r as Hex)).toBe(2n ** 160n + hexToBigInt(WHALE))
  })

  test('goes through the pool and blocks like any other', async () => {
    const first = await sendAs(WHALE)
    const second = await sendAs(WHALE, { ...fees, nonce: '0x1', gas: '0x5209' })
    await expect(sendAs(WHALE)).rejects.toMatchObject({ kind: 'alreadyKnown' })
    await expect(sendAs(WHALE, { ...fees, gas: '0x520a' })).rejects.toMatchObject({
      kind: 'replacementUnderpriced',
    })
    // It still waits after the impersonation has ended, and after a reorganisation.
    await scene.chain.stopImpersonating('all')
    await scene.chain.seal()
    expect(await scene.ask('eth_getBlockTransactionCountByNumber', 'latest')).toBe('0x2')
    await scene.chain.reorg({ depth: 1, blocks: [[first.hash]] })
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', second.hash)).toMatchObject({
      blockNumber: '0x2',
      from: WHALE,
      status: '0x1',
    })
  })

  test('pays for its gas', async () => {
    const poor: Hex = `0x${'01'.repeat(20)}`
    await expect(sendAs(poor)).rejects.toMatchObject({ kind: 'insufficientFunds' })
  })

  test('of an account with a held key is signed with it', async () => {
    const { hash } = await sendAs(ALICE)
    const signed = await alice.signTransaction({ ...transferFees, to: BOB, value: 1n, nonce: 0 })
    expect(await scene.ask('eth_getRawTransactionByHash', hash)).toBe(signed)
  })

  test('works for the zero address', async () => {
    const zero: Hex = `0x${'00'.repeat(20)}`
    await scene.chain.setBalance(zero, parseEther('1'))
    const { hash, r } = await sendAs(zero)
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ from: zero, status: '0x1' })
    expect(hexToBigInt(r)).toBe(2n ** 160n)
  })
})

describe('a contract', () => {
  beforeEach(async () => {
    await scene.ask('anvil_setCode', WHALE, Counter.deployedBytecode)
    await scene.ask('anvil_setCode', OTHER, Counter.deployedBytecode)
    await scene.ask('anvil_impersonateAccount', WHALE)
  })

  test('sends transactions, and pays for them as others do', async () => {
    const hash = await scene.ask('eth_sendTransaction', { from: WHALE, to: OTHER, data: increment })
    const plain = await scene.ask('eth_sendTransaction', { from: ALICE, to: OTHER, data: increment })
    await scene.chain.advance(200)
    const [receipt, reference] = await Promise.all(
      [hash, plain].map((each) => scene.ask<{ gasUsed: Hex }>('eth_getTransactionReceipt', each)),
    )
    expect(receipt).toMatchObject({ from: WHALE, status: '0x1', effectiveGasPrice: toHex(1_875_000_000n) })
    // Whichever came first has written the slot for the first time, which is 17,100 more (EIP-2200, EIP-2929).
    const gas = [receipt, reference].map((each) => hexToBigInt(each?.gasUsed ?? '0x0')).sort()
    expect((gas[1] as bigint) - (gas[0] as bigint)).toBe(17_100n)
    expect(await scene.ask('eth_getTransactionCount', WHALE, 'pending')).toBe('0x1')
    const paid = hexToBigInt(receipt?.gasUsed ?? '0x0') * 1_875_000_000n
    expect(await scene.ask('eth_getBalance', WHALE, 'pending')).toBe(toHex(parseEther('1') - paid))
    await scene.chain.seal()
    expect(await scene.ask('eth_getStorageAt', OTHER, '0x0')).toBe(toHex(2, { size: 32 }))
  })

  test('creates contracts, and reverts', async () => {
    const created = await scene.ask('eth_sendTransaction', { from: WHALE, data: Counter.bytecode })
    const failing = await scene.ask('eth_sendTransaction', {
      from: WHALE,
      to: OTHER,
      data: '0xffffffff',
      gas: '0x186a0',
    })
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', created)).toMatchObject({
      status: '0x1',
      contractAddress: getContractAddress({ from: WHALE, nonce: 0n }).toLowerCase(),
    })
    expect(await scene.ask('eth_getTransactionReceipt', failing)).toMatchObject({ status: '0x0' })
  })

  test.each(['byzantium', 'istanbul', 'berlin', 'london', 'paris', 'osaka'] as const)(
    'sends transactions under the rules of %s',
    async (hardfork) => {
      const { chain, ask } = await startScene({ hardfork, production: 'auto' })
      await chain.setCode(WHALE, '0x00')
      await chain.setBalance(WHALE, parseEther('1'))
      await chain.impersonate(WHALE)
      const hash = await ask('eth_sendTransaction', { from: WHALE, to: BOB, value: '0x1' })
      const receipt = await ask<{ effectiveGasPrice: Hex }>('eth_getTransactionReceipt', hash)
      expect(receipt).toMatchObject({ status: '0x1', gasUsed: '0x5208' })
      const fee = 21_000n * hexToBigInt(receipt.effectiveGasPrice)
      expect(await ask('eth_getBalance', WHALE)).toBe(toHex(parseEther('1') - 1n - fee))
    },
  )

  test('sends nothing when it is not impersonated', async () => {
    await scene.ask('anvil_stopImpersonatingAccount', WHALE)
    await expect(scene.ask('eth_sendTransaction', { from: WHALE, to: OTHER })).rejects.toMatchObject({
      kind: 'unknownAccount',
    })
    // EIP-3607 applies to a contract even if its key is held.
    await scene.ask('anvil_setCode', ALICE, Counter.deployedBytecode)
    await expect(
      scene.ask('eth_sendTransaction', { from: ALICE, to: OTHER, gas: '0x186a0' }),
    ).rejects.toMatchObject({ kind: 'senderNotEoa' })
  })
})

describe('signing', () => {
  test.each([
    ['eth_sign', [WHALE, '0x00']],
    ['personal_sign', ['0x00', WHALE]],
    ['eth_signTransaction', [{ from: WHALE, to: BOB }]],
    ['eth_signTypedData_v4', [WHALE, { types: {}, primaryType: 'A', domain: {}, message: {} }]],
  ])('%s is refused', async (method, params) => {
    await scene.ask('anvil_impersonateAccount', WHALE)
    await expect(scene.ask(method, ...params)).rejects.toMatchObject({
      kind: 'impersonatedWithoutKey',
      message: expect.stringContaining(WHALE),
    })
  })
})

describe('eth_sendUnsignedTransaction', () => {
  test('needs no impersonation', async () => {
    const hash = await scene.ask('eth_sendUnsignedTransaction', { from: WHALE, to: BOB, value: '0x1' })
    await scene.chain.seal()
    expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ from: WHALE, status: '0x1' })
  })

  test('needs a sender', async () => {
    await expect(scene.ask('eth_sendUnsignedTransaction', { to: BOB })).rejects.toMatchObject({
      code: -32602,
      message: 'invalid argument 0.from: missing',
    })
  })
})

describe('anvil_impersonateSignature', () => {
  const digest = keccak256('0x01')
  const signature: Hex = `0x${'11'.repeat(32)}${'22'.repeat(32)}1b`
  const recover = {
    abi: Recoverer.abi,
    args: [digest, 27, `0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`],
  } as const
  const data = encodeFunctionData({ ...recover, functionName: 'recover' })
  const word = (address: Hex): Hex => encodeAbiParameters([{ type: 'address' }], [address])

  beforeEach(async () => {
    await scene.ask('anvil_setCode', OTHER, Recoverer.deployedBytecode)
  })

  test('makes ecrecover return an account, in calls and in transactions', async () => {
    const truth = await scene.ask('eth_call', { to: OTHER, data })
    expect(truth).not.toBe(word(WHALE))
    expect(await scene.ask('anvil_impersonateSignature', signature, WHALE)).toBeNull()
    expect(await scene.ask('eth_call', { to: OTHER, data })).toBe(word(WHALE))
    const remember = encodeFunctionData({ ...recover, functionName: 'remember' })
    await scene.ask('eth_sendTransaction', { from: ALICE, to: OTHER, data: remember })
    await scene.chain.seal()
    expect(await scene.ask('eth_getStorageAt', OTHER, '0x0')).toBe(word(WHALE))
  })

  test('gives the same result at the same price as a real signature', async () => {
    const gas = await scene.ask('eth_estimateGas', { to: OTHER, data })
    await scene.ask('anvil_impersonateSignature', signature, WHALE)
    expect(await scene.ask('eth_estimateGas', { to: OTHER, data })).toBe(gas)
  })

  test('does not affect other signatures', async () => {
    const otherData = data.replace('1b', '1c')
    expect(otherData).not.toBe(data)
    const truth = await scene.ask('eth_call', { to: OTHER, data: otherData })
    await scene.ask('anvil_impersonateSignature', signature, WHALE)
    expect(await scene.ask('eth_call', { to: OTHER, data: otherData })).toBe(truth)
  })

  test('is undone by a revert', async () => {
    const truth = await scene.ask('eth_call', { to: OTHER, data })
    const id = await scene.ask('evm_snapshot')
    await scene.ask('anvil_impersonateSignature', signature, WHALE)
    await scene.ask('evm_revert', id)
    expect(await scene.ask('eth_call', { to: OTHER, data })).toBe(truth)
  })

  test('takes 65 bytes', async () => {
    await expect(
      scene.ask('anvil_impersonateSignature', signature.slice(0, -2), WHALE),
    ).rejects.toMatchObject({ code: -32602 })
  })
})

test('a snapshot keeps who is impersonated, and a clone has its own', async () => {
  const { chain, ask } = scene
  const before = chain.snapshot()
  await chain.impersonate(WHALE)
  const clone = chain.clone()
  await clone.stopImpersonating(WHALE)
  await ask('eth_sendTransaction', { from: WHALE, to: BOB })
  await chain.revert(before)
  await expect(ask('eth_sendTransaction', { from: WHALE, to: BOB })).rejects.toMatchObject({
    kind: 'unknownAccount',
  })
})

test('a block with such a transaction cannot be imported elsewhere', async () => {
  const { chain } = scene
  await scene.ask('eth_sendUnsignedTransaction', { from: WHALE, to: BOB, value: '0x1' })
  await chain.seal()
  const other = (await startScene()).chain
  await other.setBalance(WHALE, parseEther('1'))
  await other.setBalance(OTHER, parseEther('1'))
  await expect(other.importBlocks(await chain.exportBlocks())).rejects.toMatchObject({
    name: 'TickchainError',
  })
})

describe.each([
  ['anvil', /unknown account/],
  ['hardhat', /unknown account/i],
  ['ganache', /sender account not recognized/],
] as const)("viem's test client in mode %s", (mode, refusal) => {
  test('impersonates', async () => {
    const { chain } = await startScene({ flavor: mode, production: 'auto' })
    const client = createTestClient({ mode, transport: custom(chain), pollingInterval: 1 })
      .extend(publicActions)
      .extend(walletActions)
    await client.setBalance({ address: WHALE, value: parseEther('2') })
    await client.impersonateAccount({ address: WHALE })
    const hash = await client.sendTransaction({ account: WHALE, chain: null, to: BOB, value: 1n })
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({ from: WHALE, status: 'success' })
    await client.stopImpersonatingAccount({ address: WHALE })
    await expect(client.sendTransaction({ account: WHALE, chain: null, to: BOB, value: 1n })).rejects.toThrow(
      refusal,
    )
    const unsigned = await client.sendUnsignedTransaction({ from: WHALE, to: BOB, value: 1n })
    expect(await client.getTransaction({ hash: unsigned })).toMatchObject({ from: WHALE, nonce: 1 })
  })
})

test('ethers finds a signer for an impersonated account', async () => {
  const { chain } = scene
  await chain.impersonate(WHALE)
  const provider = new EmulatorProvider(chain)
  const signer = await provider.getSigner(WHALE)
  const { hash } = await signer.sendTransaction({ to: BOB, value: 1n })
  await chain.seal()
  expect(await scene.ask('eth_getTransactionReceipt', hash)).toMatchObject({ from: WHALE })
  provider.destroy()
})

test('viem serializes what was sent to the same bytes', async () => {
  const hash = await scene.ask<Hex>('eth_sendUnsignedTransaction', { from: WHALE, to: BOB, value: '0x1' })
  const client = createWalletClient({ transport: custom(scene.chain) }).extend(publicActions)
  const { r, s, yParity, type, ...fields } = await client.getTransaction({ hash })
  if (type !== 'eip1559') throw new Error(type)
  const serialized = serializeTransaction(
    { ...fields, type, data: fields.input, gasPrice: undefined } as never,
    { r, s, yParity: yParity as 0 | 1 },
  )
  expect(keccak256(serialized)).toBe(hash)
})
