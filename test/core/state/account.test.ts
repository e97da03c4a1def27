import { keccak256 } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../src/core/primitives/hex.ts'
import { codeHashHex, EMPTY_ACCOUNT, EMPTY_CODE, makeCode } from '../../../src/core/state/world-state.ts'

beforeAll(loadCrypto)

test('code is kept with its keccak-256', () => {
  const code = makeCode(Uint8Array.of(0x60, 0x00))
  expect(bytesToHex(code.bytes)).toBe('0x6000')
  expect(bytesToHex(code.hash)).toBe(keccak256('0x6000'))
})

test('no code has the hash of no bytes, and is always the same', () => {
  expect(makeCode(Uint8Array.of())).toBe(EMPTY_CODE)
  expect(bytesToHex(EMPTY_CODE.hash)).toBe(keccak256('0x'))
  expect(codeHashHex(EMPTY_ACCOUNT)).toBe(keccak256('0x'))
})
