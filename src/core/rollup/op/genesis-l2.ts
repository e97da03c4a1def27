// The contracts in the genesis state of an OP-stack chain: predeploys behind proxies, and preinstalls (OP stack
// specification, predeploys and preinstalls). See docs/decisions/0024-rollup-contracts.md.

import { keccakOfText, keccakOfWords } from '../../primitives/crypto.ts'
import * as hex from '../../primitives/hex.ts'
import * as world from '../../state/world-state.ts'
import type { Rules } from '../rules.ts'
import { CREATE2_DEPLOYER } from '../system-contracts.ts'
import { withImmutables } from './contract-code.ts'
import { isOpForkActive, type OpFork } from './forks.ts'
import { type L2Contract, l2Code, l2Contract } from './l2-contracts.ts'
import { BASE_TIME, OP_PREDEPLOYS } from './predeploys.ts'
import { ADMIN_SLOT, IMPLEMENTATION_SLOT, implementationOf } from './proxies.ts'
import { shortText } from './solidity-words.ts'

/** The accounts on the layer 1 that the bridge's contracts accept messages of. */
export interface L1Counterparts {
  readonly chainId: number
  readonly crossDomainMessenger: hex.Address
  readonly standardBridge: hex.Address
  readonly erc721Bridge: hex.Address
}

/** Where the vaults for base fees, tips and L1 fees pay their balance to. */
interface VaultSettings {
  readonly recipient: hex.Address
  readonly minWithdrawalAmount: bigint
  readonly network: 'l1' | 'l2'
}

export interface OpGenesis {
  /** Those of the genesis block. */
  readonly rules: Rules
  /** True for a chain that comes to denim, which finds BaseTime's proxy there. */
  readonly reachesDenim?: boolean
  /** Those of Base on Ethereum unless told. */
  readonly l1?: Partial<L1Counterparts>
  /** May upgrade the predeploys; the first development account unless told. */
  readonly proxyAdminOwner?: hex.Address
  /** 10 ether at least, to `proxyAdminOwner` on the layer 1, unless told. */
  readonly vaults?: VaultSettings
}

const FIRST_DEVELOPMENT_ACCOUNT: hex.Address = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

const BASE_ON_ETHEREUM: L1Counterparts = {
  chainId: 1,
  crossDomainMessenger: '0x866e82a600a1414e583f7f13623f1ac5d58b0afa',
  standardBridge: '0x3154cf16ccdb4c6d922629664174b904d80f2c35',
  erc721Bridge: '0x608d94945a64503e642e6370ec598e519a2c1e53',
}

/** The sender of a message while none is relayed, so that its slot is never empty. */
const NO_SENDER: hex.Address = '0x000000000000000000000000000000000000dead'

/** Values by their slots. */
type Slots = Readonly<Record<number | hex.Hash, hex.Hex | bigint>>

function storageOf(slots: Slots): world.Storage {
  return Object.entries(slots).reduce((storage, [slot, value]) => {
    const word = hex.hexToBytes(hex.toWord(BigInt(value)))
    return world.setSlot(storage, hex.toWord(BigInt(slot)), hex.stripLeadingZeros(word))
  }, world.EMPTY_STORAGE)
}

/** A genesis account; by the protocol's genesis script, predeploys have nonce 0, unlike contracts that were created. */
function contract(code: world.Code, slots: Slots = {}, nonce = 0n): world.Account {
  return { nonce, balance: 0n, code, storage: storageOf(slots) }
}

/** The contract behind the proxy of a predeploy, and the storage that initialization leaves in both. */
interface Predeploy {
  readonly code: world.Code
  readonly storage?: Slots
  readonly implementationStorage?: Slots
}

/** Bits of OpenZeppelin's Initializable, where it begins a slot. */
const INITIALIZED = 1n
/** The messenger has an address before it in the slot. */
const INITIALIZED_MESSENGER = 1n << 160n

/** Flags that upgrade transactions set otherwise. */
function oracleFlags(rules: Rules): bigint {
  const flags: readonly OpFork[] = ['ecotone', 'fjord', 'isthmus', 'jovian']
  return flags.reduce(
    (bits, fork, index) => bits | (isOpForkActive(rules, fork) ? 1n << BigInt(8 * index) : 0n),
    0n,
  )
}

/** The contract of the last fork that replaced it. */
function byFork(rules: Rules, first: L2Contract, ...later: readonly (readonly [OpFork, L2Contract])[]) {
  return l2Code(later.reduce((name, [fork, next]) => (isOpForkActive(rules, fork) ? next : name), first))
}

type Settings = Required<OpGenesis> & { readonly l1: L1Counterparts }
type PredeployName = keyof typeof OP_PREDEPLOYS
type Predeploys = Partial<Readonly<Record<PredeployName, Predeploy>>>

