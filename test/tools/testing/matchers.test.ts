// Each matcher in both directions, with the values of chain.request, viem and ethers.
import { Contract, EventFragment, Interface } from 'ethers'
import { base, createEmulator, type Emulator } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorConfig } from 'tickchain/viem'
import { chainTest } from 'tickchain/vitest'
import {
  createWalletClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionData,
  getAddress,
  getContract,
  type Hex,
  parseAbi,
  parseAbiItem,
  publicActions,
} from 'viem'
import { describe, expect, vi } from 'vitest'
import { Errors, Logger, Reverter, Token } from '../../contracts/generated.ts'
import { ALICE, alice, BOB, bob, transfer } from '../../core/rpc/scene.ts'

const ERRORS: Hex = `0x${'e0'.repeat(20)}`
const REVERTER: Hex = `0x${'e1'.repeat(20)}`
const LOGGER: Hex = `0x${'e2'.repeat(20)}`
const ELSEWHERE: Hex = `0x${'77'.repeat(20)}`
const VAULT: Hex = '0x4200000000000000000000000000000000000011'
const UNKNOWN: Hex = `0x${'12'.repeat(32)}`

const contracts = [
  [ERRORS, Errors],
  [REVERTER, Reverter],
  [LOGGER, Logger],
] as const
const alloc = Object.fromEntries(
  contracts.map(([address, { deployedBytecode }]) => [address, { nonce: 1, code: deployedBytecode }]),
)

function viemOn(chain: Emulator) {
  return createWalletClient({ ...emulatorConfig(chain), account: ALICE }).extend(publicActions)
}

/** Sends from Alice, and gives the hash. */
function send(chain: Emulator, transaction: { to?: Hex; data?: Hex; value?: Hex }): Promise<Hex> {
  const request = { from: ALICE, gas: '0x100000', ...transaction } as const
  return chain.request({ method: 'eth_sendTransaction', params: [request] })
}

const test = chainTest({ genesis: { alloc } }, async (chain) => {
  const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [1000n] })
  const hash = await send(chain, { data })
  await chain.advance(2000)
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return { token: receipt?.contractAddress as Hex }
})

/** The message with which an assertion fails. */
async function failureOf(assertion: PromiseLike<unknown>): Promise<string> {
  try {
    await assertion
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('the assertion holds')
}

/** Sends 5 units of the token from Alice to Bob, by each of the three ways. */
const ways = {
  'a request': (chain: Emulator, token: Hex): Promise<unknown> =>
    send(chain, {
      to: token,
      data: encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [BOB, 5n] }),
    }),
  viem: (chain: Emulator, token: Hex): Promise<unknown> =>
    getContract({ address: token, abi: Token.abi, client: viemOn(chain) }).write.transfer([BOB, 5n]),
  ethers: async (chain: Emulator, token: Hex): Promise<unknown> => {
    const signer = await new EmulatorProvider(chain).getSigner(0)
    return new Contract(token, Token.abi, signer).getFunction('transfer')(BOB, 5n)
  },
}

describe.each(Object.entries(ways))('a token transfer by %s', (_, pay) => {
  test('emits, pre-confirmed and sealed', async ({ chain, context: { token } }) => {
    const payment = await pay(chain, token)
    await chain.advance(200)
    await expect(payment).toBePreconfirmed()
    await expect(payment).not.toBeSealed()
    for (const moment of ['pre-confirmed', 'sealed']) {
      const event = { abi: Token.abi, eventName: 'Transfer' }
      await expect(payment, moment).toEmit(event)
      await expect(payment).toEmit({ ...event, args: { to: BOB, value: 5n }, address: token })
      await expect(payment).not.toEmit({ ...event, args: { to: ALICE } })
      await expect(payment).not.toEmit({ ...event, address: ELSEWHERE })
      await expect(payment).not.toEmit({ abi: Token.abi, eventName: 'Approval' })
      await expect(payment).toChangeBalance(BOB, 5n, { token })
      await expect(payment).toChangeBalance(ALICE, -5n, { token })
      await expect(payment).not.toChangeBalance(BOB, 6n, { token })
      await expect(payment).not.toRevertWith()
      await chain.advance(1800)
    }
    await expect(payment).toBeSealed()
    await expect(payment).not.toBePreconfirmed()
  })

  test('is a promise or a function of itself, too', async ({ chain, context: { token } }) => {
    const payment = pay(chain, token)
    await payment
    await chain.advance(200)
    await expect(payment).toEmit({ abi: Token.abi, eventName: 'Transfer' })
    await expect(() => payment).toBePreconfirmed()
    await expect(async () => payment).toChangeBalance(BOB, 5n, { token })
  })
})

