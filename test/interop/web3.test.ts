// web3.js over the emulator as an EIP-1193 provider.

import { advanceOnPoll, createEmulator, type EmulatorOptions, type Provider } from 'tickchain'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Contract, type ContractAbi, Web3 } from 'web3'
import { Counter, Reverter } from '../contracts/generated.ts'
import { settle } from './recorded.ts'

// The first two accounts of the "test … junk" mnemonic.
const ALICE = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ALICE_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
// CREATE by ALICE with nonce 0: the first contract of this mnemonic, on whatever chain.
const FIRST_CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const ETHER = 10n ** 18n

const opened: Web3[] = []

afterEach(async () => {
  for (const web3 of opened.splice(0)) await web3.eth.subscriptionManager.clear()
  vi.restoreAllMocks()
})

/** web3.js over a provider, polling fast. */
function open(provider: Provider): Web3 {
  const web3 = new Web3(provider as never)
  web3.setConfig({ transactionPollingInterval: 5, transactionConfirmationBlocks: 1 })
  opened.push(web3)
  return web3
}

/** A chain on which a block time passes with every poll, so that a transaction with a receipt is sealed. */
async function start(options?: EmulatorOptions) {
  const chain = await createEmulator(options)
  return { chain, web3: open(advanceOnPoll(chain, { ms: 2000 })) }
}

function deploy(web3: Web3, { abi, bytecode }: typeof Counter | typeof Reverter) {
  const contract: Contract<ContractAbi> = new web3.eth.Contract(abi as ContractAbi)
  contract.setConfig({ transactionPollingInterval: 5 })
  return contract.deploy({ data: bytecode }).send({ from: ALICE })
}

/** A method of a contract that is known by name only. */
function method({ methods }: Contract<ContractAbi>, name: string, ...args: unknown[]) {
  return methods[name]?.(...args) ?? expect.unreachable(`there is no ${name}`)
}

/** The error of what must fail; web3.js answers with promises of its own kind. */
async function rejection(attempt: () => unknown): Promise<unknown> {
  try {
    await attempt()
  } catch (error) {
    return error
  }
  return expect.unreachable('it did not fail')
}