function bridgePredeploys({ l1 }: Settings): Predeploys {
  const { L2CrossDomainMessenger: messenger, L2StandardBridge, L2ERC721Bridge } = OP_PREDEPLOYS
  const messengerSlots = { 0: INITIALIZED_MESSENGER, 204: NO_SENDER }
  const bridgeSlots = { 0: INITIALIZED, 3: messenger }
  const nftSlots = { 0: INITIALIZED, 1: messenger }
  const nftFactory = { BRIDGE: L2ERC721Bridge, REMOTE_CHAIN_ID: BigInt(l1.chainId) }
  return {
    L2CrossDomainMessenger: {
      code: l2Code('L2CrossDomainMessenger'),
      storage: { ...messengerSlots, 207: l1.crossDomainMessenger },
      implementationStorage: messengerSlots,
    },
    L2StandardBridge: {
      code: l2Code('L2StandardBridge'),
      storage: { ...bridgeSlots, 4: l1.standardBridge },
      implementationStorage: bridgeSlots,
    },
    L2ERC721Bridge: {
      code: l2Code('L2ERC721Bridge'),
      storage: { ...nftSlots, 2: l1.erc721Bridge },
      implementationStorage: nftSlots,
    },
    L2ToL1MessagePasser: { code: l2Code('L2ToL1MessagePasser') },
    OptimismMintableERC20Factory: {
      code: l2Code('OptimismMintableERC20Factory'),
      storage: { 0: INITIALIZED, 1: L2StandardBridge },
      implementationStorage: { 0: INITIALIZED },
    },
    OptimismMintableERC721Factory: {
      code: world.makeCode(withImmutables(l2Contract('OptimismMintableERC721Factory'), nftFactory)),
    },
  }
}

function feePredeploys({ rules, vaults }: Settings): Predeploys {
  const immutables = {
    RECIPIENT: vaults.recipient,
    MIN_WITHDRAWAL_AMOUNT: vaults.minWithdrawalAmount,
    WITHDRAWAL_NETWORK: vaults.network === 'l1' ? 0n : 1n,
  }
  const vault = (name: L2Contract): Predeploy => ({
    code: world.makeCode(withImmutables(l2Contract(name), immutables)),
  })
  return {
    L1Block: {
      code: byFork(rules, 'L1Block', ['isthmus', 'L1BlockIsthmus'], ['jovian', 'L1BlockJovian']),
    },
    GasPriceOracle: {
      code: byFork(
        rules,
        'GasPriceOracle',
        ['fjord', 'GasPriceOracleFjord'],
        ['isthmus', 'GasPriceOracleIsthmus'],
        ['jovian', 'GasPriceOracleJovian'],
      ),
      storage: { 0: oracleFlags(rules) },
    },
    SequencerFeeVault: vault('SequencerFeeVault'),
    BaseFeeVault: vault('BaseFeeVault'),
    L1FeeVault: vault('L1FeeVault'),
    ...(isOpForkActive(rules, 'isthmus') ? { OperatorFeeVault: { code: l2Code('OperatorFeeVault') } } : {}),
  }
}

function otherPredeploys({ rules, proxyAdminOwner }: Settings): Predeploys {
  const owner = { 0: proxyAdminOwner }
  return {
    LegacyMessagePasser: { code: l2Code('LegacyMessagePasser') },
    DeployerWhitelist: { code: l2Code('DeployerWhitelist') },
    L1BlockNumber: { code: l2Code('L1BlockNumber') },
    ProxyAdmin: { code: l2Code('ProxyAdmin'), storage: owner, implementationStorage: owner },
    SchemaRegistry: { code: l2Code('SchemaRegistry') },
    EAS: { code: attestationCode(rules.chainId) },
  }
}

/** EAS, as its constructor would leave it at the address of the implementation. */
function attestationCode(chainId: number): world.Code {
  const type = keccakOfText(
    'EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)',
  )
  const [name, version] = [keccakOfText('EAS'), keccakOfText('1.3.0')]
  const self = implementationOf(OP_PREDEPLOYS.EAS)
  const place = [hex.toWord(chainId), hex.toWord(BigInt(self))]
  const bytes = withImmutables(l2Contract('EAS'), {
    _CACHED_DOMAIN_SEPARATOR: keccakOfWords(type, name, version, ...place),
    _CACHED_CHAIN_ID: BigInt(chainId),
    _CACHED_THIS: self,
    _HASHED_NAME: name,
    _HASHED_VERSION: version,
    _TYPE_HASH: type,
    _name: shortText('EAS'),
  })
  return world.makeCode(bytes)
}

/** Those behind proxies. OperatorFeeVault has no implementation before isthmus. */
const PROXIED = (Object.keys(OP_PREDEPLOYS) as PredeployName[]).filter(
  (name) => name !== 'WETH' && name !== 'GovernanceToken',
)

