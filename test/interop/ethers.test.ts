// ethers' providers, signers and contracts over the emulator.

import {
  BrowserProvider,
  Contract,
  ContractFactory,
  type Eip1193Provider,
  type EventLog,
  getCreateAddress,
  isError,
  keccak256,
  NonceManager,
  parseEther,
  parseUnits,
  type Signer,
  Transaction,
  type TransactionRequest,
  type TransactionResponse,
  verifyMessage,
  verifyTypedData,
  Wallet,
} from 'ethers'
import { createEmulator, type EmulatorOptions } from 'tickchain'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Counter, Reverter } from '../contracts/generated.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const BOB_KEY = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

const GWEI = parseUnits('1', 'gwei')
// EIP-1559 by hand: genesis has a base fee of 1 gwei and is empty, so block 1 pays 7/8 of that.
const BASE_FEE_1 = 875_000_000n

const POLLING = { interval: 5, timeout: 600_000 }

const opened: BrowserProvider[] = []

afterEach(() => {
  for (const provider of opened.splice(0)) {
    // A filter that is being asked when its provider is destroyed would set a timer afterwards, unless it is paused.
    provider.pause(true)
    provider.destroy()
  }
})

/** A provider that polls fast and caches nothing: with the defaults of ethers both take real time. */
async function start(options?: EmulatorOptions) {
  const chain = await createEmulator(options)
  return { chain, provider: connect(chain) }
}

function connect(ethereum: Eip1193Provider): BrowserProvider {
  const provider = new BrowserProvider(ethereum, undefined, { cacheTimeout: -1, pollingInterval: 10 })
  opened.push(provider)
  return provider
}

const signers: readonly [string, (provider: BrowserProvider) => Promise<Signer>][] = [
  ['an account of the emulator', (provider) => provider.getSigner()],
  ['a wallet that signs by itself', async (provider) => new Wallet(ALICE_KEY, provider)],
]

async function deploy(
  signer: Signer,
  { abi, bytecode }: typeof Counter | typeof Reverter,
): Promise<Contract> {
  const contract = await new ContractFactory(abi, bytecode, signer).deploy()
  await contract.waitForDeployment()
  return new Contract(await contract.getAddress(), abi, signer)
}

/** The error of a promise that must fail. */
async function rejection(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Error)) throw new Error(`expected an error, got ${error}`)
  return error
}

/** The hash of a transaction as ethers computes it from what it parsed. */
function hashAgain(transaction: TransactionResponse | null): string | null {
  if (transaction === null) return null
  const { type, chainId, nonce, to, value, data, gasLimit, accessList, signature } = transaction
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction
  const fees = type < 2 ? { gasPrice } : { maxFeePerGas, maxPriorityFeePerGas }
  const fields = { type, chainId, nonce, to, value, data, gasLimit, accessList, signature, ...fees }
  return Transaction.from(fields).hash
}

/** Calls a method of a contract that is known by name only. */
function method(contract: Contract, name: string) {
  return contract.getFunction(name)
}

