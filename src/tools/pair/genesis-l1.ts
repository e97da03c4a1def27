// The layer 1's contracts in a genesis state, set up as their deployment and their initializers leave them: the storage
// is written slot by slot, and code has its immutables. Loaded with the first pair, because the code is large.

import type { Address } from '../../core/primitives/hex.ts'
import { OP_PREDEPLOYS } from '../../core/rollup/op/predeploys.ts'
import { keccakOfText } from '../../core/rollup/op/solidity-words.ts'
import type { SystemConfig } from '../../core/rollup/stack.ts'
import {
  type AccountEntry,
  ADMIN,
  contract,
  gameAccounts,
  IMPLEMENTATION,
  INITIALIZED,
  mappingSlot,
  namedSlot,
  OWNER_SLOT,
  packed,
  proxy,
  type Slot,
  shortString,
  slotBefore,
} from './contract-accounts.ts'
import type { RollupAddresses } from './l1-addresses.ts'
import type { L1GenesisOptions, RollupOnL1 } from './l1-genesis-options.ts'

/** Stands for no sender and no owner in the protocol's contracts. */
const DEAD = 0xdeadn

const GWEI = 1_000_000_000n

/** The implementation behind the messenger's proxy is found by this name. */
const MESSENGER_NAME = 'OVM_L1CrossDomainMessenger'

function superchainAccounts({
  superchain: { addresses, owner, guardian },
}: L1GenesisOptions): AccountEntry[] {
  const { proxyAdmin, superchainConfigImplementation, protocolVersionsImplementation } = addresses
  return [
    contract(proxyAdmin, 'ProxyAdmin', [[0n, owner]]),
    contract(superchainConfigImplementation, 'SuperchainConfig', [INITIALIZED]),
    proxy(addresses.superchainConfig, proxyAdmin, superchainConfigImplementation, [
      [slotBefore('superchainConfig.guardian'), guardian],
    ]),
    contract(protocolVersionsImplementation, 'ProtocolVersions', [INITIALIZED, [OWNER_SLOT, DEAD]]),
    proxy(addresses.protocolVersions, proxyAdmin, protocolVersionsImplementation, [[OWNER_SLOT, owner]]),
  ]
}

/** ProxyAdmin and AddressManager: who may upgrade what. */
function adminAccounts({ addresses, owner }: RollupOnL1): AccountEntry[] {
  const { proxyAdmin, addressManager, l1StandardBridge, l1CrossDomainMessenger: messenger } = addresses
  const CHUG_SPLASH = 1n
  const RESOLVED = 2n
  return [
    contract(proxyAdmin, 'ProxyAdmin', [
      [0n, owner],
      [mappingSlot(l1StandardBridge, 1n), CHUG_SPLASH],
      [mappingSlot(messenger, 1n), RESOLVED],
      [mappingSlot(messenger, 2n), shortString(MESSENGER_NAME)],
      [3n, addressManager],
    ]),
    contract(addressManager, 'AddressManager', [
      [0n, proxyAdmin],
      [mappingSlot(keccakOfText(MESSENGER_NAME), 1n), addresses.l1CrossDomainMessengerImplementation],
    ]),
  ]
}

function packMarket(market: RollupOnL1['depositMarket']): bigint {
  return packed(
    [0, market.maxResourceLimit],
    [4, market.elasticityMultiplier],
    [5, market.baseFeeMaxChangeDenominator],
    [6, market.minimumBaseFee],
    [10, market.systemTxMaxGas],
    [14, market.maximumBaseFee],
  )
}

/** The variable `scalar`: that of the L1 data fee before ecotone, or from it on both scalars and a version. */
function packScalar({ scalar, baseFeeScalar, blobBaseFeeScalar }: SystemConfig): bigint {
  const isBeforeEcotone = baseFeeScalar === 0 && blobBaseFeeScalar === 0 && scalar !== 0n
  return isBeforeEcotone ? scalar : packed([0, baseFeeScalar], [4, blobBaseFeeScalar], [31, 1n])
}

function systemSlots(system: SystemConfig): Slot[] {
  return [
    [101n, system.overhead],
    [102n, packScalar(system)],
    [103n, system.batcherHash],
    [104n, packed([0, system.gasLimit], [8, system.baseFeeScalar], [12, system.blobBaseFeeScalar])],
    [
      106n,
      packed(
        [0, system.eip1559.denominator],
        [4, system.eip1559.elasticity],
        [8, system.operatorFeeScalar],
        [12, system.operatorFeeConstant],
        [20, system.minBaseFee],
        [28, system.daFootprintGasScalar],
      ),
    ],
  ]
}