test('receipts stand for their transaction', async ({ chain, context: { token } }) => {
  const hash = (await ways.viem(chain, token)) as Hex
  await chain.advance(2000)
  const ofViem = await viemOn(chain).getTransactionReceipt({ hash })
  const ofEthers = await new EmulatorProvider(chain).getTransactionReceipt(hash)
  const ofRequest = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  for (const receipt of [ofViem, ofEthers, ofRequest]) {
    await expect(receipt).toBeSealed()
    await expect(receipt).toEmit({ abi: Token.abi, eventName: 'Transfer', args: { value: 5n } })
  }
})

describe('toEmit', () => {
  const declaration = 'event Transfer(address indexed from, address indexed to, uint256 value)'

  test.for([
    ['an ABI', { abi: Token.abi, eventName: 'Transfer', args: { value: 5n } }],
    ['an artifact', { abi: { abi: Token.abi }, eventName: 'Transfer', args: { value: 5n } }],
    ['an Interface of ethers', { abi: new Interface(Token.abi), eventName: 'Transfer', args: { value: 5n } }],
    ['a declaration', { event: declaration, args: { value: 5n } }],
    ['what viem parsed', { event: parseAbiItem(declaration), args: { value: 5n } }],
    ['what ethers parsed', { event: EventFragment.from(declaration), args: { value: 5n } }],
    ['a declaration by itself', declaration],
    ['a bare signature', 'Transfer(address,address,uint256)'],
    ['what viem parsed, by itself', parseAbiItem(declaration)],
  ] as const)('takes the event as %s', async ([, event], { chain, context: { token } }) => {
    const hash = await ways.viem(chain, token)
    await chain.advance(200)
    await expect(hash).toEmit(event)
    const wrong = typeof event === 'object' && 'args' in event ? { ...event, args: { value: 6n } } : undefined
    if (wrong !== undefined) await expect(hash).not.toEmit(wrong)
  })

  test('takes arguments as clients write them', async ({ chain, context: { token } }) => {
    const hash = await ways.viem(chain, token)
    await chain.advance(200)
    const event = { abi: Token.abi, eventName: 'Transfer' }
    await expect(hash).toEmit({ ...event, args: { to: getAddress(BOB) } })
    await expect(hash).toEmit({ ...event, args: { from: alice, to: bob, value: 5 } })
    await expect(hash).toEmit({ ...event, args: [ALICE, BOB, 5n] })
    await expect(hash).toEmit({ ...event, args: [undefined, BOB] })
    await expect(hash).toEmit({ ...event, args: { value: expect.toSatisfy((value) => value > 4n) } })
    await expect(hash).not.toEmit({ ...event, args: { value: expect.toSatisfy((value) => value > 5n) } })
    await expect(hash).not.toEmit({ ...event, args: [BOB] })
    await expect(hash).toEmit({
      ...event,
      address: getContract({ address: token, abi: [], client: viemOn(chain) }),
    })
    await expect(hash).toEmit({ ...event, address: new Contract(token, []) })
  })

  test('shows what was emitted, and in what it differs', async ({ chain, context: { token } }) => {
    const hash = await ways.viem(chain, token)
    await chain.advance(200)
    const event = { abi: Token.abi, eventName: 'Transfer', args: { to: BOB, value: 6n }, address: token }
    expect(await failureOf(expect(hash).toEmit(event))).toBe(
      [
        `expected transaction ${hash} to emit Transfer(to: ${BOB}, value: 6) by ${token}`,
        '',
        'It emitted',
        `  Transfer(from: ${ALICE}, to: ${BOB}, value: 5) by ${token}`,
        '    differs in value',
      ].join('\n'),
    )
    const negated = await failureOf(expect(hash).not.toEmit({ abi: Token.abi, eventName: 'Transfer' }))
    expect(negated).toContain(`expected transaction ${hash} not to emit Transfer`)
    const other = await failureOf(expect(hash).toEmit('event Paid(address indexed to)'))
    expect(other).toContain(
      'an event unknown here, topics 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
    )
  })

  test('says that a transaction emitted nothing, and why', async ({ chain }) => {
    const plain = await send(chain, { to: BOB, value: '0x1' })
    const failing = await send(chain, {
      to: REVERTER,
      data: encodeFunctionData({ abi: Reverter.abi, functionName: 'panicAssert' }),
    })
    await chain.advance(200)
    expect(await failureOf(expect(plain).toEmit('event Paid()'))).toContain('It emitted nothing.')
    expect(await failureOf(expect(failing).toEmit('event Paid()'))).toContain(
      'It failed, and so emitted nothing',
    )
    await expect(plain).not.toEmit('event Paid()')
  })

  test('reads what viem has encoded: tuples, arrays, and hashes of what is indexed', async ({ chain }) => {
    const pair = {
      name: 'pair',
      type: 'tuple',
      components: [
        { name: 'id', type: 'uint8' },
        { name: 'text', type: 'string' },
      ],
    }
    const inputs = [
      { name: 'title', type: 'string', indexed: true },
      pair,
      { name: 'words', type: 'bytes4[]' },
      { name: 'isLast', type: 'bool' },
    ] as const
    const abi = [{ type: 'event', name: 'Noted', inputs }] as const
    const [topic0, topic1] = encodeEventTopics({ abi, args: { title: 'Hi' } } as never) as unknown as [
      Hex,
      Hex,
    ]
    const values = [{ id: 7, text: 'two' }, ['0x12345678', '0xabcdef01'], true] as const
    const log = encodeAbiParameters(inputs.slice(1) as never, values as never)
    const data = encodeFunctionData({ abi: Logger.abi, functionName: 'log2', args: [log, topic0, topic1] })
    const hash = await send(chain, { to: LOGGER, data })
    await chain.advance(200)
    const event = { abi, eventName: 'Noted' }
    const args = {
      title: topic1,
      pair: { id: 7, text: 'two' },
      words: ['0x12345678', '0xABCDEF01'],
      isLast: true,
    }
    await expect(hash).toEmit({ ...event, args })
    await expect(hash).toEmit({ ...event, args: { pair: { text: 'two' } } })
    await expect(hash).toEmit({ ...event, args: { pair: [7n, 'two'] } })
    for (const wrong of [
      { pair: { id: 8 } },
      { pair: { number: 7 } },
      { words: ['0x12345678'] },
      { isLast: 1 },
      { pair: 7 },
    ])
      await expect(hash).not.toEmit({ ...event, args: wrong })
  })

  test('refuses an event or arguments that cannot be', async ({ chain, context: { token } }) => {
    const hash = await ways.viem(chain, token)
    await chain.advance(200)
    const refused = (event: never) => failureOf(expect(hash).not.toEmit(event))
    const { abi } = Token
    expect(await refused({ abi, eventName: 'Transfers' } as never)).toContain('which has Approval, Transfer')
    expect(await refused({ abi, eventName: 'Transfer', args: { amount: 5n } } as never)).toContain(
      'from, to, value',
    )
    expect(await refused({ abi, eventName: 'Transfer', args: [ALICE, BOB, 5n, 6n] } as never)).toContain(
      'args',
    )
    expect(await refused({ event: 'Transfer(address,address,uint256)', args: [ALICE] } as never)).toContain(
      'indexed',
    )
    expect(await refused('event Pair((uint256,uint256) pair)' as never)).toContain('without tuples')
    expect(await refused('Transfer' as never)).toContain("{ abi, eventName: 'Transfer' }, or its declaration")
    // As with Hardhat's matchers.
    const contract = new Contract(`0x${'aa'.repeat(20)}`, [])
    expect(await refused(contract as never)).toContain('{ abi, eventName }, with abi: contract.interface')
    expect(await refused({ abi: 5, eventName: 'Transfer' } as never)).toContain('JSON ABI')
    expect(await refused(undefined as never)).toContain('an event')
    expect(await refused({ abi, eventName: 'Transfer', address: '0x12' } as never)).toContain('20 bytes')
  })
})

