// Accounts of contracts in the layer 1's genesis state: code with immutables, and storage as the Solidity compiler lays it
// out; and those of the dispute games.

import { keccak256, keccak256Hex, keccakOfText } from '../../core/primitives/crypto.ts'
import * as hex from '../../core/primitives/hex.ts'
import { unpackContracts, withImmutables } from '../../core/rollup/op/contract-code.ts'
import { shortText } from '../../core/rollup/op/solidity-words.ts'
import * as world from '../../core/state/world-state.ts'
import { CODE, CONTRACTS } from './generated-l1.ts'
import { PERMISSIONED_GAME, PERMISSIONLESS_GAME, type RollupOnL1 } from './l1-genesis-options.ts'

type Content = bigint | number | hex.Hex

export type Slot = readonly [slot: bigint, content: Content]

/** Storage with these slots; zeros are absent. */
function storageOf(slots: readonly Slot[]): world.Storage {
  let storage = world.EMPTY_STORAGE
  for (const [slot, content] of slots) {
    const value = BigInt(content)
    if (value !== 0n) storage = storage.set(hex.toWord(slot), hex.bigIntToBytes(value))
  }
  return storage
}

/** A slot that several variables share: each with its first byte, counted from the low end. */
export function packed(...variables: readonly (readonly [byte: number, value: Content])[]): bigint {
  return variables.reduce((slot, [byte, value]) => slot | (BigInt(value) << BigInt(8 * byte)), 0n)
}

export function mappingSlot(key: Content, mapping: bigint): bigint {
  const preimage = hex.concatBytes(
    hex.hexToBytes(hex.toWord(BigInt(key))),
    hex.hexToBytes(hex.toWord(mapping)),
  )
  return BigInt(keccak256Hex(preimage))
}

/** A slot at the hash of a name. */
export function namedSlot(name: string): bigint {
  return BigInt(keccakOfText(name))
}

/** A slot before the hash of a name (ERC-1967). */
export function slotBefore(name: string): bigint {
  return namedSlot(name) - 1n
}

/** The content of an ASCII string of less than 32 bytes: left-aligned, and twice its length in the last byte. */
export function shortString(text: string): bigint {
  return shortText(text) | BigInt(2 * text.length)
}

export type AccountEntry = [hex.Address, world.Account]

type Contract = keyof typeof CONTRACTS
type Immutables = Readonly<Record<string, hex.Hex | bigint>>

const CODES = unpackContracts(CONTRACTS, CODE)

/** Where proxies keep who upgrades them, and to what (ERC-1967). */
export const ADMIN = 0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103n
export const IMPLEMENTATION = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbcn

/** The flag that OpenZeppelin's Initializable sets. */
export const INITIALIZED: Slot = [0n, 1n]
/** Slot of the owner of OpenZeppelin's OwnableUpgradeable. */
export const OWNER_SLOT = 51n

/** Code without immutables, which accounts share by reference. */
const shared = new Map<Contract, world.Code>()

function codeOf(name: Contract, immutables: Immutables | undefined): world.Code {
  if (immutables !== undefined) return world.makeCode(withImmutables(CODES[name], immutables))
  const code = shared.get(name) ?? world.makeCode(withImmutables(CODES[name], {}))
  shared.set(name, code)
  return code
}

export function contract(
  address: hex.Address,
  name: Contract,
  slots: readonly Slot[],
  immutables?: Immutables,
): AccountEntry {
  const code = codeOf(name, immutables)
  return [address, { nonce: 1n, balance: 0n, code, storage: storageOf(slots) }]
}

/** A proxy with the storage of the initialised contract behind it. */
export function proxy(
  address: hex.Address,
  admin: hex.Address,
  implementation: hex.Address,
  slots: readonly Slot[],
) {
  const proxied: Slot[] = [[ADMIN, admin], [IMPLEMENTATION, implementation], INITIALIZED]
  return contract(address, 'Proxy', [...proxied, ...slots])
}

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
    hashes.push(keccak256(hex.concatBytes(below, below)))
  }
  return hashes.map((hash, depth) => [ZERO_HASHES + BigInt(depth), hex.bytesToBigInt(hash)])
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

function bondAccounts(superchainConfig: hex.Address, { addresses, owner, bondDelayS }: RollupOnL1) {
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

export function gameAccounts(superchainConfig: hex.Address, rollup: RollupOnL1): AccountEntry[] {
  return [
    ...factoryAccounts(rollup),
    ...anchorAccounts(rollup),
    ...bondAccounts(superchainConfig, rollup),
    ...implementationAccounts(rollup),
    ...machineAccounts(rollup),
  ]
}
