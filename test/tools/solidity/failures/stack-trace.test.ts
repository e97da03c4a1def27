// Solidity stack traces of failed calls, as a user sees them: the message and the first lines of the stack. What each
// failure is called is Hardhat's; places are marked in the source.

import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { EmulatorProvider } from 'tickchain/ethers'
import { emulatorConfig } from 'tickchain/viem'
import {
  type Abi,
  type BaseError,
  createPublicClient,
  ExecutionRevertedError,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { compile, type StandardJson } from '../compile.ts'
import { at, FAILURES } from './failures.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const NOBODY: Hex = `0x${'ab'.repeat(20)}`
const FILE = 'contracts/Failures.sol'
const GAS = '0x989680'

let build: StandardJson
let chain: Emulator
const addresses = new Map<string, Hex>()

function artifact(name: string): { abi: Abi; bytecode: Hex } {
  const { abi, evm } = build.output.contracts[FILE]![name]
  return { abi, bytecode: `0x${evm.bytecode.object}` }
}

async function deployIn(chain: Emulator, name: string, args: readonly unknown[] = []): Promise<Hex> {
  const data = encodeDeployData({ ...artifact(name), args: [...args] } as never)
  const hash = await chain.request({
    method: 'eth_sendTransaction',
    params: [{ from: ALICE, data, gas: GAS }],
  })
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  return receipt?.contractAddress as Hex
}

/** What is known: all contracts but those that a trace shall not recognise. */
function known(): StandardJson {
  const { Ignored: _, IgnoredAtBirth: __, ...contracts } = build.output.contracts[FILE]!
  return { ...build, output: { ...build.output, contracts: { [FILE]: contracts } } }
}

beforeAll(async () => {
  build = compile({ [FILE]: FAILURES })
  chain = await createEmulator({ production: 'auto' })
  await chain.addContracts(known())
  const names = ['Failures', 'Target', 'Ignored', 'Numbers']
  for (const name of [...names, 'WithFallback', 'WithReceive', 'WithBoth', 'Silent']) {
    addresses.set(name, await deployIn(chain, name))
  }
})

function addressOf(name: string): Hex {
  return addresses.get(name) as Hex
}

interface Sent {
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: Hex
  readonly gas?: Hex
}

async function failureOf(sent: Sent, method: 'eth_call' | 'eth_estimateGas' = 'eth_call') {
  const error = await chain
    .request({ method, params: [{ from: ALICE, gas: GAS, ...sent }] } as never)
    .catch((thrown) => thrown)
  if (!(error instanceof TickchainError)) throw new Error('the call succeeded')
  const [head, ...rest] = (error.stack ?? '').split('\n')
  const lines = rest.filter((line) => !/file:|node:|\.ts/.test(line)).map((line) => line.trim())
  return { message: error.message, head, lines, hasJavaScript: lines.length < rest.length, code: error.code }
}

function call(name: string, args: readonly unknown[] = [], to = 'Failures'): Sent {
  const data = encodeFunctionData({ abi: artifact(to).abi, functionName: name, args: [...args] })
  return { to: addressOf(to), data }
}

async function expectTrace(sent: Sent, message: string, ...lines: readonly string[]): Promise<void> {
  expect(await failureOf(sent)).toMatchObject({ message, lines })
}

describe('reverts', () => {
  test('with a reason, through an internal function and another contract', async () => {
    const failure = await failureOf(call('hit', [3]))
    expect(failure).toMatchObject({
      code: 3,
      message: 'execution reverted: too small',
      head: 'TickchainError: execution reverted: too small',
      lines: [
        `at Target.hit (${at('hit')})`,
        `at Failures.inner (${at('target-hit')})`,
        `at Failures.hit (${at('call-inner')})`,
      ],
      hasJavaScript: true,
    })
  })

  test('without a reason', () =>
    expectTrace(call('silent'), 'execution reverted', `at Failures.silent (${at('silent')})`))

  test('by a panic', () =>
    expectTrace(
      call('divide', [0]),
      'execution reverted: division or modulo by zero',
      `at Failures.divide (${at('divide')})`,
    ))

  test('by a panic of a function that is not there, without the call of it', () =>
    expectTrace(
      call('callUnset'),
      'execution reverted: uninitialized function',
      `at Failures.callUnset (${at('unset')})`,
    ))

  test('by a custom error', async () => {
    const { message, lines } = await failureOf(call('reject'))
    expect(message).toBe(`execution reverted: Rejected(7, "no", ${addressOf('Failures')})`)
    expect(lines).toEqual([`at Target.reject (${at('reject')})`, `at Failures.reject (${at('call-reject')})`])
  })

  test('in a modifier, with the function that has it', () =>
    expectTrace(
      call('modified', [0]),
      'execution reverted: not positive',
      `at Failures.positive (${at('modifier')})`,
      `at Failures.modified (${at('modified')})`,
    ))

  test('in a free function, which no contract declares', () =>
    expectTrace(
      call('free'),
      'execution reverted: free',
      `at checkFree (${at('free-require')})`,
      `at Failures.free (${at('call-free')})`,
    ))

  test('in a function that calls itself', () =>
    expectTrace(
      call('recurse', [2]),
      'execution reverted: deep',
      `at Failures.down (${at('down-revert')})`,
      `at Failures.down (${at('down')})`,
      `at Failures.down (${at('down')})`,
      `at Failures.recurse (${at('recurse')})`,
    ))

  test('in a receive function and in a fallback', async () => {
    const received = { to: addressOf('WithReceive'), value: '0x1' } as const
    await expectTrace(received, 'execution reverted: received', `at WithReceive.<receive> (${at('receive')})`)
    const fallen = { to: addressOf('WithBoth'), data: '0x12345678' } as const
    await expectTrace(fallen, 'execution reverted: fell', `at WithBoth.<fallback> (${at('both')})`)
  })
})

describe('what a contract does not take', () => {
  test('value for a function that is not payable', () =>
    expectTrace(
      { ...call('hit', [9]), value: '0x7' },
      'execution reverted: non-payable function was called with value 7',
      `at Failures.hit (${at('call-hit')})`,
    ))

  test('a selector that it does not have', () =>
    expectTrace(
      { to: addressOf('Failures'), data: '0x12345678' },
      "execution reverted: function selector was not recognized and there's no fallback function",
      `at Failures.<unrecognized-selector> (${at('contract')})`,
    ))

  test('a plain transfer', () =>
    expectTrace(
      { to: addressOf('Failures'), value: '0x1' },
      "execution reverted: function selector was not recognized and there's no fallback nor receive function",
      `at Failures.<unrecognized-selector> (${at('contract')})`,
    ))

  test('value for a fallback that is not payable', async () => {
    const { to } = { to: addressOf('WithFallback') }
    await expectTrace(
      { to, data: '0x12345678', value: '0x2' },
      'execution reverted: fallback function is not payable and was called with value 2',
      `at WithFallback.<fallback> (${at('fallback')})`,
    )
    await expectTrace(
      { to, value: '0x2' },
      "execution reverted: there's no receive function, fallback function is not payable and was called with value 2",
      `at WithFallback.<fallback> (${at('fallback')})`,
    )
  })

  test('arguments that are too short', () =>
    expectTrace(
      { to: addressOf('Failures'), data: call('needs', [1]).data!.slice(0, 40) as Hex },
      'execution reverted: function was called with incorrect parameters',
      `at Failures.needs (${at('needs')})`,
    ))

  test('a call of a library that no contract delegates', () =>
    expectTrace(
      { to: addressOf('Numbers'), data: '0x12345678' },
      'execution reverted: library was called directly',
      expect.stringMatching(/^at Numbers\.<unknown> \(contracts\/Failures\.sol:4\)$/) as never,
    ))
})

describe('calls of other accounts', () => {
  test('of an account without code', () =>
    expectTrace(
      call('callNothing', [NOBODY]),
      'execution reverted: function call to a non-contract account',
      `at Failures.callNothing (${at('nothing')})`,
    ))

  test('of a contract that returns too little', () =>
    expectTrace(
      call('badReturn', [addressOf('Silent')]),
      'execution reverted: function returned an unexpected amount of data',
      `at Failures.badReturn (${at('bad-return')})`,
    ))

  test('of a contract without the function', () =>
    expectTrace(
      call('callNothing', [addressOf('Failures')]),
      // It has one of this name, which is not the one that fails.
      'execution reverted: too small',
      `at Target.hit (${at('hit')})`,
      `at Failures.inner (${at('target-hit')})`,
      `at Failures.hit (${at('call-inner')})`,
      `at Failures.callNothing (${at('nothing')})`,
    ))

  test('of a contract that is not known', () =>
    expectTrace(
      call('strange', [addressOf('Ignored')]),
      'execution reverted: of a stranger',
      `at <UnrecognizedContract>.<unknown> (${addressOf('Ignored')})`,
      `at Failures.strange (${at('strange')})`,
    ))

  test('through a contract that is not known', () =>
    expectTrace(
      call('through', [addressOf('Ignored')]),
      'execution reverted: too small',
      `at Target.hit (${at('hit')})`,
      `at <UnrecognizedContract>.<unknown> (${addressOf('Ignored')})`,
      `at Failures.through (${at('through')})`,
    ))

  test('with more value than there is', () =>
    expectTrace(
      call('pay', [NOBODY]),
      'execution reverted: function call failed to execute',
      `at Failures.pay (${at('pay')})`,
    ))

  test('for a creation with more value than there is', () =>
    expectTrace(
      call('create', [5n]),
      'execution reverted: function call failed to execute',
      `at Failures.create (${at('create')})`,
    ))

  test('that run out of their gas', () =>
    expectTrace(
      call('burn'),
      'execution reverted: contract call run out of gas and made the transaction revert',
      expect.stringMatching(/^at (Target\.loop|Failures\.burn) \(contracts\/Failures\.sol:\d+\)$/) as never,
      `at Failures.burn (${at('burn')})`,
    ))

  test('of a precompile with bad input', { tags: 'gate' }, async () => {
    // ecAdd (EIP-196) of a point that is not on the curve.
    const { lines } = await failureOf({ to: `0x${'00'.repeat(19)}06`, data: `0x${'01'.repeat(64)}` })
    expect(lines).toEqual(['at <PrecompileContract 6>.<precompile> (unknown)'])
  })
})

describe('creations', () => {
  function creation(name: string, args: readonly unknown[]): Sent {
    return { data: encodeDeployData({ ...artifact(name), args: [...args] } as never) }
  }

  test('that revert in the constructor of a base', () =>
    expectTrace(
      creation('Derived', [2]),
      // Without a line of the constructor that runs it: the compiler does not jump there.
      'execution reverted: small base',
      `at Derived.constructor (${at('base')})`,
    ))

  test('with value for a constructor that is not payable', () =>
    expectTrace(
      { ...creation('Derived', [9]), value: '0x3' },
      'execution reverted: non-payable function was called with value 3',
      `at Derived.constructor (${at('constructor')})`,
    ))

  test('without arguments', () =>
    expectTrace(
      { data: artifact('Derived').bytecode },
      'execution reverted: function was called with incorrect parameters',
      `at Derived.constructor (${at('constructor')})`,
    ))

  test('of a code that is too large', async () => {
    const { lines, message } = await failureOf(creation('Large', []))
    expect(message).toBe('max code size exceeded')
    expect(lines).toEqual([`at Large.constructor (${at('large')})`])
  })

  test('by a contract that is not known', () =>
    expectTrace(
      creation('IgnoredAtBirth', [addressOf('Target')]),
      'execution reverted: too small',
      `at Target.hit (${at('hit')})`,
      'at <UnrecognizedContract>.constructor (unknown)',
    ))
})

describe('requests', () => {
  test('an estimate has the trace of a call', async () => {
    const { message, lines } = await failureOf({ ...call('callNothing', [NOBODY]) }, 'eth_estimateGas')
    expect(message).toBe('execution reverted: function call to a non-contract account')
    expect(lines).toEqual([`at Failures.callNothing (${at('nothing')})`])
  })

  test('a transaction that fails before it is sent, by the estimate of its gas', async () => {
    const error = await chain
      .request({ method: 'eth_sendTransaction', params: [{ from: ALICE, ...call('callNothing', [NOBODY]) }] })
      .catch((thrown) => thrown)
    expect(error.message).toBe('execution reverted: function call to a non-contract account')
    expect(error.stack).toContain(`\n    at Failures.callNothing (${at('nothing')})\n`)
  })

  test('without contracts, nothing is added', async () => {
    const bare = await createEmulator({ production: 'auto' })
    const to = await deployIn(bare, 'Failures')
    const error = await bare
      .request({ method: 'eth_call', params: [{ from: ALICE, to, data: '0x12345678' }] })
      .catch((thrown) => thrown)
    expect(error.message).toBe('execution reverted')
    expect(error.stack).not.toContain('Failures.sol')
  })

  test('over JSON-RPC the message says it too', async () => {
    const params = [{ from: ALICE, to: addressOf('Failures'), data: '0x12345678' }]
    expect(await chain.handle({ jsonrpc: '2.0', id: 1, method: 'eth_call', params })).toMatchObject({
      error: {
        code: 3,
        message: "execution reverted: function selector was not recognized and there's no fallback function",
        data: '0x',
      },
    })
  })
})

describe('client libraries still know a revert', () => {
  test('viem', async () => {
    const client = createPublicClient(emulatorConfig(chain))
    const error = await client
      .call({ to: addressOf('Failures'), data: '0x12345678' })
      .catch((thrown: BaseError) => thrown)
    const known = (error as BaseError).walk((cause) => cause instanceof ExecutionRevertedError)
    expect(known).toBeInstanceOf(ExecutionRevertedError)
    expect((known as ExecutionRevertedError).shortMessage).toBe(
      "Execution reverted with reason: function selector was not recognized and there's no fallback function.",
    )
  })

  test('ethers', async () => {
    const provider = new EmulatorProvider(chain)
    const asked = provider.call({ to: addressOf('Failures'), data: '0x12345678' })
    await expect(asked).rejects.toMatchObject({ code: 'CALL_EXCEPTION', action: 'call', data: '0x' })
    provider.destroy()
  })
})

describe('flavors', () => {
  async function thrown(flavor: 'hardhat' | 'ganache', data: (to: Hex) => object): Promise<TickchainError> {
    const other = await createEmulator({ flavor, production: 'auto', throwOnTransactionFailures: true })
    await other.addContracts(known())
    const to = await deployIn(other, 'Failures')
    return other
      .request({ method: 'eth_sendTransaction', params: [{ from: ALICE, gas: GAS, to, ...data(to) }] })
      .catch((error) => error)
  }

  test("a transaction that is thrown in Hardhat's words, with its hash", async () => {
    const error = await thrown('hardhat', () => ({ data: '0x12345678' }))
    expect(error.message).toBe(
      "Transaction reverted: function selector was not recognized and there's no fallback function",
    )
    expect(error.stack?.split('\n').slice(0, 2)).toEqual([
      `SolidityError: ${error.message}`,
      `    at Failures.<unrecognized-selector> (${at('contract')})`,
    ])
    expect(error.transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    expect(error.data).toBe('0x')
  })

  test("Hardhat's words of a custom error: texts, addresses and bytes in quotes", async () => {
    const error = await thrown('hardhat', () => ({ data: call('reject').data }))
    expect(error.message).toMatch(
      /^VM Exception while processing transaction: reverted with custom error 'Rejected\(7, "no", "0x[0-9a-fA-F]{40}"\)'$/,
    )
  })

  test("ganache's words", async () => {
    const error = await thrown('ganache', () => ({ data: call('hit', [9]).data, value: '0x1' }))
    expect(error.message).toBe(
      'VM Exception while processing transaction: revert non-payable function was called with value 1',
    )
  })
})
