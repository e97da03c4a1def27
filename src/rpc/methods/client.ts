// Who answers.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { data } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { VERSION } from '../version.ts'

export const eth_chainId = defineRead({
  summary: 'The chain id.',
  params: [],
  result: 'quantity',
  example: { params: [] },
  handle: ({ config }) => toQuantity(config.rules.chainId),
})

export const net_version = defineRead({
  summary: 'The chain id in decimal.',
  params: [],
  result: 'decimal string',
  example: { params: [] },
  handle: ({ config }) => String(config.rules.chainId),
})

export const web3_clientVersion = defineRead({
  summary: 'The name and version of this library.',
  params: [],
  result: 'string',
  example: { params: [] },
  handle: () => `tickchain/v${VERSION}`,
})

export const web3_sha3 = defineRead({
  summary: 'keccak-256 of the given bytes.',
  params: [required('data', data)],
  result: 'hash',
  example: { params: ['0x68656c6c6f'] },
  handle: (_, bytes) => keccak256Hex(bytes),
})