function systemConfigAccounts(block: L1GenesisOptions['block'], rollup: RollupOnL1): AccountEntry[] {
  const { addresses, owner, system, unsafeBlockSigner, batchInbox, depositMarket } = rollup
  const startBlock = slotBefore('systemconfig.startBlock')
  // What the constructor gives the implementation, so that nobody can use it.
  const unusable: Slot[] = [
    INITIALIZED,
    [OWNER_SLOT, DEAD],
    [102n, packed([31, 1n])],
    [104n, 1n],
    [105n, packed([0, 1n], [4, 1n], [5, 2n])],
    [startBlock, 2n ** 256n - 1n],
  ]
  const { systemConfigImplementation: implementation } = addresses
  return [
    contract(implementation, 'SystemConfig', unusable),
    proxy(addresses.systemConfig, addresses.proxyAdmin, implementation, [
      [OWNER_SLOT, owner],
      ...systemSlots(system),
      [105n, packMarket(depositMarket)],
      [namedSlot('systemconfig.unsafeblocksigner'), unsafeBlockSigner],
      [slotBefore('systemconfig.batchinbox'), batchInbox],
      [slotBefore('systemconfig.l1crossdomainmessenger'), addresses.l1CrossDomainMessenger],
      [slotBefore('systemconfig.l1erc721bridge'), addresses.l1ERC721Bridge],
      [slotBefore('systemconfig.l1standardbridge'), addresses.l1StandardBridge],
      [slotBefore('systemconfig.disputegamefactory'), addresses.disputeGameFactory],
      [slotBefore('systemconfig.optimismportal'), addresses.optimismPortal],
      [slotBefore('systemconfig.optimismmintableerc20factory'), addresses.optimismMintableERC20Factory],
      [startBlock, block.number],
    ]),
  ]
}

function portalAccounts({ block, superchain }: L1GenesisOptions, rollup: RollupOnL1): AccountEntry[] {
  const { addresses, respectedGameType, proofMaturityDelayS, disputeGameFinalityDelayS } = rollup
  const { optimismPortalImplementation: implementation } = addresses
  const market: Slot = [1n, packed([0, GWEI], [24, block.number])]
  const sender: Slot = [50n, DEAD]
  const respected = (gameType: number): Slot => [59n, packed([0, gameType], [4, block.timestamp])]
  const immutables = {
    PROOF_MATURITY_DELAY_SECONDS: BigInt(proofMaturityDelayS),
    DISPUTE_GAME_FINALITY_DELAY_SECONDS: BigInt(disputeGameFinalityDelayS),
  }
  const unused: Slot[] = [INITIALIZED, market, sender, respected(0)]
  const [address, portal] = proxy(addresses.optimismPortal, addresses.proxyAdmin, implementation, [
    market,
    sender,
    [53n, packed([1, superchain.addresses.superchainConfig])],
    [55n, addresses.systemConfig],
    [56n, addresses.disputeGameFactory],
    respected(respectedGameType),
  ])
  return [
    contract(implementation, 'OptimismPortal2', unused, immutables),
    [address, { ...portal, balance: rollup.lockedAtGenesis }],
  ]
}

function messengerAccounts(superchainConfig: Address, addresses: RollupAddresses): AccountEntry[] {
  const messenger = addresses.l1CrossDomainMessenger
  const initial: Slot[] = [
    [0n, packed([20, 1n])],
    [204n, DEAD],
    [207n, OP_PREDEPLOYS.L2CrossDomainMessenger],
  ]
  return [
    contract(addresses.l1CrossDomainMessengerImplementation, 'L1CrossDomainMessenger', initial),
    contract(messenger, 'ResolvedDelegateProxy', [
      [mappingSlot(messenger, 0n), shortString(MESSENGER_NAME)],
      [mappingSlot(messenger, 1n), addresses.addressManager],
      ...initial,
      [251n, superchainConfig],
      [252n, addresses.optimismPortal],
      [253n, addresses.systemConfig],
    ]),
  ]
}

function bridgeAccounts(superchainConfig: Address, addresses: RollupAddresses): AccountEntry[] {
  const { proxyAdmin, l1StandardBridge, optimismMintableERC20Factory } = addresses
  const messenger = BigInt(addresses.l1CrossDomainMessenger)
  const standard: Slot[] = [INITIALIZED, [4n, OP_PREDEPLOYS.L2StandardBridge]]
  const erc721: Slot = [2n, OP_PREDEPLOYS.L2ERC721Bridge]
  const factory = addresses.optimismMintableERC20FactoryImplementation
  return [
    contract(addresses.l1StandardBridgeImplementation, 'L1StandardBridge', standard),
    contract(l1StandardBridge, 'L1ChugSplashProxy', [
      [ADMIN, proxyAdmin],
      [IMPLEMENTATION, addresses.l1StandardBridgeImplementation],
      ...standard,
      [3n, messenger],
      [50n, superchainConfig],
      [51n, addresses.systemConfig],
    ]),
    contract(addresses.l1ERC721BridgeImplementation, 'L1ERC721Bridge', [INITIALIZED, erc721]),
    proxy(addresses.l1ERC721Bridge, proxyAdmin, addresses.l1ERC721BridgeImplementation, [
      [1n, messenger],
      erc721,
      [50n, superchainConfig],
    ]),
    contract(factory, 'OptimismMintableERC20Factory', [INITIALIZED]),
    proxy(optimismMintableERC20Factory, proxyAdmin, factory, [[1n, l1StandardBridge]]),
  ]
}

function rollupAccounts(options: L1GenesisOptions, rollup: RollupOnL1): AccountEntry[] {
  const { superchainConfig } = options.superchain.addresses
  return [
    ...adminAccounts(rollup),
    ...systemConfigAccounts(options.block, rollup),
    ...portalAccounts(options, rollup),
    ...messengerAccounts(superchainConfig, rollup.addresses),
    ...bridgeAccounts(superchainConfig, rollup.addresses),
    ...gameAccounts(superchainConfig, rollup),
  ]
}

/** The accounts of all contracts that the rollups have on the layer 1. */
export function l1GenesisAccounts(options: L1GenesisOptions): AccountEntry[] {
  return [
    ...superchainAccounts(options),
    ...options.rollups.flatMap((rollup) => rollupAccounts(options, rollup)),
  ]
}