describe('toRevertWith', () => {
  const insufficient = {
    address: ERRORS,
    abi: Errors.abi,
    functionName: 'insufficient',
    args: [1n, 2n],
  } as const
  const textual = {
    address: REVERTER,
    abi: Reverter.abi,
    functionName: 'revertWithString',
    args: ['no'],
  } as const
  const calls = {
    'a request': (chain: Emulator, { address, ...call }: typeof textual | typeof insufficient) =>
      chain.request({
        method: 'eth_call',
        params: [{ to: address, data: encodeFunctionData(call as never) }],
      }),
    viem: (chain: Emulator, call: typeof textual | typeof insufficient) =>
      viemOn(chain).simulateContract(call as never),
    ethers: (chain: Emulator, { address, abi, functionName, args }: typeof textual | typeof insufficient) =>
      new Contract(address, abi, new EmulatorProvider(chain)).getFunction(functionName).staticCall(...args),
    'a write of viem': (chain: Emulator, call: typeof textual | typeof insufficient) =>
      viemOn(chain).writeContract(call as never),
    'a write of ethers': async (
      chain: Emulator,
      { address, abi, functionName, args }: typeof textual | typeof insufficient,
    ) => {
      const signer = await new EmulatorProvider(chain).getSigner(0)
      return new Contract(address, abi, signer).getFunction(functionName).send(...args)
    },
  }

  test.for(Object.entries(calls))('the rejection of %s', { tags: 'gate' }, async ([, call], { chain }) => {
    await expect(call(chain, textual)).toRevertWith('no')
    await expect(call(chain, textual)).toRevertWith()
    await expect(() => call(chain, textual)).toRevertWith(/^n/)
    await expect(call(chain, textual)).toRevertWith({ name: 'Error', args: ['no'] })
    await expect(call(chain, textual)).rejects.toRevertWith('no')
    await expect(call(chain, textual)).not.toRevertWith('n')
    const { abi } = Errors
    await expect(call(chain, insufficient)).toRevertWith({ name: 'InsufficientBalance', abi, args: [1n, 2n] })
    await expect(call(chain, insufficient)).toRevertWith({
      name: 'InsufficientBalance',
      abi,
      args: { required: 2 },
    })
    await expect(call(chain, insufficient)).not.toRevertWith({
      name: 'InsufficientBalance',
      abi,
      args: [1n, 3n],
    })
    await expect(call(chain, insufficient)).not.toRevertWith({ name: 'Unauthorized', abi })
    expect(
      await failureOf(expect(call(chain, insufficient)).toRevertWith({ name: 'Unauthorized', abi })),
    ).toContain('It reverted with InsufficientBalance(1, 2)')
    // Only viem's client knows the error without an ABI.
    expect(await failureOf(expect(call(chain, insufficient)).toRevertWith('InsufficientBalance'))).toMatch(
      /\(1, 2\)\. \{ name: 'InsufficientBalance' \} matches it with any arguments|It takes \{ name, abi \}/,
    )
  })

  test.for(['viem', 'ethers'] as const)(
    'names of arguments that only %s knows',
    async (client, { chain }) => {
      const name = 'InsufficientBalance'
      const call = () => expect(calls[client](chain, insufficient))
      await call().toRevertWith({ name, args: { available: 1n } })
      await call().toRevertWith({ name, args: { required: 2, available: 1n } })
      await call().not.toRevertWith({ name, args: { required: 3n } })
      await call().not.toRevertWith({ name, args: { owner: 1n } })
    },
  )

  describe('an address, in any case', () => {
    const abi = parseAbi(['error NotOwner(address who)', 'error Error(string)'])
    const owner = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
    const lower = owner.toLowerCase()
    const rejection = (data: Hex, cause?: object) =>
      Promise.reject(Object.assign(new Error('execution reverted', { cause }), { code: 3, data }))
    const data = encodeErrorResult({ abi, errorName: 'NotOwner', args: [owner] })

    test('in a custom error that the chain knows', async ({ chain }) => {
      chain.registerAbi(abi)
      for (const who of [owner, lower, `0x${owner.slice(2).toUpperCase()}`]) {
        await expect(rejection(data)).toRevertWith(`NotOwner(${who})`)
        await expect(rejection(data)).toRevertWith({ name: 'NotOwner', args: [who] })
        await expect(rejection(data)).toRevertWith({ name: 'NotOwner', args: { who } })
      }
      await expect(rejection(data)).toRevertWith(new RegExp(owner))
      await expect(rejection(data)).toRevertWith(new RegExp(lower))
      const other = `0x${'11'.repeat(20)}`
      await expect(rejection(data)).not.toRevertWith(`NotOwner(${other})`)
      await expect(rejection(data)).not.toRevertWith({ name: 'NotOwner', args: [other] })
    })

    test('in one that the client has decoded', async ({ chain: _ }) => {
      const cause = { data: { errorName: 'NotOwner', args: [owner] } }
      for (const who of [owner, lower]) {
        await expect(rejection(data, cause)).toRevertWith(`NotOwner(${who})`)
        await expect(rejection(data, cause)).toRevertWith({ name: 'NotOwner', args: [who] })
      }
    })

    test('but a text is compared as it is', async ({ chain: _ }) => {
      const textual = encodeErrorResult({ abi, errorName: 'Error', args: [`not ${owner}`] })
      await expect(rejection(textual)).toRevertWith(`not ${owner}`)
      await expect(rejection(textual)).not.toRevertWith(`not ${lower}`)
    })
  })

  test('what viem or ethers decoded needs no second ABI', async ({ chain }) => {
    // ethers decodes what a call reverts with, and not what an estimate does.
    for (const way of ['viem', 'ethers', 'a write of viem'] as const) {
      await expect(calls[way](chain, insufficient), way).toRevertWith({
        name: 'InsufficientBalance',
        args: [1n, 2n],
      })
      await expect(calls[way](chain, insufficient), way).toRevertWith('InsufficientBalance(1, 2)')
    }
  })

  test('the custom errors that the chain knows are known', async ({ chain }) => {
    expect(await failureOf(expect(calls['a request'](chain, insufficient)).toRevertWith('x'))).toContain(
      // The selector of InsufficientBalance(uint256,uint256), as viem has it.
      'a custom error that no ABI here has: 0xcf479181',
    )
    chain.registerAbi(Errors)
    await expect(calls['a request'](chain, insufficient)).toRevertWith('InsufficientBalance(1, 2)')
  })

  test.for(['anvil', 'hardhat', 'ganache'] as const)('in the words of %s', async (flavor) => {
    const { createEmulator } = await import('tickchain')
    const chain = await createEmulator({ flavor, genesis: { alloc } })
    await expect(calls['a request'](chain, textual)).toRevertWith('no', { chain })
    await expect(calls.viem(chain, textual)).toRevertWith('no', { chain })
    await expect(calls.ethers(chain, textual)).toRevertWith('no', { chain })
    await expect(calls['a request'](chain, textual)).not.toRevertWith('yes', { chain })
  })

  test('a panic, and a revert without data', async ({ chain }) => {
    const data = (functionName: string, args: unknown[] = []): Hex =>
      encodeFunctionData({ abi: Reverter.abi, functionName, args } as never)
    const call = (input: Hex) =>
      chain.request({ method: 'eth_call', params: [{ to: REVERTER, data: input }] })
    await expect(call(data('panicAssert'))).toRevertWith({ name: 'Panic', args: [0x01n] })
    await expect(call(data('divide', [1n, 0n]))).toRevertWith('division or modulo by zero')
    await expect(call(data('revertEmpty'))).toRevertWith()
    expect(await failureOf(expect(call(data('revertEmpty'))).toRevertWith('x'))).toContain('without data')
  })

  test('a transaction that failed in its block', async ({ chain }) => {
    const data = encodeFunctionData({ abi: Errors.abi, functionName: 'insufficient', args: [1n, 2n] })
    const hash = await send(chain, { to: ERRORS, data })
    const endless = await send(chain, {
      to: REVERTER,
      data: encodeFunctionData({ abi: Reverter.abi, functionName: 'invalidOpcode' }),
    })
    await chain.advance(200)
    await expect(hash).toRevertWith({ name: 'InsufficientBalance', abi: Errors.abi, args: [1n, 2n] })
    await expect(hash).not.toRevertWith('no')
    for (const assertion of [
      expect(endless).toRevertWith(),
      expect(endless).not.toRevertWith(),
      expect(endless).not.toRevertWith('no'),
    ])
      expect(await failureOf(assertion)).toContain('It failed otherwise: invalid opcode')
  })

  test('what did not revert, or was refused otherwise', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x1' })
    await chain.advance(200)
    expect(await failureOf(expect(hash).toRevertWith('no'))).toContain('It succeeded.')
    expect(await failureOf(expect(async () => 5).toRevertWith('no'))).toContain('It did not reject.')
    await expect(async () => 5).not.toRevertWith('no')
    // A call that answers 32 bytes is no transaction.
    await expect(async () => UNKNOWN).not.toRevertWith('no')
    const poor = { from: ALICE, to: BOB, value: `0x${'f'.repeat(30)}` } as const
    const refused = () => chain.request({ method: 'eth_sendTransaction', params: [poor] })
    expect(await failureOf(expect(refused()).toRevertWith())).toContain(
      'It was refused otherwise: insufficient funds',
    )
  })

  // As hardhat-chai-matchers: an error that is no revert is thrown again.
  test('without a revert, .not throws what else went wrong', async ({ chain }) => {
    const value = `0x${'f'.repeat(30)}` as const
    const refused = () => chain.request('eth_sendTransaction', [{ from: ALICE, to: BOB, value }])
    const misspelt = () => chain.request('eth_sendTx' as never, [] as never)
    const mistake = new TypeError('x')
    expect(await failureOf(expect(refused()).not.toRevertWith())).toMatch(/^insufficient funds/)
    expect(await failureOf(expect(refused()).not.toRevertWith('no'))).toMatch(/^insufficient funds/)
    expect(await failureOf(expect(misspelt).not.toRevertWith())).toContain('eth_sendTx')
    for (const assertion of [
      expect(Promise.reject(mistake)).not.toRevertWith(),
      expect(Promise.reject(mistake)).rejects.not.toRevertWith('no'),
      expect(mistake).not.toRevertWith(),
    ])
      await expect(assertion).rejects.toBe(mistake)
  })
})

