// The dispute games' contracts in the layer 1's genesis state.

import { keccak256 } from '../../core/primitives/crypto.ts'
import { type Address, bytesToBigInt, concatBytes } from '../../core/primitives/hex.ts'
import {
  type AccountEntry,
  contract,
  INITIALIZED,
  mappingSlot,
  OWNER_SLOT,
  proxy,
  type Slot,
} from './contract-accounts.ts'
import { PERMISSIONED_GAME, PERMISSIONLESS_GAME, type RollupOnL1 } from './l1-genesis-options.ts'

/** For all games of the protocol: moves until a single instruction, and until a single output. */
const MAX_GAME_DEPTH = 73n
const SPLIT_DEPTH = 30n

/** For large preimages, which are submitted in parts. */
const MIN_PREIMAGE_BYTES = 126_000n
const PREIMAGE_CHALLENGE_PERIOD_S = 86_400n

/** The first slot of the oracle's hashes of empty trees, and their number. */
const ZERO_HASHES = 3n
const PREIMAGE_TREE_DEPTH = 16

/** Roots of empty trees of each depth; that of depth 0 is zero. */
function zeroHashes(): Slot[] {
  const hashes: Uint8Array[] = [new Uint8Array(32)]
  for (let depth = 1; depth < PREIMAGE_TREE_DEPTH; depth++) {
    const below = hashes[depth - 1] as Uint8Array
    hashes.push(keccak256(concatBytes(below, below)))
  }
  return hashes.map((hash, depth) => [ZERO_HASHES + BigInt(depth), bytesToBigInt(hash)])
}

function factoryAccounts({ addresses, owner, initialBond }: RollupOnL1): AccountEntry[] {
  const { disputeGameFactoryImplementation: implementation, proxyAdmin } = addresses
  const IMPLEMENTATIONS = 101n
  const BONDS = 102n
  return [
    contract(implementation, 'DisputeGameFactory', [INITIALIZED]),
    proxy(addresses.disputeGameFactory, proxyAdmin, implementation, [
      [OWNER_SLOT, owner],
      [mappingSlot(PERMISSIONLESS_GAME, IMPLEMENTATIONS), addresses.faultDisputeGame],
      [mappingSlot(PERMISSIONED_GAME, IMPLEMENTATIONS), addresses.permissionedDisputeGame],
      [mappingSlot(PERMISSIONLESS_GAME, BONDS), initialBond],
      [mappingSlot(PERMISSIONED_GAME, BONDS), initialBond],
    ]),
  ]
}

function anchorAccounts({ addresses, anchor: { outputRoot, blockNumber } }: RollupOnL1): AccountEntry[] {
  const { anchorStateRegistryImplementation: implementation, proxyAdmin } = addresses
  const anchors = [PERMISSIONLESS_GAME, PERMISSIONED_GAME].flatMap((gameType): Slot[] => {
    const slot = mappingSlot(gameType, 1n)
    return [
      [slot, outputRoot],
      [slot + 1n, blockNumber],
    ]
  })
  const immutables = { DISPUTE_GAME_FACTORY: addresses.disputeGameFactory }
  return [
    contract(implementation, 'AnchorStateRegistry', [INITIALIZED], immutables),
    proxy(addresses.anchorStateRegistry, proxyAdmin, implementation, anchors),
  ]
}

function bondAccounts(
  superchainConfig: Address,
  { addresses, owner, bondDelayS }: RollupOnL1,
): AccountEntry[] {
  const { delayedWETHImplementation: implementation, proxyAdmin } = addresses
  return [
    contract(implementation, 'DelayedWETH', [INITIALIZED], { DELAY_SECONDS: BigInt(bondDelayS) }),
    proxy(addresses.delayedWETH, proxyAdmin, implementation, [
      [OWNER_SLOT, owner],
      [104n, superchainConfig],
    ]),
  ]
}

/** The games themselves: the factory clones one for each output that is proposed. */
function implementationAccounts(rollup: RollupOnL1): AccountEntry[] {
  const { addresses, chainId, proposer, challenger, absolutePrestate } = rollup
  const immutables = {
    ABSOLUTE_PRESTATE: absolutePrestate,
    MAX_GAME_DEPTH,
    SPLIT_DEPTH,
    CLOCK_EXTENSION: BigInt(rollup.clockExtensionS),
    MAX_CLOCK_DURATION: BigInt(rollup.maxClockDurationS),
    VM: addresses.mips,
    WETH: addresses.delayedWETH,
    ANCHOR_STATE_REGISTRY: addresses.anchorStateRegistry,
    L2_CHAIN_ID: BigInt(chainId),
  }
  const permissionless = { ...immutables, GAME_TYPE: BigInt(PERMISSIONLESS_GAME) }
  const permissioned = { ...immutables, GAME_TYPE: BigInt(PERMISSIONED_GAME) }
  return [
    contract(addresses.faultDisputeGame, 'FaultDisputeGame', [], permissionless),
    contract(addresses.permissionedDisputeGame, 'PermissionedDisputeGame', [], {
      ...permissioned,
      PROPOSER: proposer,
      CHALLENGER: challenger,
    }),
  ]
}

/** The machine that plays the last move of a disputed game, and the oracle of its inputs. */
function machineAccounts({ addresses: { mips, preimageOracle } }: RollupOnL1): AccountEntry[] {
  return [
    contract(mips, 'MIPS', [], { ORACLE: preimageOracle }),
    contract(preimageOracle, 'PreimageOracle', zeroHashes(), {
      CHALLENGE_PERIOD: PREIMAGE_CHALLENGE_PERIOD_S,
      MIN_LPP_SIZE_BYTES: MIN_PREIMAGE_BYTES,
    }),
  ]
}

export function gameAccounts(superchainConfig: Address, rollup: RollupOnL1): AccountEntry[] {
  return [
    ...factoryAccounts(rollup),
    ...anchorAccounts(rollup),
    ...bondAccounts(superchainConfig, rollup),
    ...implementationAccounts(rollup),
    ...machineAccounts(rollup),
  ]
}
