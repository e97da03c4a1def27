// What an emulator says about itself and its chain.

import { requireBlock } from '../node/lookup.ts'
import type { Node } from '../node/node.ts'
import { suggestedTip } from '../node/production/submit.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, toWord } from '../primitives/hex.ts'
import type { Flavor } from './flavor/flavor.ts'
import type { ReadContext } from './read-context.ts'

/** The version of the package; a test compares it with package.json. */
export const VERSION = '0.1.0'

/** What an emulator is, and how its chain stands: `anvil_nodeInfo` and `hardhat_metadata` in one. */
export interface NodeInfo {
  /** As `web3_clientVersion` has it, by the flavor. */
  readonly clientVersion: string
  /** Names this run of the chain: the same for the same options, and another after a reset. */
  readonly instanceId: Hash
  readonly chainId: number
  /** The latest sealed block. */
  readonly blockNumber: number
  readonly blockHash: Hash
  /** Seconds since the Unix epoch. */
  readonly blockTimestamp: number
  /** The rules of that block. */
  readonly hardfork: string
  readonly ordering: string
  /** Of the next block, in wei per gas. */
  readonly baseFeePerGas: bigint
  readonly gasLimit: bigint
  /** What `eth_gasPrice` suggests, in wei per gas. */
  readonly gasPrice: bigint
}

/** Tools tell by the beginning which methods there are: hardhat-network-helpers wants `hardhat` or `anvil`. */
export const CLIENT_VERSIONS: Readonly<Record<Flavor, string>> = {
  anvil: `anvil/tickchain/v${VERSION}`,
  hardhat: `HardhatNetwork/tickchain/v${VERSION}`,
  ganache: `Ganache/tickchain/v${VERSION}/EthereumJS TestRPC/v${VERSION}/ethereum-js`,
}

/** How the chain stands, and who says so. */
export function describeChain({ config, state, options }: ReadContext): Omit<NodeInfo, 'instanceId'> {
  const { header, hash, rules } = state.chain.head
  const { baseFeePerGas } = requireBlock(config, state, 'pending').environment
  return {
    clientVersion: CLIENT_VERSIONS[options.flavor],
    chainId: state.settings.chainId,
    blockNumber: header.number,
    blockHash: hash,
    blockTimestamp: header.timestamp,
    hardfork: rules.hardfork,
    ordering: state.settings.ordering,
    baseFeePerGas,
    gasLimit: state.settings.blockGasLimit,
    gasPrice: baseFeePerGas + suggestedTip(config, state),
  }
}

/** Names this run. */
export function instanceIdOf(node: Node): Hash {
  const { chain, prevRandaoSource } = node.initial
  const seed = [chain.head.hash, prevRandaoSource.prevRandao, toWord(node.resetCount)]
  return keccak256Hex(concatBytes(...seed.map(hexToBytes)))
}