describe('toChangeBalance', () => {
  // transferFees of the scene: 21,000 gas under a base fee below 9 gwei and a tip of 1 gwei.
  const TIP = 21_000n * 10n ** 9n

  test('by one transaction alone, whatever else is in its block', async ({ chain }) => {
    const hashes = await Promise.all(
      [1n, 2n, 3n].map(async (value, index) => {
        const raw = await alice.signTransaction({ ...transfer(BOB, 1 + index), value })
        return chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
      }),
    )
    await chain.advance(200)
    for (const [index, hash] of hashes.entries()) {
      await expect(hash).toChangeBalance(BOB, index + 1)
      await expect(hash).toChangeBalance(ALICE, -index - 1, { fees: 'excluded' })
      // The coinbase gets the tip.
      await expect(hash).toChangeBalance(VAULT, TIP)
      await expect(hash).toChangeBalance(ELSEWHERE, 0)
      await expect(hash).not.toChangeBalance(ALICE, -index - 1)
    }
    await chain.advance(10_000)
    await expect(hashes[1]).toChangeBalance(BOB, 2n)
    const fee = await viemOn(chain).getTransactionReceipt({ hash: hashes[1] as Hex })
    await expect(hashes[1]).toChangeBalance(ALICE, -2n - fee.gasUsed * fee.effectiveGasPrice)
  })

  test('says what it is, and what it would be without the fee', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x5' })
    await chain.advance(200)
    expect(await failureOf(expect(hash).toChangeBalance(BOB, 6n))).toBe(
      `expected transaction ${hash} to change the balance of ${BOB} by 6 wei\n\nIt changed by 5.`,
    )
    const withFee = await failureOf(expect(hash).toChangeBalance(ALICE, -5n))
    expect(withFee).toContain("that it paid: { fees: 'excluded' }")
    expect(await failureOf(expect(hash).not.toChangeBalance(BOB, 5n))).toContain('not to change')
  })

  test('a function that gives no transaction is measured as a whole', async ({
    chain,
    context: { token },
  }) => {
    const pay = async (): Promise<void> => {
      await send(chain, { to: BOB, value: '0x5' })
      await send(chain, { to: BOB, value: '0x6' })
      await chain.advance(200)
    }
    await expect(pay).toChangeBalance(BOB, 11n)
    await expect(pay).not.toChangeBalance(BOB, 5n)
    await expect(async () => {
      await ways.viem(chain, token)
      await chain.advance(2000)
    }).toChangeBalance(bob, 5n, { token })
    const message = await failureOf(expect(pay).toChangeBalance(ALICE, -11n, { fees: 'excluded' }))
    expect(message).toContain("a transaction, where fees are 'excluded'")
  })

  test('the deployment of a token counts from nothing', async ({ chain }) => {
    const data = encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [77n] })
    const hash = await send(chain, { data })
    await chain.advance(200)
    const receipt = await viemOn(chain).getTransactionReceipt({ hash })
    const token = receipt.contractAddress as Hex
    await expect(hash).toChangeBalance(ALICE, 77n, { token })
    await expect(hash).not.toChangeBalance(ALICE, 76n, { token })
  })

  test('refuses what is no token, and no amount', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x5' })
    await chain.advance(200)
    expect(await failureOf(expect(hash).toChangeBalance(BOB, 0, { token: ELSEWHERE }))).toContain('no code')
    expect(await failureOf(expect(hash).not.toChangeBalance(BOB, 0, { token: REVERTER }))).toContain(
      'balanceOf',
    )
    expect(await failureOf(expect(hash).toChangeBalance(BOB, 0.5))).toContain('whole number')
    expect(await failureOf(expect(hash).toChangeBalance('bob', 5))).toContain('20 bytes')
    expect(await failureOf(expect(hash).toChangeBalance(BOB, 5, { fees: 'no' as never }))).toContain('fees')
  })

  test('does not depend on later edits of accounts', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x5' })
    await chain.advance(200)
    await chain.setBalance(ALICE, 1n)
    await expect(hash).toChangeBalance(BOB, 5n)
  })
})