describe('with time that passes by polling', () => {
  test('a contract is deployed, written to and read', async () => {
    const { web3 } = await start()
    const counter = await deploy(web3, Counter)
    expect(counter.options.address).toBe(FIRST_CONTRACT)
    const receipt = await method(counter, 'add', 41).send({ from: BOB })
    expect(receipt).toMatchObject({ status: 1n, from: BOB.toLowerCase(), to: FIRST_CONTRACT.toLowerCase() })
    expect(receipt.events?.['Incremented']?.returnValues).toMatchObject({ by: BOB, value: 41n })
    expect(await method(counter, 'count').call()).toBe(41n)
  })

  test('a payment has its hash and its receipt', async () => {
    const { web3 } = await start()
    const hashes: string[] = []
    const payment = web3.eth.sendTransaction({ from: ALICE, to: BOB, value: ETHER })
    payment.on('transactionHash', (hash) => void hashes.push(String(hash)))
    const receipt = await payment
    expect(receipt).toMatchObject({ status: 1n, gasUsed: 21_000n })
    expect(hashes).toEqual([receipt.transactionHash])
    expect(await web3.eth.getTransactionReceipt(String(receipt.transactionHash))).toMatchObject({
      status: 1n,
    })
    expect(await web3.eth.getBalance(BOB)).toBe(10_001n * ETHER)
  })

  test('a local account signs', async () => {
    const { web3 } = await start()
    const [account] = web3.eth.accounts.wallet.add(ALICE_KEY)
    const { status } = await web3.eth.sendTransaction({ from: account!.address, to: BOB, value: 1n })
    expect(status).toBe(1n)
    const signed = await web3.eth.accounts.signTransaction(
      {
        to: BOB,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 3n * 10n ** 9n,
        maxPriorityFeePerGas: 1n,
        nonce: 1n,
        chainId: 31_337n,
      },
      ALICE_KEY,
    )
    expect(await web3.eth.sendSignedTransaction(signed.rawTransaction)).toMatchObject({
      status: 1n,
      transactionHash: signed.transactionHash,
    })
  })

  test('past events and logs', async () => {
    const { web3 } = await start()
    const counter = await deploy(web3, Counter)
    await method(counter, 'add', 5).send({ from: ALICE })
    await method(counter, 'add', 7).send({ from: BOB })
    const events = await counter.getPastEvents('Incremented' as 'allEvents', {
      fromBlock: 0,
      filter: { by: BOB },
    })
    expect(events).toMatchObject([{ event: 'Incremented', returnValues: { by: BOB, value: 12n } }])
    const logs = await web3.eth.getPastLogs({
      address: FIRST_CONTRACT,
      fromBlock: 0,
      topics: [web3.utils.keccak256('Incremented(address,uint256)')],
    })
    expect(logs).toHaveLength(2)
    expect(logs.map((log) => BigInt((log as { data: string }).data))).toEqual([5n, 12n])
  })

  test('the reason of a revert, of a call, an estimate and a transaction', async () => {
    const { web3 } = await start()
    const reverter = await deploy(web3, Reverter)
    const late = method(reverter, 'revertWithString', 'too late')
    for (const attempt of [() => late.call(), () => late.estimateGas()]) {
      expect(await rejection(attempt)).toMatchObject({ cause: { message: 'execution reverted: too late' } })
    }
    // web3.js fetches the reason of a failed transaction only with an option.
    reverter.handleRevert = true
    const sent = late.send({ from: ALICE, gas: '100000' })
    expect(await rejection(() => sent)).toMatchObject({ reason: 'execution reverted: too late' })
  })

  test('a custom error is decoded', async () => {
    const { web3 } = await start()
    const reverter = await deploy(web3, Reverter)
    expect(
      await rejection(() => method(reverter, 'revertWithCustomError', 7, 'because').call()),
    ).toMatchObject({
      cause: { errorName: 'CustomError', errorArgs: { code: 7n, reason: 'because' } },
    })
  })

  test('a signature holds', async () => {
    const { web3 } = await start()
    const signature = await web3.eth.sign(web3.utils.utf8ToHex('Grüße'), BOB)
    expect(web3.eth.accounts.recover('Grüße', String(signature))).toBe(BOB)
  })
})

describe('with a clock that is moved by hand', () => {
  test('blocks, logs and pending transactions are pushed', async () => {
    const chain = await createEmulator()
    const web3 = open(chain)
    const heads: unknown[] = []
    const hashes: unknown[] = []
    const logs: unknown[] = []
    const blocks = await web3.eth.subscribe('newBlockHeaders')
    blocks.on('data', ({ number }) => void heads.push(number))
    const pending = await web3.eth.subscribe('newPendingTransactions')
    pending.on('data', (hash) => void hashes.push(hash))
    const events = await web3.eth.subscribe('logs', { address: FIRST_CONTRACT })
    events.on('data', ({ blockNumber }) => void logs.push(blockNumber))

    const send = (transaction: object) =>
      chain.request({ method: 'eth_sendTransaction', params: [{ from: ALICE, ...transaction }] })
    const first = await send({ data: Counter.bytecode })
    await chain.advance(2000)
    const second = await send({ to: FIRST_CONTRACT, data: web3.utils.keccak256('increment()').slice(0, 10) })
    await chain.advance(2000)
    await settle()
    expect(heads).toEqual([1n, 2n])
    expect(hashes).toEqual([first, second])
    expect(logs).toEqual([2n])
    await blocks.unsubscribe()
    await chain.advance(2000)
    await settle()
    expect(heads).toHaveLength(2)
  })

  test('in auto production everything is available at once', async () => {
    const web3 = open(await createEmulator({ production: 'auto' }))
    const counter = await deploy(web3, Counter)
    const { status, blockNumber } = await method(counter, 'increment').send({ from: ALICE })
    expect([status, blockNumber]).toEqual([1n, 2n])
    expect(await web3.eth.getBlockNumber()).toBe(2n)
    expect(await web3.eth.getChainId()).toBe(31_337n)
  })
})
