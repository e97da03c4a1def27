// The layer 1's contracts deployed as the protocol deploys them: constructors, proxies, initializers.

import type { Emulator } from 'tickchain'
import {
  type Abi,
  type Address,
  bytesToHex,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { unpackContracts } from '../../../src/core/rollup/op/contract-code.ts'
import type { RollupAddresses, SuperchainAddresses } from '../../../src/tools/pair/l1-addresses.ts'
import type { RollupOnL1 } from '../../../src/tools/pair/l1-genesis-options.ts'
import { CODE, CONTRACTS } from './generated-l1-creation.ts'

const CREATION = unpackContracts(CONTRACTS, CODE)
const GAS = 8_000_000
const ZERO = '0x0000000000000000000000000000000000000000'

const PROXY_ADMIN = parseAbi([
  'function upgradeAndCall(address proxy, address implementation, bytes data)',
  'function setProxyType(address proxy, uint8 type)',
  'function setImplementationName(address proxy, string name)',
  'function setAddressManager(address manager)',
])

const INITIALIZERS = {
  superchainConfig: 'function initialize(address guardian, bool paused)',
  protocolVersions: 'function initialize(address owner, uint256 required, uint256 recommended)',
  systemConfig:
    'function initialize(address owner, uint32 baseFeeScalar, uint32 blobBaseFeeScalar, bytes32 batcherHash, uint64 gasLimit, address signer, (uint32, uint8, uint8, uint32, uint32, uint128) market, address batchInbox, (address, address, address, address, address, address, address) addresses)',
  optimismPortal:
    'function initialize(address factory, address systemConfig, address superchainConfig, uint32 gameType)',
  l1CrossDomainMessenger:
    'function initialize(address superchainConfig, address portal, address systemConfig)',
  l1StandardBridge: 'function initialize(address messenger, address superchainConfig, address systemConfig)',
  l1ERC721Bridge: 'function initialize(address messenger, address superchainConfig)',
  optimismMintableERC20Factory: 'function initialize(address bridge)',
  disputeGameFactory: 'function initialize(address owner)',
  anchorStateRegistry: 'function initialize((uint32, (bytes32, uint256))[] anchors)',
  delayedWETH: 'function initialize(address owner, address superchainConfig)',
} as const

type Initialized = keyof typeof INITIALIZERS

/** Sends transactions of one account, whose contracts' addresses are known before they are executed. */
class Deployer {
  private nonce = 0
  private readonly hashes: Hex[] = []
  private readonly chain: Emulator
  readonly account: Address

  constructor(chain: Emulator, account: Address) {
    this.chain = chain
    this.account = account
  }

  async send(to: Address | undefined, data: Hex): Promise<void> {
    const transaction = { from: this.account, to, data, gas: GAS }
    const params = [
      Object.fromEntries(Object.entries(transaction).filter(([, value]) => value !== undefined)),
    ]
    this.hashes.push((await this.chain.request({ method: 'eth_sendTransaction', params } as never)) as Hex)
    this.nonce++
  }

  async create(name: keyof typeof CONTRACTS, types = '', values: readonly unknown[] = []): Promise<Address> {
    const address = getContractAddress({ from: this.account, nonce: BigInt(this.nonce) })
    const encoded =
      types === '' ? '0x' : encodeAbiParameters(parseAbiParameters(types) as never, values as never)
    await this.send(undefined, `${bytesToHex(CREATION[name].bytes)}${encoded.slice(2)}`)
    return address.toLowerCase() as Address
  }

  async call(to: Address, abi: Abi | readonly string[], functionName: string, args: readonly unknown[]) {
    const parsed = typeof abi[0] === 'string' ? parseAbi(abi as never) : abi
    await this.send(to, encodeFunctionData({ abi: parsed as Abi, functionName, args }))
  }

  /** Seals all in one block. */
  async finish(): Promise<void> {
    await this.chain.seal()
    for (const hash of this.hashes) {
      const receipt = await this.chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
      if (receipt?.status !== '0x1' || receipt.blockNumber !== '0x1') throw new Error(`${hash} failed`)
    }
  }

  /** What the owner of proxies does: upgrade and initialize. */
  async initialize(
    admin: Address,
    name: Initialized,
    addresses: Readonly<Record<string, Address>>,
    args: readonly unknown[],
  ): Promise<void> {
    const abi = parseAbi([INITIALIZERS[name]] as never) as Abi
    const data = encodeFunctionData({ abi, functionName: 'initialize', args })
    const proxy = addresses[name] as Address
    const implementation = addresses[`${name}Implementation`] as Address
    await this.call(admin, PROXY_ADMIN, 'upgradeAndCall', [proxy, implementation, data])
  }
}

export async function deploySuperchain(deployer: Deployer, guardian: Address): Promise<SuperchainAddresses> {
  const owner = deployer.account
  const proxyAdmin = await deployer.create('ProxyAdmin', 'address', [owner])
  const addresses: SuperchainAddresses = {
    proxyAdmin,
    superchainConfigImplementation: await deployer.create('SuperchainConfig'),
    superchainConfig: await deployer.create('Proxy', 'address', [proxyAdmin]),
    protocolVersionsImplementation: await deployer.create('ProtocolVersions'),
    protocolVersions: await deployer.create('Proxy', 'address', [proxyAdmin]),
  }
  await deployer.initialize(proxyAdmin, 'superchainConfig', addresses, [guardian, false])
  await deployer.initialize(proxyAdmin, 'protocolVersions', addresses, [owner, 0n, 0n])
  return addresses
}

const GAME_TYPES = 'uint32, bytes32, uint256, uint256, uint64, uint64, address, address, address, uint256'

/** @param rollup without addresses, because these are what this answers */
async function createContracts(
  deployer: Deployer,
  rollup: Omit<RollupOnL1, 'addresses'>,
): Promise<RollupAddresses> {
  const proxyAdmin = await deployer.create('ProxyAdmin', 'address', [deployer.account])
  const addressManager = await deployer.create('AddressManager')
  const proxy = () => deployer.create('Proxy', 'address', [proxyAdmin])
  const disputeGameFactory = await proxy()
  const anchorStateRegistry = await proxy()
  const delayedWETH = await proxy()
  const preimageOracle = await deployer.create('PreimageOracle', 'uint256, uint256', [126_000n, 86_400n])
  const mips = await deployer.create('MIPS', 'address', [preimageOracle])
  const game = (gameType: number) => [
    gameType,
    rollup.absolutePrestate,
    73n,
    30n,
    BigInt(rollup.clockExtensionS),
    BigInt(rollup.maxClockDurationS),
    mips,
    delayedWETH,
    anchorStateRegistry,
    BigInt(rollup.chainId),
  ]
  return {
    proxyAdmin,
    addressManager,
    disputeGameFactory,
    anchorStateRegistry,
    delayedWETH,
    preimageOracle,
    mips,
    faultDisputeGame: await deployer.create('FaultDisputeGame', GAME_TYPES, game(0)),
    permissionedDisputeGame: await deployer.create(
      'PermissionedDisputeGame',
      `${GAME_TYPES}, address, address`,
      [...game(1), rollup.proposer, rollup.challenger],
    ),
    disputeGameFactoryImplementation: await deployer.create('DisputeGameFactory'),
    anchorStateRegistryImplementation: await deployer.create('AnchorStateRegistry', 'address', [
      disputeGameFactory,
    ]),
    delayedWETHImplementation: await deployer.create('DelayedWETH', 'uint256', [BigInt(rollup.bondDelayS)]),
    systemConfig: await proxy(),
    systemConfigImplementation: await deployer.create('SystemConfig'),
    optimismPortal: await proxy(),
    optimismPortalImplementation: await deployer.create('OptimismPortal2', 'uint256, uint256', [
      BigInt(rollup.proofMaturityDelayS),
      BigInt(rollup.disputeGameFinalityDelayS),
    ]),
    l1CrossDomainMessenger: await deployer.create('ResolvedDelegateProxy', 'address, string', [
      addressManager,
      'OVM_L1CrossDomainMessenger',
    ]),
    l1CrossDomainMessengerImplementation: await deployer.create('L1CrossDomainMessenger'),
    l1StandardBridge: await deployer.create('L1ChugSplashProxy', 'address', [proxyAdmin]),
    l1StandardBridgeImplementation: await deployer.create('L1StandardBridge'),
    l1ERC721Bridge: await proxy(),
    l1ERC721BridgeImplementation: await deployer.create('L1ERC721Bridge'),
    optimismMintableERC20Factory: await proxy(),
    optimismMintableERC20FactoryImplementation: await deployer.create('OptimismMintableERC20Factory'),
  }
}

async function initializeSystemConfig(deployer: Deployer, rollup: RollupOnL1): Promise<void> {
  const { addresses, system, depositMarket: market } = rollup
  await deployer.initialize(addresses.proxyAdmin, 'systemConfig', addresses, [
    rollup.owner,
    system.baseFeeScalar,
    system.blobBaseFeeScalar,
    system.batcherHash,
    system.gasLimit,
    rollup.unsafeBlockSigner,
    [
      market.maxResourceLimit,
      market.elasticityMultiplier,
      market.baseFeeMaxChangeDenominator,
      market.minimumBaseFee,
      market.systemTxMaxGas,
      market.maximumBaseFee,
    ],
    rollup.batchInbox,
    [
      addresses.l1CrossDomainMessenger,
      addresses.l1ERC721Bridge,
      addresses.l1StandardBridge,
      addresses.disputeGameFactory,
      addresses.optimismPortal,
      addresses.optimismMintableERC20Factory,
      ZERO,
    ],
  ])
  const { eip1559, operatorFeeScalar, operatorFeeConstant, minBaseFee, daFootprintGasScalar } = system
  const set = (declaration: string, name: string, args: readonly unknown[]) =>
    deployer.call(addresses.systemConfig, [declaration], name, args)
  await set('function setEIP1559Params(uint32, uint32)', 'setEIP1559Params', [
    eip1559.denominator,
    eip1559.elasticity,
  ])
  await set('function setOperatorFeeScalars(uint32, uint64)', 'setOperatorFeeScalars', [
    operatorFeeScalar,
    operatorFeeConstant,
  ])
  if (system.scalar !== 0n) {
    await set('function setGasConfig(uint256, uint256)', 'setGasConfig', [system.overhead, system.scalar])
  }
  await set('function setMinBaseFee(uint64)', 'setMinBaseFee', [minBaseFee])
  await set('function setDAFootprintGasScalar(uint16)', 'setDAFootprintGasScalar', [daFootprintGasScalar])
}

async function initializeRollup(
  deployer: Deployer,
  rollup: RollupOnL1,
  superchainConfig: Address,
): Promise<void> {
  const { addresses, owner, respectedGameType, anchor, initialBond } = rollup
  const { proxyAdmin, systemConfig, optimismPortal, disputeGameFactory } = addresses
  const { l1CrossDomainMessenger: messenger, l1StandardBridge } = addresses
  const initialize = (name: Initialized, args: readonly unknown[]) =>
    deployer.initialize(proxyAdmin, name, addresses, args)
  await deployer.call(
    addresses.addressManager,
    ['function transferOwnership(address)'],
    'transferOwnership',
    [proxyAdmin],
  )
  await deployer.call(proxyAdmin, PROXY_ADMIN, 'setAddressManager', [addresses.addressManager])
  await deployer.call(proxyAdmin, PROXY_ADMIN, 'setProxyType', [l1StandardBridge, 1])
  await deployer.call(proxyAdmin, PROXY_ADMIN, 'setProxyType', [messenger, 2])
  await deployer.call(proxyAdmin, PROXY_ADMIN, 'setImplementationName', [
    messenger,
    'OVM_L1CrossDomainMessenger',
  ])
  await initializeSystemConfig(deployer, rollup)
  await initialize('optimismPortal', [disputeGameFactory, systemConfig, superchainConfig, respectedGameType])
  await initialize('l1CrossDomainMessenger', [superchainConfig, optimismPortal, systemConfig])
  await initialize('l1StandardBridge', [messenger, superchainConfig, systemConfig])
  await initialize('l1ERC721Bridge', [messenger, superchainConfig])
  await initialize('optimismMintableERC20Factory', [l1StandardBridge])
  await initialize('disputeGameFactory', [owner])
  const outputRoot = [anchor.outputRoot, BigInt(anchor.blockNumber)]
  await initialize('anchorStateRegistry', [
    [
      [0, outputRoot],
      [1, outputRoot],
    ],
  ])
  await initialize('delayedWETH', [owner, superchainConfig])
  const games = [addresses.faultDisputeGame, addresses.permissionedDisputeGame]
  for (const [gameType, game] of games.entries()) {
    const implementation = 'function setImplementation(uint32, address)'
    await deployer.call(disputeGameFactory, [implementation], 'setImplementation', [gameType, game])
    await deployer.call(disputeGameFactory, ['function setInitBond(uint32, uint256)'], 'setInitBond', [
      gameType,
      initialBond,
    ])
  }
}

/** Deploys all contracts in block 1; the owner is the deployer. */
export async function deploy(
  chain: Emulator,
  guardian: Address,
  rollup: Omit<RollupOnL1, 'addresses'>,
): Promise<{ superchain: SuperchainAddresses; rollup: RollupOnL1 }> {
  const deployer = new Deployer(chain, rollup.owner)
  const superchain = await deploySuperchain(deployer, guardian)
  const complete = { ...rollup, addresses: await createContracts(deployer, rollup) }
  await initializeRollup(deployer, complete, superchain.superchainConfig)
  await deployer.finish()
  return { superchain, rollup: complete }
}