// As Hardhat: the subject may be a promise that rejects, for which nobody waits once the expectation is wrong.
test('a wrong expectation drops its subject', async ({ chain }) => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const refused = () => Promise.reject(new Error('of another test'))
  const event = { abi: Token.abi, eventName: 'Sett' }
  try {
    for (const [assertion, words] of [
      [expect(refused()).toEmit(event), 'an event of the ABI'],
      [expect(refused()).toRevertWith(5 as never), 'a regular expression'],
      [expect(refused()).toChangeBalance('0x12', 4n), '20 bytes'],
      [expect(refused()).toMatchGas(0.5), 'gas as a number'],
      [expect(refused()).toBeSealed({ chain: {} as never }), 'emulator'],
    ] as const)
      expect(await failureOf(assertion)).toContain(words)
    await chain.advance(200)
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).not.toHaveBeenCalled()
  } finally {
    process.off('unhandledRejection', unhandled)
  }
})

describe('a transaction that has not come so far', () => {
  test('waits for a block, where there are no partial ones', async () => {
    const chain = await createEmulator(base())
    const [from] = await chain.listAccounts()
    const hash = await chain.request('eth_sendTransaction', [{ from, to: BOB }])
    const words = 'chain.advance(200) goes to the next block, which may take it'
    expect(await failureOf(expect(hash).toBeSealed({ chain }))).toContain(words)
  })

  test('waits in the pool, and nothing is said of what it does', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x1' })
    await chain.advance(50)
    const nowMs = chain.now
    const inPool = `It is still in the pool: chain.advance(150) goes to the next partial block`
    for (const assertion of [
      expect(hash).toEmit('event Paid()'),
      expect(hash).not.toEmit('event Paid()'),
      expect(hash).toRevertWith('no'),
      expect(hash).not.toRevertWith('no'),
      expect(hash).toChangeBalance(BOB, 1n),
      expect(hash).not.toChangeBalance(BOB, 2n),
      expect(hash).toBePreconfirmed(),
      expect(hash).toBeSealed(),
    ]) {
      expect(await failureOf(assertion)).toContain(inPool)
    }
    await expect(hash).not.toBePreconfirmed()
    await expect(hash).not.toBeSealed()
    expect(chain.now).toBe(nowMs)
    await chain.advance(150)
    await expect(hash).toBePreconfirmed()
  })

  test('waits for a nonce, or for its release', async ({ chain }) => {
    const raw = await alice.signTransaction(transfer(BOB, 3))
    const ahead = await chain.request({ method: 'eth_sendRawTransaction', params: [raw] })
    // The token's deployment had nonce 0.
    expect(await failureOf(expect(ahead).toBeSealed())).toContain(`it waits for nonce 1 of ${ALICE}`)
    const held = await send(chain, { to: BOB, value: '0x1' })
    await chain.delayTransaction(held)
    expect(await failureOf(expect(held).toBeSealed())).toContain('chain.delayTransaction')
  })

  test('is pre-confirmed, and these calls seal it', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x1' })
    await chain.advance(200)
    expect(await failureOf(expect(hash).toBeSealed())).toContain(
      'chain.advance(1800) or chain.seal() seals it',
    )
    await chain.seal()
    expect(await failureOf(expect(hash).toBePreconfirmed())).toContain('It is sealed in block 2.')
  })

  test('is unknown', async ({ chain }) => {
    const words = 'This chain knows no such transaction.'
    expect(await failureOf(expect(UNKNOWN).toBeSealed())).toContain(words)
    expect(await failureOf(expect(UNKNOWN).not.toEmit('event Paid()', { chain }))).toContain(words)
  })

  test('is no transaction at all', async ({ chain }) => {
    for (const subject of ['0x12', 5, undefined, null, {}, { hash: '0x12' }]) {
      expect(await failureOf(expect(subject).toBeSealed())).toContain('expected a transaction')
      expect(await failureOf(expect(subject).not.toBeSealed({ chain }))).toContain('expected a transaction')
    }
  })
})

