// Client identity and status. Without a network many of the answers are constants.

import { keccak256Hex } from '../../primitives/crypto.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { data } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { CLIENT_VERSIONS } from '../node-info.ts'

export const eth_chainId = defineRead({
  summary: 'The chain id.',
  hardhat: { params: [] },
  result: 'quantity',
  handle: ({ state }) => toQuantity(state.settings.chainId),
})

export const net_version = defineRead({
  summary: 'The network id in decimal: the option `networkId`, or the chain id.',
  hardhat: { params: [] },
  result: 'decimal string',
  handle: ({ options, state }) => String(options.networkId ?? state.settings.chainId),
})

export { net_version as eth_networkId }

export const web3_clientVersion = defineRead({
  summary: 'The client version: the name of the flavor, and the name and version of this library.',
  hardhat: { params: [] },
  result: 'string',
  handle: ({ options }) => CLIENT_VERSIONS[options.flavor],
})

export const web3_sha3 = defineRead({
  summary: 'keccak-256 of the given bytes.',
  params: [required('data', data)],
  beforeFork: 'handler',
  hardhat: { params: ['variableBytes'] },
  result: 'hash',
  example: { params: ['0x68656c6c6f'] },
  handle: (_, bytes) => keccak256Hex(bytes),
})

export const eth_syncing = defineRead({
  summary: 'Whether the node is behind its peers: never, because it has none.',
  hardhat: { params: [] },
  result: 'false',
  handle: (): false => false,
})

export const eth_coinbase = defineRead({
  summary: 'The recipient of the tips of new blocks.',
  hardhat: { params: [] },
  result: 'address',
  handle: ({ state }) => state.settings.coinbase,
})

export const eth_mining = defineRead({
  summary:
    'Whether blocks are sealed without a command: when they fall due, or for each transaction. In hardhat false.',
  result: 'boolean',
  handle: ({ options, state }) =>
    options.flavor !== 'hardhat' && (state.settings.automines || state.settings.sealsOnTime),
})

export const eth_hashrate = defineRead({
  summary: 'Hashes per second of the miner: zero, because there is no proof of work.',
  hardhat: 'absent',
  result: '"0x0"',
  handle: () => toQuantity(0),
})

/** eth/69 (EIP-7642), the latest version whose block and receipt formats apply here. */
const PROTOCOL_VERSION = 69

export const eth_protocolVersion = defineRead({
  summary: 'The version of the Ethereum wire protocol: 69 (EIP-7642).',
  hardhat: 'absent',
  result: 'quantity',
  handle: () => toQuantity(PROTOCOL_VERSION),
})

export const net_listening = defineRead({
  summary: 'Whether the node listens for connections: always true. Clients use it as a health check.',
  result: 'true',
  handle: (): true => true,
})

export const net_peerCount = defineRead({
  summary: 'How many peers the node has: none.',
  result: '"0x0"',
  handle: () => toQuantity(0),
})
