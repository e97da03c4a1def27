// Decoded console.log calls. Selectors and texts are from Hardhat: its signature table (logger.ts) and its fixture
// project console-log.

import fc from 'fast-check'
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  toFunctionSelector,
  toHex,
} from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { readConsoleCall } from '../../../../src/core/execution/result/console-log.ts'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'

const from: Hex = `0x${'c0'.repeat(20)}`
const someone: Hex = `0x${'ab'.repeat(20)}`
const seed = 20261121

beforeAll(loadCrypto)

function read(input: Hex): { readonly message: string; readonly args: readonly unknown[] } {
  return readConsoleCall({ from, input: hexToBytes(input) })
}

function call(types: readonly string[], args: readonly unknown[], names: readonly string[] = types): Hex {
  const selector = toFunctionSelector(`log(${names.join(',')})`)
  return concat([selector, encodeAbiParameters(types.map((type) => ({ type })) as never, args as never)])
}

/** As Solidity chooses the overload: numbers are uint256. */
function log(...args: (string | bigint)[]): string {
  const types = args.map((arg) => (typeof arg === 'string' ? 'string' : 'uint256'))
  return read(call(types, args)).message
}

describe('selectors', () => {
  test.each([
    [1368866505, []],
    [760966329, ['int256']],
    [1309416733, ['int256']],
    [4163653873, ['uint256']],
    [4122065833, ['uint256']],
    [1093685164, ['string']],
    [843419373, ['bool']],
    [741264322, ['address']],
    [199720790, ['bytes']],
    [1847107880, ['bytes1']],
    [20780939, ['bytes10']],
    [666357637, ['bytes32']],
    [4133908826, ['uint256', 'uint256']],
    [1812949376, ['uint256', 'uint256']],
    [262402885, ['uint256', 'string']],
    [1491830284, ['uint256', 'address']],
    [910912146, ['bool', 'uint256']],
    [3522001468, ['uint256', 'uint256', 'uint256']],
    [130552343, ['string', 'address', 'uint256']],
    [25986242, ['address', 'address', 'address']],
    [612938772, ['uint256', 'address', 'address', 'address']],
    [1430734329, ['uint256', 'address', 'address', 'address']],
    [3333212072, ['uint256', 'bool', 'uint256', 'uint256']],
  ])('%d is that of %j', (selector, types) => {
    const samples: Record<string, unknown> = {
      bool: true,
      address: someone,
      string: 'text',
      bytes: '0xc0ffee',
    }
    const argOf = (type: string): unknown => {
      if (type.startsWith('bytes') && type !== 'bytes') return `0x${'12'.repeat(Number(type.slice(5)))}`
      return samples[type] ?? 7n
    }
    const args = types.map(argOf)
    const data = encodeAbiParameters(types.map((type) => ({ type })) as never, args as never)
    expect(read(concat([toHex(selector, { size: 4 }), data])).args).toEqual(args)
  })

  test('every combination of up to four is known, hashed with uint256 and with uint', {
    tags: 'gate',
  }, () => {
    const kind = fc.constantFrom(
      { type: 'uint256', value: 2n ** 256n - 1n },
      { type: 'string', value: 'té%xt' },
      { type: 'bool', value: false },
      { type: 'address', value: someone },
    )
    fc.assert(
      fc.property(fc.array(kind, { maxLength: 4 }), fc.constantFrom('uint', 'uint256'), (kinds, name) => {
        const types = kinds.map(({ type }) => type)
        const args = kinds.map(({ value }) => value)
        const names = types.map((type) => (type === 'uint256' ? name : type))
        expect(read(call(types, args, names))).toMatchObject({ args, message: args.join(' ') })
      }),
      { seed, numRuns: 1000 },
    )
  })

  test("Foundry's console.sol has a text with a signed number", () => {
    expect(read(call(['string', 'int256'], ['%d degrees', -5n]))).toMatchObject({
      message: '-5 degrees',
      args: ['%d degrees', -5n],
    })
  })
})

describe('the text', () => {
  const big = 123456789123456789123456789n
  const [n1, n2, n3] = [
    11111111111111111111111111111111n,
    22222222222222222222222222222222n,
    33333333333333333333333333333333n,
  ]

  // hardhat-tests, console-log.ts.
  test.each([
    ['123456789123456789123456789', ['%d', big]],
    ['123456789123456789123456789', ['%i', big]],
    [`${n1}${n2}${n3}`, ['%d%i%s', n1, n2, n3]],
    [`${n1} %i ${n1}`, ['%d', n1, '%i', n1]],
    [`${n1} %d %2 %%d %%${n3} %%%d`, ['%d %%d %%%d %%%%d %%%%%d %%%%%%d', n1, 2n, n3]],
    [`${n1} %i %2 %%i %%${n3} %%%i`, ['%i %%i %%%i %%%%i %%%%%i %%%%%%i', n1, 2n, n3]],
    [`${n1} %s %2 %%s %%${n3} %%%s`, ['%s %%s %%%s %%%%s %%%%%s %%%%%%s', n1, 2n, n3]],
    ['%s', ['%d']],
    ['%%d', ['%%d']],
    ['%s', ['%s']],
    ['%s %s %s %%d', ['%d %i %s %%d']],
    ['1', [1n]],
    ['1', ['1']],
    ['12', [12n]],
    ['13', ['%s', 13n]],
  ] as [string, (string | bigint)[]][])('is %j', (message, args) => {
    expect(log(...args)).toBe(message)
  })

  test('has numbers with their sign, flags, addresses and bytes', () => {
    expect(read(call(['int256'], [-(2n ** 255n)])).message).toBe(`${-(2n ** 255n)}`)
    expect(read(call(['bool', 'bool'], [true, false])).message).toBe('true false')
    expect(read(call(['address'], [someone])).message).toBe(someone)
    expect(read(call(['bytes'], ['0xC0ffee'])).message).toBe('0xc0ffee')
    expect(read(call(['bytes4'], ['0x12345678'])).message).toBe('0x12345678')
  })

  test('of log() is empty', () => {
    expect(read(call([], []))).toMatchObject({ message: '', args: [] })
  })
})

test('an undecodable call is shown as hex', () => {
  const malformed = concat([toFunctionSelector('log(string)'), toHex(2n ** 255n, { size: 32 })])
  for (const input of ['0x', '0x12', '0x12345678', `0x12345678${'00'.repeat(64)}`, malformed] as const) {
    expect(read(input)).toEqual({ message: input, args: [input], from })
  }
  const transfer = encodeFunctionData({
    abi: [
      {
        type: 'function',
        name: 'transfer',
        inputs: [{ type: 'address' }, { type: 'uint256' }],
        outputs: [],
        stateMutability: 'nonpayable',
      },
    ],
    args: [someone, 1n],
  })
  expect(read(transfer).message).toBe(transfer)
})