test('no fault reaches a matcher', async ({ chain, context: { token } }) => {
  const hash = await ways.viem(chain, token)
  await chain.advance(200)
  await chain.fault({ method: '*', status: 500 })
  await expect(hash).toEmit({ abi: Token.abi, eventName: 'Transfer' })
  await expect(hash).toChangeBalance(BOB, 5n, { token })
  await expect(hash).toBePreconfirmed()
})

describe('gas', () => {
  test('is that of the receipt, exactly', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x1' })
    expect(await failureOf(expect(hash).toMatchGas(21_000))).toContain('It is still in the pool')
    await chain.advance(200)
    await expect(hash).toMatchGas(21_000)
    await expect(hash).toMatchGas(21_000n)
    await expect(hash).not.toMatchGas(20_999)
    // 10 of 21,000 are 0.0476 per cent.
    const words = ['to use 21010 gas', 'It used 21000 gas, 10 less (-0.05 %).']
    const message = await failureOf(expect(hash).toMatchGas(21_010))
    for (const each of words) expect(message).toContain(each)
    expect(await failureOf(expect(hash).toMatchGas(-1))).toContain('gas as a number or a bigint')
  })

  test('a snapshot needs a transaction that ran, and a name', async ({ chain }) => {
    const hash = await send(chain, { to: BOB, value: '0x1' })
    expect(await failureOf(expect(hash).toMatchGasSnapshot('x'))).toContain('It is still in the pool')
    await chain.advance(200)
    expect(await failureOf(expect(hash).toMatchGasSnapshot(7 as never))).toContain('a name')
    expect(await failureOf(expect(hash).not.toMatchGasSnapshot('x'))).toContain('.not')
  })
})
