import { beforeAll, expect, test } from 'vitest'
import {
  create2Address,
  createAddress,
  loadCrypto,
  toChecksumAddress,
} from '../../../src/core/primitives/crypto.ts'
import { bytesToHex, type Hex, hexToBytes } from '../../../src/core/primitives/hex.ts'

beforeAll(loadCrypto)

// The test cases of EIP-55.
test.each([
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
])('%s', (address) => {
  expect(toChecksumAddress(address.toLowerCase() as Hex)).toBe(address)
})

test('the nonce of the creator gives the address of CREATE', () => {
  // The first contracts of an account of mainnet, as every client has them.
  const creator = hexToBytes('0x6ac7ea33f8831ea9dcc53393aaa88b25a785dbf0')
  expect(bytesToHex(createAddress(creator, 0n))).toBe('0xcd234a471b72ba2f1ccf0a70fcaba648a5eecd8d')
  expect(bytesToHex(createAddress(creator, 1n))).toBe('0x343c43a37d37dff08ae8c4a11544c718abb4fcf8')
})

// Examples 1, 3 and 7 of EIP-1014.
test.each([
  [`0x${'00'.repeat(20)}`, `0x${'00'.repeat(32)}`, '0x00', '0x4d1a2e2bb4f88f0250f26ffff098b0b30b26bf38'],
  [
    '0xdeadbeef00000000000000000000000000000000',
    '0x000000000000000000000000feed000000000000000000000000000000000000',
    '0x00',
    '0xd04116cdd17bebe565eb2422f2497e06cc1c9833',
  ],
  [`0x${'00'.repeat(20)}`, `0x${'00'.repeat(32)}`, '0x', '0xe33c0c7f7df4809055c3eba6c09cfe4baf1bd9e0'],
])('%s creates with salt %s and init code %s at %s', (creator, salt, initCode, address) => {
  const created = create2Address(hexToBytes(creator), hexToBytes(salt), hexToBytes(initCode))
  expect(bytesToHex(created)).toBe(address)
})