describe.each(signers)('with %s', (_, signerOf) => {
  test('in auto production a contract is deployed, written to and read without waiting', async () => {
    const { provider } = await start({ production: 'auto' })
    const signer = await signerOf(provider)
    const counter = await deploy(signer, Counter)
    expect(await counter.getAddress()).toBe(getCreateAddress({ from: ALICE, nonce: 0 }))
    expect(await counter.getDeployedCode()).toBe(Counter.deployedBytecode)

    const response = await method(counter, 'add').send(41)
    const receipt = await response.wait()
    expect(receipt).toMatchObject({ status: 1, blockNumber: 2, from: ALICE, to: counter.target })
    expect(receipt?.logs).toMatchObject([{ eventName: 'Incremented', args: [ALICE, 41n] }])
    expect(await method(counter, 'count').staticCall()).toBe(41n)
  })

  test('in interval production a receipt is there once the clock has moved', async () => {
    const { chain, provider } = await start()
    const signer = await signerOf(provider)
    const response = await signer.sendTransaction({ to: BOB, value: parseEther('1') })
    expect(response).toMatchObject({
      nonce: 0,
      type: 2,
      chainId: 31_337n,
      from: ALICE,
      to: BOB,
      blockNumber: null,
    })
    expect(await provider.getTransactionReceipt(response.hash)).toBeNull()
    expect(await response.wait(0)).toBeNull()

    await chain.advance(200)
    const preconfirmed = await response.wait()
    expect(preconfirmed).toMatchObject({ status: 1, blockNumber: 1, index: 0, gasUsed: 21_000n })
    expect(preconfirmed?.gasPrice).toBe(BASE_FEE_1 + GWEI)
    expect(await provider.getBlockNumber()).toBe(0)
    expect(await provider.getBalance(BOB)).toBe(parseEther('10000'))
    expect(await provider.getBalance(BOB, 'pending')).toBe(parseEther('10001'))

    await chain.advance(1800)
    const block = await provider.getBlock('latest')
    expect(await response.wait()).toMatchObject({ blockNumber: 1, blockHash: block?.hash })
    expect(await provider.getBalance(BOB)).toBe(parseEther('10001'))
  })

  test('waiting that began before the clock moves ends with a block', async () => {
    const { chain, provider } = await start()
    const signer = await signerOf(provider)
    const response = await signer.sendTransaction({ to: BOB, value: 1n })
    let isWaiting = true
    const waiting = response.wait().finally(() => {
      isWaiting = false
    })
    // ethers polls again only when the block number rises; the first number that it sees does not count.
    for (let block = 0; isWaiting && block < 20; block++) {
      await chain.advance(2000)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(await waiting).toMatchObject({ status: 1, blockNumber: 1 })
  })

  test('a write is seen as pending before it is sealed', async () => {
    const { chain, provider } = await start()
    const signer = await signerOf(provider)
    const factory = new ContractFactory(Counter.abi, Counter.bytecode, signer)
    const deployed = await factory.deploy()
    await chain.advance(2000)
    await deployed.waitForDeployment()
    const count = deployed.getFunction('count')
    expect(await signer.getNonce('pending')).toBe(1)

    await deployed.getFunction('increment').send()
    // A pooled transaction is not pre-confirmed, and does not count.
    expect(await signer.getNonce('pending')).toBe(1)
    await chain.advance(200)
    expect([await signer.getNonce('latest'), await signer.getNonce('pending')]).toEqual([1, 2])
    expect(await count.staticCall({ blockTag: 'latest' })).toBe(0n)
    expect(await count.staticCall({ blockTag: 'pending' })).toBe(1n)
    await chain.advance(1800)
    expect(await count.staticCall({ blockTag: 'latest' })).toBe(1n)
  })

  test.each([
    [0, { type: 0, gasPrice: 2n * GWEI }, 21_000n, 2n * GWEI],
    // EIP-2930: 2,400 gas for an address and 1,900 for a key.
    [
      1,
      { type: 1, gasPrice: 2n * GWEI, accessList: { [BOB]: [`0x${'00'.repeat(32)}`] } },
      21_000n + 2_400n + 1_900n,
      2n * GWEI,
    ],
    [2, { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: GWEI }, 21_000n, BASE_FEE_1 + GWEI],
  ])(
    'a transaction of type %i is sent and parsed',
    async (type, fields: TransactionRequest, gasUsed, gasPrice) => {
      const { provider } = await start({ production: 'auto' })
      const signer = await signerOf(provider)
      const response = await signer.sendTransaction({ to: BOB, value: 1n, ...fields })
      expect(await response.wait()).toMatchObject({ type, gasUsed, gasPrice, status: 1 })
      const transaction = await provider.getTransaction(response.hash)
      expect(transaction).toMatchObject({ type, value: 1n, nonce: 0, chainId: 31_337n, data: '0x' })
      // ethers parsed the signed values.
      expect(hashAgain(transaction)).toBe(response.hash)
    },
  )

  test.each([
    ['a nonce that is used up', 'NONCE_EXPIRED', { nonce: 0, gasLimit: 21_000n }],
    ['a value that the account does not have', 'INSUFFICIENT_FUNDS', { value: parseEther('10000') }],
    [
      'a value that leaves nothing for gas',
      'INSUFFICIENT_FUNDS',
      {
        value: parseEther('9999'),
        gasLimit: 21_000n,
        maxFeePerGas: parseEther('1'),
        maxPriorityFeePerGas: 0n,
      },
    ],
  ] as const)('%s has the code %s', async (_, code, fields) => {
    const { provider } = await start({ production: 'auto' })
    const signer = await signerOf(provider)
    await signer.sendTransaction({ to: BOB, value: 1n })
    const error = await rejection(signer.sendTransaction({ to: BOB, value: 1n, ...fields }))
    expect(error).toMatchObject({ code })
  })

  test('a replacement with a slightly higher fee is underpriced, and one with 10% more replaces', async () => {
    const { chain, provider } = await start()
    const signer = await signerOf(provider)
    const send = (price: bigint) =>
      signer.sendTransaction({ to: BOB, value: 1n, nonce: 0, type: 0, gasPrice: price, gasLimit: 21_000n })
    const first = await send(10n * GWEI)
    const error = await rejection(send((109n * GWEI) / 10n))
    expect(error).toMatchObject({ code: 'REPLACEMENT_UNDERPRICED' })
    const second = await send(11n * GWEI)
    await chain.advance(2000)
    expect(await second.wait()).toMatchObject({ status: 1, blockNumber: 1 })
    const replaced = await rejection(first.wait())
    expect(replaced).toMatchObject({ code: 'TRANSACTION_REPLACED', reason: 'repriced', hash: second.hash })
  })

  test('a nonce manager numbers transactions within one partial block', async () => {
    const { chain, provider } = await start()
    const signer = new NonceManager(await signerOf(provider))
    const send = () => signer.sendTransaction({ to: BOB, value: 1n })
    const responses = [await send(), await send(), await send()]
    await chain.advance(200)
    const receipts = await Promise.all(responses.map((response) => response.wait()))
    expect(responses.map(({ nonce }) => nonce)).toEqual([0, 1, 2])
    expect(receipts.map((receipt) => receipt?.index)).toEqual([0, 1, 2])
  })

  test('a transaction that reverts in a block is a CALL_EXCEPTION with its receipt', async () => {
    const { provider } = await start({ production: 'auto' })
    const reverter = await deploy(await signerOf(provider), Reverter)
    const response = await method(reverter, 'invalidOpcode').send({ gasLimit: 100_000n })
    const error = await rejection(response.wait())
    // INVALID consumes all gas.
    expect(error).toMatchObject({ code: 'CALL_EXCEPTION', receipt: { status: 0, gasUsed: 100_000n } })
  })
})

describe('a revert', () => {
  const calls = [
    ['a string', 'revertWithString', ['too late'], 'too late', { name: 'Error', args: ['too late'] }],
    [
      'a custom error',
      'revertWithCustomError',
      [7n, 'because'],
      'CustomError(uint256,string)',
      { name: 'CustomError', args: [7n, 'because'] },
    ],
    // Solidity: panic 0x12 is a division by zero, 0x01 a failed assertion.
    [
      'a division by zero',
      'divide',
      [1n, 0n],
      'Panic due to DIVIDE_BY_ZERO(18)',
      { name: 'Panic', args: [18n] },
    ],
    ['a failed assertion', 'panicAssert', [], 'Panic due to ASSERT_FALSE(1)', { name: 'Panic', args: [1n] }],
  ] as const

  test.each(calls)(
    'with %s is decoded, however the contract is called',
    async (_, name, args, reason, parsed) => {
      const { provider } = await start({ production: 'auto' })
      const reverter = await deploy(await provider.getSigner(), Reverter)
      const local = reverter.connect(new Wallet(BOB_KEY, provider)) as Contract
      const attempts = [
        () => method(reverter, name).staticCall(...args),
        () => method(reverter, name).estimateGas(...args),
        () => method(reverter, name).send(...args),
        () => method(local, name).send(...args),
      ]
      for (const attempt of attempts) {
        const error = await rejection(attempt())
        if (!isError(error, 'CALL_EXCEPTION')) throw error
        expect(reverter.interface.parseError(error.data ?? '0x')).toMatchObject(parsed)
      }
      // For a call, ethers decodes custom errors itself.
      expect(await rejection(method(reverter, name).staticCall(...args))).toMatchObject({ reason })
    },
  )

  test('with nothing is a failed require without a reason', async () => {
    const { provider } = await start({ production: 'auto' })
    const reverter = await deploy(await provider.getSigner(), Reverter)
    const error = await rejection(method(reverter, 'revertEmpty').staticCall())
    expect(error).toMatchObject({ code: 'CALL_EXCEPTION', data: '0x', reason: 'require(false)' })
  })

  test('of the counter below zero is an arithmetic panic', async () => {
    const { provider } = await start({ production: 'auto' })
    const counter = await deploy(await provider.getSigner(), Counter)
    const error = await rejection(method(counter, 'decrement').staticCall())
    expect(error).toMatchObject({ code: 'CALL_EXCEPTION', reason: 'Panic due to OVERFLOW(17)' })
  })
})

describe('events', () => {
  async function count() {
    const { chain, provider } = await start()
    const alice = await provider.getSigner(0)
    const bob = await provider.getSigner(1)
    const deployed = await new ContractFactory(Counter.abi, Counter.bytecode, alice).deploy()
    await chain.advance(2000)
    const counter = new Contract(await deployed.getAddress(), Counter.abi, provider)
    const add = (signer: Signer, amount: bigint) =>
      method(counter.connect(signer) as Contract, 'add').send(amount)
    await add(alice, 5n)
    await chain.advance(2000)
    const { hash } = await add(bob, 7n)
    await chain.advance(200)
    return { chain, counter, hash }
  }

  test('of sealed blocks are decoded and filtered by argument', async () => {
    const { counter } = await count()
    const incremented = counter.getEvent('Incremented')
    const events = (await counter.queryFilter(incremented, 0)) as EventLog[]
    expect(events).toMatchObject([{ blockNumber: 2, index: 0, args: [ALICE, 5n], eventName: 'Incremented' }])
    expect(await counter.queryFilter(incremented(ALICE), 0)).toEqual(events)
    expect(await counter.queryFilter(incremented(BOB), 0)).toEqual([])
  })

  test('of the block being built are those from pending to pending', async () => {
    const { chain, counter, hash } = await count()
    const pending = () => counter.queryFilter('Incremented', 'pending', 'pending')
    expect(await pending()).toMatchObject([
      { blockNumber: 3, transactionHash: hash, args: [BOB, 12n], removed: false },
    ])
    await chain.advance(1800)
    expect(await pending()).toEqual([])
  })
})

describe('EIP-7702', () => {
  test('an account that a wallet authorizes runs the code of a contract', async () => {
    const { provider } = await start({ production: 'auto' })
    const alice = new Wallet(ALICE_KEY, provider)
    const bob = new Wallet(BOB_KEY, provider)
    const counter = await deploy(alice, Counter)
    const authorization = await bob.authorize({ address: counter.target })
    const data = counter.interface.encodeFunctionData('increment')
    const response = await alice.sendTransaction({
      type: 4,
      to: BOB,
      data,
      authorizationList: [authorization],
    })
    expect(await response.wait()).toMatchObject({ status: 1, type: 4 })
    expect(await provider.getCode(BOB)).toBe(`0xef0100${`${counter.target}`.slice(2).toLowerCase()}`)
    expect(await method(counter.attach(BOB) as Contract, 'count').staticCall()).toBe(1n)
    expect(await method(counter, 'count').staticCall()).toBe(0n)
    const transaction = await provider.getTransaction(response.hash)
    expect(transaction?.authorizationList).toMatchObject([
      { address: counter.target, nonce: 0n, chainId: 31_337n },
    ])
  })
})

describe('reading', () => {
  test('the network, the accounts and the blocks parse', async () => {
    const { chain, provider } = await start()
    expect((await provider.getNetwork()).chainId).toBe(31_337n)
    const accounts = await provider.listAccounts()
    expect(accounts).toHaveLength(10)
    expect(accounts.slice(0, 2).map(({ address }) => address)).toEqual([ALICE, BOB])
    const genesis = await provider.getBlock(0)
    expect(genesis).toMatchObject({
      number: 0,
      timestamp: 1_704_067_200,
      gasLimit: 60_000_000n,
      gasUsed: 0n,
      baseFeePerGas: GWEI,
      parentHash: `0x${'00'.repeat(32)}`,
      transactions: [],
    })
    const { hash } = await accounts[0]!.sendTransaction({ to: BOB, value: 1n })
    await chain.advance(200)
    const pending = await provider.getBlock('pending', true)
    expect(pending).toMatchObject({
      number: 1,
      timestamp: 1_704_067_202,
      parentHash: genesis?.hash,
      gasUsed: 21_000n,
      baseFeePerGas: BASE_FEE_1,
      prefetchedTransactions: [{ hash, blockNumber: 1, from: ALICE }],
    })
    await chain.advance(1800)
    const sealed = await provider.getBlock(1)
    expect(sealed?.toJSON()).toEqual({ ...pending?.toJSON(), transactions: [hash] })
    expect((await provider.getBlock(sealed!.hash!))?.toJSON()).toEqual(sealed?.toJSON())
  })

  test('missing objects are null, and an unknown method is unsupported', async () => {
    const { provider } = await start()
    const hash = keccak256('0x')
    expect(await provider.getBlock(5)).toBeNull()
    expect(await provider.getTransaction(hash)).toBeNull()
    expect(await provider.getTransactionReceipt(hash)).toBeNull()
    const error = await rejection(provider.send('eth_unheardOf', []))
    expect(isError(error, 'UNSUPPORTED_OPERATION')).toBe(true)
  })

  test('fee data suggests fees that the next block accepts', async () => {
    const { provider } = await start()
    // ethers doubles the base fee of the latest block, here that of genesis.
    expect(await provider.getFeeData()).toMatchObject({
      gasPrice: BASE_FEE_1 + GWEI,
      maxPriorityFeePerGas: GWEI,
      maxFeePerGas: 2n * GWEI + GWEI,
    })
    expect(await provider.estimateGas({ from: ALICE, to: BOB, value: 1n })).toBe(21_000n)
  })

  test('listeners see every block and every event', async () => {
    const chain = await createEmulator()
    const methods: string[] = []
    const provider = connect({
      request(call) {
        methods.push(call.method)
        return chain.request(call)
      },
    })
    const signer = await provider.getSigner()
    const deployed = await new ContractFactory(Counter.abi, Counter.bytecode, signer).deploy()
    await chain.advance(2000)
    const counter = new Contract(await deployed.getAddress(), Counter.abi, signer)
    const numbers: number[] = []
    const values: bigint[] = []
    methods.length = 0
    await provider.on('block', (number: number) => numbers.push(number))
    await counter.on('Incremented', (_by: string, value: bigint) => values.push(value))
    // ethers starts at the first number that it gets.
    await vi.waitFor(() => expect(methods).toContain('eth_blockNumber'), POLLING)
    await vi.waitFor(() => expect(methods).toContain('eth_newFilter'), POLLING)
    for (let block = 0; block < 3; block++) {
      await method(counter, 'increment').send()
      await chain.advance(2000)
    }
    await vi.waitFor(() => expect(numbers).toEqual([2, 3, 4]), POLLING)
    await vi.waitFor(() => expect(values).toEqual([1n, 2n, 3n]), POLLING)
  })
})

describe('signing with an account of the emulator', () => {
  test('a message verifies, and has the signature that the same key makes elsewhere', async () => {
    const { provider } = await start()
    const signer = await provider.getSigner()
    const message = 'Grüße aus Block 1'
    const signature = await signer.signMessage(message)
    expect(verifyMessage(message, signature)).toBe(ALICE)
    expect(signature).toBe(await new Wallet(ALICE_KEY).signMessage(message))
    expect(verifyMessage(message, await signer._legacySignMessage(message))).toBe(ALICE)
  })

  test('typed data verifies, and has the signature that the same key makes elsewhere', async () => {
    const { provider } = await start()
    const signer = await provider.getSigner()
    const domain = { name: 'Ether Mail', version: '1', chainId: 31_337, verifyingContract: BOB }
    const types = {
      Person: [
        { name: 'name', type: 'string' },
        { name: 'wallets', type: 'address[]' },
      ],
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'amount', type: 'uint256' },
        { name: 'contents', type: 'bytes' },
      ],
    }
    const mail = { from: { name: 'Cow', wallets: [ALICE, BOB] }, amount: 2n ** 200n, contents: '0x00ff' }
    const signature = await signer.signTypedData(domain, types, mail)
    expect(verifyTypedData(domain, types, mail, signature)).toBe(ALICE)
    expect(signature).toBe(await new Wallet(ALICE_KEY).signTypedData(domain, types, mail))
  })
})
