// Self-description of an emulator: version, instance id, head, rules and fees.

import { type NodeRecords, requireBlock } from '../node/lookup.ts'
import { type NodeState, nextGasLimit } from '../node/node-state.ts'
import { suggestedTip } from '../node/production/submit.ts'
import { keccak256Hex } from '../primitives/crypto.ts'
import { concatBytes, type Hash, hexToBytes, toWord } from '../primitives/hex.ts'
import type { Flavor } from './flavor/flavor.ts'
import type { ReadContext } from './session.ts'

/** The version of the package; a test compares it with package.json. */
export const VERSION = '0.1.0'

/** The contents of `anvil_nodeInfo` and `hardhat_metadata`. */
export interface NodeInfo {
  /** The answer of `web3_clientVersion`, which depends on the flavor. */
  readonly clientVersion: string
  /** Identifies this run of the chain: equal for equal options, different after a reset. */
  readonly instanceId: Hash
  readonly chainId: number
  /** The latest sealed block. */
  readonly blockNumber: number
  readonly blockHash: Hash
  /** Seconds since the Unix epoch. */
  readonly blockTimestamp: number
  /** The fork of that block. */
  readonly hardfork: string
  readonly ordering: string
  /** The next block's, in wei per gas. */
  readonly baseFeePerGas: bigint
  readonly gasLimit: bigint
  /** The answer of `eth_gasPrice`, in wei per gas. */
  readonly gasPrice: bigint
}

/**
 * Tools decide by the prefix which methods to call: hardhat-network-helpers expects `hardhat` or `anvil`. Hardhat's own
 * ends with the name and version of EDR.
 */
export const CLIENT_VERSIONS: Readonly<Record<Flavor, string>> = {
  anvil: `anvil/tickchain/v${VERSION}`,
  hardhat: `HardhatNetwork/tickchain/v${VERSION}/@nomicfoundation/edr`,
  ganache: `Ganache/tickchain/v${VERSION}/EthereumJS TestRPC/v${VERSION}/ethereum-js`,
}

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
    gasLimit: nextGasLimit(state),
    gasPrice: baseFeePerGas + suggestedTip(config, state),
  }
}

/** The id of a run of the chain, from its start and the number of resets. */
export function instanceIdOf({ chain, prevRandaoSource }: NodeState, { resetCount }: NodeRecords): Hash {
  const seed = [chain.head.hash, prevRandaoSource.prevRandao, toWord(resetCount)]
  return keccak256Hex(concatBytes(...seed.map(hexToBytes)))
}
