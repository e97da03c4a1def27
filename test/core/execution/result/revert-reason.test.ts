import { AbiCoder, Interface } from 'ethers'
import fc from 'fast-check'
import { concat, decodeErrorResult, encodeErrorResult, type Hex, pad, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { revertReason } from '../../../../src/core/execution/result/revert-reason.ts'
import { hexToBytes } from '../../../../src/core/primitives/hex.ts'

const abi = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'reason', type: 'uint256' }] },
] as const

const ERROR_SELECTOR: Hex = '0x08c379a0'
const PANIC_SELECTOR: Hex = '0x4e487b71'
const seed = 20261124
/** Any text, with emoji, but without lone surrogates, which UTF-8 cannot encode. */
const text = fc.string({ unit: 'binary', maxLength: 200 }).filter((value) => !/\p{Surrogate}/u.test(value))

function reasonOf(data: Hex): string | undefined {
  return revertReason(hexToBytes(data))
}

const word = (value: number | bigint): Hex => toHex(value, { size: 32 })

describe('Error(string)', () => {
  test('has the text that viem and ethers decode', { tags: 'gate' }, () => {
    fc.assert(
      fc.property(text, (message) => {
        const data = encodeErrorResult({ abi, errorName: 'Error', args: [message] })
        expect(decodeErrorResult({ abi, data }).args).toEqual([message])
        expect(new Interface(['error Error(string)']).parseError(data)?.args[0]).toBe(message)
        expect(reasonOf(data)).toBe(message)
      }),
      { seed },
    )
  })

  test('may have its data anywhere behind its offset', () => {
    const data = concat([
      ERROR_SELECTOR,
      word(0x60),
      word(1),
      word(2),
      word(3),
      pad('0x616263', { dir: 'right' }),
    ])
    expect(AbiCoder.defaultAbiCoder().decode(['string'], `0x${data.slice(10)}`)[0]).toBe('abc')
    expect(reasonOf(data)).toBe('abc')
  })

  test('may be empty, or end without its padding', () => {
    expect(reasonOf(concat([ERROR_SELECTOR, word(0x20), word(0)]))).toBe('')
    expect(reasonOf(concat([ERROR_SELECTOR, word(0x20), word(3), '0x616263']))).toBe('abc')
  })

  test.each<[string, Hex]>([
    ['nothing behind the selector', ERROR_SELECTOR],
    ['an offset alone', concat([ERROR_SELECTOR, word(0x20)])],
    ['an offset beyond the data', concat([ERROR_SELECTOR, word(0x40), word(1)])],
    ['an offset of 256 bits', concat([ERROR_SELECTOR, word(2n ** 256n - 1n), word(1)])],
    ['a length beyond the data', concat([ERROR_SELECTOR, word(0x20), word(4), '0x616263'])],
    ['a length of 256 bits', concat([ERROR_SELECTOR, word(0x20), word(2n ** 256n - 1n), '0x616263'])],
    ['a selector cut short', '0x08c379'],
    ['no data', '0x'],
    ['an error of another name', '0x12345678'],
  ])('with %s says nothing', (_, data) => {
    expect(reasonOf(data)).toBeUndefined()
  })

  test('that is not UTF-8 is shown byte by byte, however long', { tags: 'gate' }, () => {
    expect(reasonOf(concat([ERROR_SELECTOR, word(0x20), word(2), '0xff61']))).toBe('ÿa')
    const length = 1_000_000
    const long = concat([ERROR_SELECTOR, word(0x20), word(length), toHex(new Uint8Array(length).fill(0xff))])
    expect(reasonOf(long)).toBe('ÿ'.repeat(length))
  })
})

describe('Panic(uint256)', () => {
  // Solidity's documentation, "Panic via assert and Error via require"; words of go-ethereum, accounts/abi/abi.go.
  test.each([
    [0x00, 'generic panic'],
    [0x01, 'assert(false)'],
    [0x11, 'arithmetic underflow or overflow'],
    [0x12, 'division or modulo by zero'],
    [0x21, 'enum overflow'],
    [0x22, 'invalid encoded storage byte array accessed'],
    [0x31, 'out-of-bounds array access; popping on an empty array'],
    [0x32, 'out-of-bounds access of an array or bytesN'],
    [0x41, 'out of memory'],
    [0x51, 'uninitialized function'],
  ])('%d means %s', (code, meaning) => {
    expect(reasonOf(encodeErrorResult({ abi, errorName: 'Panic', args: [BigInt(code)] }))).toBe(meaning)
  })

  test('of a code that is not defined is named by it', () => {
    expect(reasonOf(concat([PANIC_SELECTOR, word(0x99)]))).toBe('unknown panic code: 0x99')
  })

  test('that is truncated has no reason', () => {
    expect(reasonOf(concat([PANIC_SELECTOR, '0x11']))).toBeUndefined()
  })
})