function proxied(address: hex.Address, predeploy: Predeploy | undefined): [hex.Address, world.Account][] {
  const admin = { [ADMIN_SLOT]: OP_PREDEPLOYS.ProxyAdmin }
  if (predeploy === undefined) return [[address, contract(l2Code('Proxy'), admin)]]
  const { code, storage, implementationStorage } = predeploy
  const implementation = implementationOf(address)
  const slots: Slots = { ...admin, [IMPLEMENTATION_SLOT]: implementation, ...storage }
  return [
    [address, contract(l2Code('Proxy'), slots)],
    [implementation, contract(code, implementationStorage)],
  ]
}

/** WETH9, with its metadata in storage; no proxy. */
function wrappedEther(): world.Account {
  // Twice the length is at the right of a short string's slot.
  const text = (value: string): bigint => shortText(value) | BigInt(2 * value.length)
  return contract(l2Code('WETH9'), { 0: text('Wrapped Ether'), 1: text('WETH'), 2: 18n })
}

// Preinstalls: contracts that are not the protocol's, at the addresses that they have on other chains.

const PERMIT2: hex.Address = '0x000000000022d473030f116ddee9f6b43ac78ba3'

function permit2Code(chainId: number): world.Code {
  const type = keccakOfText('EIP712Domain(string name,uint256 chainId,address verifyingContract)')
  const words = [type, keccakOfText('Permit2'), hex.toWord(chainId), hex.toWord(BigInt(PERMIT2))]
  const values = { chainId: BigInt(chainId), domainSeparator: keccakOfWords(...words) }
  return world.makeCode(withImmutables(l2Contract('Permit2'), values))
}

/** Those that depend neither on the fork nor on the chain. */
const PREINSTALLS: readonly (readonly [hex.Address, L2Contract])[] = [
  ['0xca11bde05977b3631167028862be2a173976ca11', 'MultiCall3'],
  ['0x4e59b44847b379578588920ca78fbf26c0b4956c', 'DeterministicDeploymentProxy'],
  ['0x914d7fec6aac8cd542e72bca78b30650d45643d7', 'SafeSingletonFactory'],
  ['0x69f4d1788e39c87893c980c06edf4b7f686e2938', 'Safe'],
  ['0xfb1bffc9d739b8d520daf37df666da4c687191ea', 'SafeL2'],
  ['0x998739bfdaadde7c933b942a68053933098f9eda', 'MultiSend'],
  ['0xa1dabef33b3b82c7814b6d82a79e50f4ac44102b', 'MultiSendCallOnly'],
  ['0x7fc98430eaedbb6070b35b39d798725049088348', 'SenderCreator'],
  ['0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789', 'EntryPoint'],
]

/** The creators of the contracts of EIP-4788 and EIP-2935, whose transactions have been sent. */
const SYSTEM_CREATORS: readonly (readonly [OpFork, hex.Address])[] = [
  ['ecotone', '0x0b799c86a49deeb90402691f1041aa3af2d3c875'],
  ['isthmus', '0x3462413af4609098e1e27a490f554f260213d685'],
]

function created(code: world.Code): world.Account {
  return contract(code, {}, 1n)
}

/** The preinstalls of a genesis state, and the accounts that created its system contracts. */
function preinstalls(rules: Rules): [hex.Address, world.Account][] {
  const accounts = PREINSTALLS.map(([address, name]): [hex.Address, world.Account] => [
    address,
    created(l2Code(name)),
  ])
  accounts.push([PERMIT2, created(permit2Code(rules.chainId))])
  if (isOpForkActive(rules, 'canyon')) accounts.push([CREATE2_DEPLOYER, created(l2Code('Create2Deployer'))])
  for (const [fork, creator] of SYSTEM_CREATORS) {
    if (isOpForkActive(rules, fork)) accounts.push([creator, created(world.EMPTY_CODE)])
  }
  return accounts
}

/** The accounts, apart from the system contracts, which the hardfork brings along. */
export function opGenesisAccounts(genesis: OpGenesis): [hex.Address, world.Account][] {
  const { rules, reachesDenim = false, proxyAdminOwner = FIRST_DEVELOPMENT_ACCOUNT } = genesis
  const isDenim = isOpForkActive(rules, 'denim')
  const recipient = proxyAdminOwner
  const byDefault: VaultSettings = { recipient, minWithdrawalAmount: 10n ** 19n, network: 'l1' }
  const l1 = { ...BASE_ON_ETHEREUM, ...genesis.l1 }
  const settings = { rules, reachesDenim, l1, proxyAdminOwner, vaults: genesis.vaults ?? byDefault }
  const predeploys: Predeploys = {
    ...bridgePredeploys(settings),
    ...feePredeploys(settings),
    ...otherPredeploys(settings),
  }
  return [
    ...PROXIED.flatMap((name) => proxied(OP_PREDEPLOYS[name], predeploys[name])),
    ...(reachesDenim || isDenim
      ? proxied(BASE_TIME, isDenim ? { code: l2Code('BaseTime') } : undefined)
      : []),
    [OP_PREDEPLOYS.WETH, wrappedEther()],
    ...preinstalls(rules),
  ]
}
