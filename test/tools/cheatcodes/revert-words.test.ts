// Revert data in words. What is expected here `forge test` of 1.7.1 prints for a test that reverts with the same data.

import { expect, test } from 'vitest'
import { parseAbiParameters } from '../../../src/core/primitives/abi.ts'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { encodeAbi } from '../../../src/core/primitives/encode-abi.ts'
import { EMPTY_BYTES, type Hex, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { revertWords } from '../../../src/tools/cheatcodes/revert-words.ts'
import { abiErrors } from '../../../src/tools/solidity/artifacts/abi.ts'

await loadCrypto()

const TYPES = ['uint256', 'int256', 'string', 'bytes', 'address', 'bool', 'uint256[]']
const INPUTS = TYPES.map((type) => ({ name: '', type }))
const ERRORS = abiErrors([{ type: 'error', name: 'E1', inputs: INPUTS }])
const [E1] = ERRORS.keys()
const DECLARED = { errors: ERRORS, structs: [] }
const ADDRESS = '0x7fa9385be102ac3eac297483dd6233d62b3e1496'

function data(types: readonly string[], values: readonly unknown[], selector: Hex = '0x'): Uint8Array {
  const parsed = parseAbiParameters(types.map((type) => ({ name: '', type }))) ?? []
  const start = selector === '0x' ? EMPTY_BYTES : hexToBytes(selector)
  return encodeAbi(
    parsed.map(({ type }) => type),
    values as never,
    start,
  )
}

const panic = (code: bigint) => data(['uint256'], [code], '0x4e487b71')

test.each([
  ['no data', EMPTY_BYTES, 'EvmError: Revert'],
  ['short data', hexToBytes('0xff01'), 'EvmError: Revert'],
  ['short letters', hexToBytes('0x010203'), '\u0001\u0002\u0003'],
  ['an error with a text', data(['string'], ['words'], '0x08c379a0'), 'words'],
  ['the error of a cheatcode', data(['string'], ['vm.load: words'], '0xeeaa9e6f'), 'vm.load: words'],
  ['a text', data(['string'], ['an abi string']), 'an abi string'],
  ['letters', new TextEncoder().encode('plain ascii'), 'plain ascii'],
  ['a skip', new TextEncoder().encode('FOUNDRY::SKIPlater'), 'skipped: later'],
  ['a panic', panic(0x31n), 'panic: called `.pop()` on an empty array (0x31)'],
  ['an unknown panic', panic(0x9999999999n), 'panic: unknown code (0x9999999999)'],
  ['an unknown error', hexToBytes('0xff010203'), 'custom error 0xff010203'],
  ['an unknown error with bytes', hexToBytes('0xff010203ff'), 'custom error 0xff010203: ff'],
  [
    'an error without its text',
    data(['uint256'], [1n], '0xffc379a0'),
    `custom error 0xffc379a0: ${'\0'.repeat(31)}\u0001`,
  ],
  [
    'a known error',
    data(TYPES, [123456789n, -50000n, 'q"uo\nte', '0x1234', ADDRESS, true, [10000n, 9999n]], E1),
    'E1(123456789 [1.234e8], -50000 [-5e4], "q\\"uo\\nte", 0x1234, 0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496, true, [10000 [1e4], 9999])',
  ],
])('%s', (_, revertData, words) => {
  expect(revertWords(revertData, DECLARED)).toBe(words)
})

test('failures without data have the names of revm', () => {
  expect(revertWords(EMPTY_BYTES, DECLARED, 'out of gas')).toBe('EvmError: OutOfGas')
  expect(revertWords(EMPTY_BYTES, DECLARED, 'invalid opcode: INVALID')).toBe('EvmError: InvalidFEOpcode')
})
