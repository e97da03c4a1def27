// The layer 1's contracts in a genesis state, set up as their deployment and their initializers leave them: the storage
// is written slot by slot, and code has its immutables. Loaded with the first pair, because the code is large.

import { keccakOfText } from '../../core/primitives/crypto.ts'
import type { Address } from '../../core/primitives/hex.ts'
import { OP_PREDEPLOYS } from '../../core/rollup/op/predeploys.ts'
import type { SystemConfig } from '../../core/rollup/stack.ts'
import * as l1 from './contract-accounts.ts'
import type { RollupAddresses } from './l1-addresses.ts'
import type { L1GenesisOptions, RollupOnL1 } from './l1-genesis-options.ts'

/** Stands for no sender and no owner in the protocol's contracts. */
const DEAD = 0xdeadn

const GWEI = 1_000_000_000n

/** The implementation behind the messenger's proxy is found by this name. */
const MESSENGER_NAME = 'OVM_L1CrossDomainMessenger'

function superchainAccounts({
  superchain: { addresses, owner, guardian },
}: L1GenesisOptions): l1.AccountEntry[] {
  const { proxyAdmin, superchainConfigImplementation, protocolVersionsImplementation } = addresses
  return [
    l1.contract(proxyAdmin, 'ProxyAdmin', [[0n, owner]]),
    l1.contract(superchainConfigImplementation, 'SuperchainConfig', [l1.INITIALIZED]),
    l1.proxy(addresses.superchainConfig, proxyAdmin, superchainConfigImplementation, [
      [l1.slotBefore('superchainConfig.guardian'), guardian],
    ]),
    l1.contract(protocolVersionsImplementation, 'ProtocolVersions', [l1.INITIALIZED, [l1.OWNER_SLOT, DEAD]]),
    l1.proxy(addresses.protocolVersions, proxyAdmin, protocolVersionsImplementation, [
      [l1.OWNER_SLOT, owner],
    ]),
  ]
}

/** ProxyAdmin and AddressManager: who may upgrade what. */
function adminAccounts({ addresses, owner }: RollupOnL1): l1.AccountEntry[] {
  const { proxyAdmin, addressManager, l1StandardBridge, l1CrossDomainMessenger: messenger } = addresses
  const CHUG_SPLASH = 1n
  const RESOLVED = 2n
  return [
    l1.contract(proxyAdmin, 'ProxyAdmin', [
      [0n, owner],
      [l1.mappingSlot(l1StandardBridge, 1n), CHUG_SPLASH],
      [l1.mappingSlot(messenger, 1n), RESOLVED],
      [l1.mappingSlot(messenger, 2n), l1.shortString(MESSENGER_NAME)],
      [3n, addressManager],
    ]),
    l1.contract(addressManager, 'AddressManager', [
      [0n, proxyAdmin],
      [l1.mappingSlot(keccakOfText(MESSENGER_NAME), 1n), addresses.l1CrossDomainMessengerImplementation],
    ]),
  ]
}

function packMarket(market: RollupOnL1['depositMarket']): bigint {
  return l1.packed(
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
  return isBeforeEcotone ? scalar : l1.packed([0, baseFeeScalar], [4, blobBaseFeeScalar], [31, 1n])
}

function systemSlots(system: SystemConfig): l1.Slot[] {
  return [
    [101n, system.overhead],
    [102n, packScalar(system)],
    [103n, system.batcherHash],
    [104n, l1.packed([0, system.gasLimit], [8, system.baseFeeScalar], [12, system.blobBaseFeeScalar])],
    [
      106n,
      l1.packed(
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

function systemConfigAccounts(block: L1GenesisOptions['block'], rollup: RollupOnL1): l1.AccountEntry[] {
  const { addresses, owner, system, unsafeBlockSigner, batchInbox, depositMarket } = rollup
  const startBlock = l1.slotBefore('systemconfig.startBlock')
  // What the constructor gives the implementation, so that nobody can use it.
  const unusable: l1.Slot[] = [
    l1.INITIALIZED,
    [l1.OWNER_SLOT, DEAD],
    [102n, l1.packed([31, 1n])],
    [104n, 1n],
    [105n, l1.packed([0, 1n], [4, 1n], [5, 2n])],
    [startBlock, 2n ** 256n - 1n],
  ]
  const { systemConfigImplementation: implementation } = addresses
  return [
    l1.contract(implementation, 'SystemConfig', unusable),
    l1.proxy(addresses.systemConfig, addresses.proxyAdmin, implementation, [
      [l1.OWNER_SLOT, owner],
      ...systemSlots(system),
      [105n, packMarket(depositMarket)],
      [l1.namedSlot('systemconfig.unsafeblocksigner'), unsafeBlockSigner],
      [l1.slotBefore('systemconfig.batchinbox'), batchInbox],
      [l1.slotBefore('systemconfig.l1crossdomainmessenger'), addresses.l1CrossDomainMessenger],
      [l1.slotBefore('systemconfig.l1erc721bridge'), addresses.l1ERC721Bridge],
      [l1.slotBefore('systemconfig.l1standardbridge'), addresses.l1StandardBridge],
      [l1.slotBefore('systemconfig.disputegamefactory'), addresses.disputeGameFactory],
      [l1.slotBefore('systemconfig.optimismportal'), addresses.optimismPortal],
      [l1.slotBefore('systemconfig.optimismmintableerc20factory'), addresses.optimismMintableERC20Factory],
      [startBlock, block.number],
    ]),
  ]
}

function portalAccounts({ block, superchain }: L1GenesisOptions, rollup: RollupOnL1): l1.AccountEntry[] {
  const { addresses, respectedGameType, proofMaturityDelayS, disputeGameFinalityDelayS } = rollup
  const { optimismPortalImplementation: implementation } = addresses
  const market: l1.Slot = [1n, l1.packed([0, GWEI], [24, block.number])]
  const sender: l1.Slot = [50n, DEAD]
  const respected = (gameType: number): l1.Slot => [59n, l1.packed([0, gameType], [4, block.timestamp])]
  const immutables = {
    PROOF_MATURITY_DELAY_SECONDS: BigInt(proofMaturityDelayS),
    DISPUTE_GAME_FINALITY_DELAY_SECONDS: BigInt(disputeGameFinalityDelayS),
  }
  const unused: l1.Slot[] = [l1.INITIALIZED, market, sender, respected(0)]
  const [address, portal] = l1.proxy(addresses.optimismPortal, addresses.proxyAdmin, implementation, [
    market,
    sender,
    [53n, l1.packed([1, superchain.addresses.superchainConfig])],
    [55n, addresses.systemConfig],
    [56n, addresses.disputeGameFactory],
    respected(respectedGameType),
  ])
  return [
    l1.contract(implementation, 'OptimismPortal2', unused, immutables),
    [address, { ...portal, balance: rollup.lockedAtGenesis }],
  ]
}

function messengerAccounts(superchainConfig: Address, addresses: RollupAddresses): l1.AccountEntry[] {
  const messenger = addresses.l1CrossDomainMessenger
  const initial: l1.Slot[] = [
    [0n, l1.packed([20, 1n])],
    [204n, DEAD],
    [207n, OP_PREDEPLOYS.L2CrossDomainMessenger],
  ]
  return [
    l1.contract(addresses.l1CrossDomainMessengerImplementation, 'L1CrossDomainMessenger', initial),
    l1.contract(messenger, 'ResolvedDelegateProxy', [
      [l1.mappingSlot(messenger, 0n), l1.shortString(MESSENGER_NAME)],
      [l1.mappingSlot(messenger, 1n), addresses.addressManager],
      ...initial,
      [251n, superchainConfig],
      [252n, addresses.optimismPortal],
      [253n, addresses.systemConfig],
    ]),
  ]
}

function bridgeAccounts(superchainConfig: Address, addresses: RollupAddresses): l1.AccountEntry[] {
  const { proxyAdmin, l1StandardBridge, optimismMintableERC20Factory } = addresses
  const messenger = BigInt(addresses.l1CrossDomainMessenger)
  const standard: l1.Slot[] = [l1.INITIALIZED, [4n, OP_PREDEPLOYS.L2StandardBridge]]
  const erc721: l1.Slot = [2n, OP_PREDEPLOYS.L2ERC721Bridge]
  const factory = addresses.optimismMintableERC20FactoryImplementation
  return [
    l1.contract(addresses.l1StandardBridgeImplementation, 'L1StandardBridge', standard),
    l1.contract(l1StandardBridge, 'L1ChugSplashProxy', [
      [l1.ADMIN, proxyAdmin],
      [l1.IMPLEMENTATION, addresses.l1StandardBridgeImplementation],
      ...standard,
      [3n, messenger],
      [50n, superchainConfig],
      [51n, addresses.systemConfig],
    ]),
    l1.contract(addresses.l1ERC721BridgeImplementation, 'L1ERC721Bridge', [l1.INITIALIZED, erc721]),
    l1.proxy(addresses.l1ERC721Bridge, proxyAdmin, addresses.l1ERC721BridgeImplementation, [
      [1n, messenger],
      erc721,
      [50n, superchainConfig],
    ]),
    l1.contract(factory, 'OptimismMintableERC20Factory', [l1.INITIALIZED]),
    l1.proxy(optimismMintableERC20Factory, proxyAdmin, factory, [[1n, l1StandardBridge]]),
  ]
}

function rollupAccounts(options: L1GenesisOptions, rollup: RollupOnL1): l1.AccountEntry[] {
  const { superchainConfig } = options.superchain.addresses
  return [
    ...adminAccounts(rollup),
    ...systemConfigAccounts(options.block, rollup),
    ...portalAccounts(options, rollup),
    ...messengerAccounts(superchainConfig, rollup.addresses),
    ...bridgeAccounts(superchainConfig, rollup.addresses),
    ...l1.gameAccounts(superchainConfig, rollup),
  ]
}

/** The accounts of all contracts that the rollups have on the layer 1. */
export function l1GenesisAccounts(options: L1GenesisOptions): l1.AccountEntry[] {
  return [
    ...superchainAccounts(options),
    ...options.rollups.flatMap((rollup) => rollupAccounts(options, rollup)),
  ]
}
