// The predeploys and preinstalls of an OP-stack chain, called.

import { verifyMerkleProof } from '@ethereumjs/mpt'
import { RLP } from '@ethereumjs/rlp'
import {
  domainSeparator,
  type Hex,
  hexToBytes,
  keccak256,
  type Log,
  parseAbiItem,
  parseEventLogs,
  toHex,
  trim,
  zeroHash,
} from 'viem'
import { base } from 'viem/chains'
import { getWithdrawalHashStorageSlot, getWithdrawals } from 'viem/op-stack'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { opGenesisAccounts } from '../../../../src/core/rollup/op/genesis-l2.ts'
import { OP_PREDEPLOYS } from '../../../../src/core/rollup/op/predeploys.ts'
import type { Emulator } from '../../../../src/index.ts'
import { ALICE, CHAIN_ID, encodeCall, opChain, opRules, read, send } from './op-chain.ts'

const { WETH, GovernanceToken: _token, ...PROXIED } = OP_PREDEPLOYS
const {
  L2CrossDomainMessenger: MESSENGER,
  L2StandardBridge: BRIDGE,
  L2ToL1MessagePasser: PASSER,
  ProxyAdmin: PROXY_ADMIN,
} = OP_PREDEPLOYS
const ZERO = '0x0000000000000000000000000000000000000000'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const L1 = {
  chainId: 900,
  crossDomainMessenger: '0xc8c71093ffc2092d61a72369d81940b839bb12b4',
  standardBridge: '0x52af4dff31d13449b70993e21eb599c615a66541',
  erc721Bridge: '0xc96c1766809668a7d7fcb4c76beb8c2d0d9e8683',
} as const

let chain: Emulator
beforeAll(async () => {
  chain = await opChain('jovian', {
    l1: L1,
    proxyAdminOwner: BOB,
    vaults: { recipient: BOB, minWithdrawalAmount: 3n, network: 'l2' },
  })
})

const address = (to: Hex, name: string, ...args: unknown[]) =>
  read(chain, to, `${name} view returns (address)`, ...args).then((value) => (value as string).toLowerCase())
const text = (to: Hex, name: string) => read(chain, to, `${name} view returns (string)`)
const number = (to: Hex, name: string) => read(chain, to, `${name} view returns (uint256)`)

describe('proxies', () => {
  test.each(Object.entries(PROXIED))('%s is administered by ProxyAdmin', async (_name, proxy) => {
    // A proxy shows its own to its admin and to calls from the zero address only.
    const ask = async (signature: string) => {
      const call = { from: ZERO, to: proxy, data: encodeCall(signature) } as const
      return trim(await chain.request({ method: 'eth_call', params: [call] }))
    }
    expect(await ask('admin()')).toBe(PROXY_ADMIN)
    expect(await ask('implementation()')).toBe(`0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3${proxy.slice(-4)}`)
    expect(await address(PROXY_ADMIN, 'getProxyImplementation(address)', proxy)).toBe(
      `0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3${proxy.slice(-4)}`,
    )
    expect(await address(PROXY_ADMIN, 'getProxyAdmin(address)', proxy)).toBe(PROXY_ADMIN)
  })

  test('the owner of ProxyAdmin upgrades them, and nobody else', async () => {
    expect(await address(PROXY_ADMIN, 'owner()')).toBe(BOB)
    const upgraded = await chain.clone()
    const data = encodeCall('upgrade(address,address)', MESSENGER, WETH)
    const call = { to: PROXY_ADMIN, data } as const
    expect(await send(upgraded, { ...call, from: ALICE })).toMatchObject({ status: '0x0' })
    expect(await send(upgraded, { ...call, from: BOB })).toMatchObject({ status: '0x1' })
    expect(
      await read(upgraded, PROXY_ADMIN, 'getProxyImplementation(address) view returns (address)', MESSENGER),
    ).toBe('0x4200000000000000000000000000000000000006')
  })

  test('without isthmus, OperatorFeeVault has no implementation', async () => {
    const before = await opChain('holocene')
    await expect(
      before.request({ method: 'eth_call', params: [{ to: OP_PREDEPLOYS.OperatorFeeVault }] }),
    ).rejects.toThrow('Proxy: implementation not initialized')
  })
})

describe('views', () => {
  test('the messenger knows the one on the layer 1', async () => {
    expect(await address(MESSENGER, 'OTHER_MESSENGER()')).toBe(L1.crossDomainMessenger)
    expect(await address(MESSENGER, 'l1CrossDomainMessenger()')).toBe(L1.crossDomainMessenger)
    expect(await number(MESSENGER, 'messageNonce()')).toBe(1n << 240n)
    await expect(address(MESSENGER, 'xDomainMessageSender()')).rejects.toThrow(
      'CrossDomainMessenger: xDomainMessageSender is not set',
    )
  })

  test('the bridges know those on the layer 1', async () => {
    expect(await address(BRIDGE, 'MESSENGER()')).toBe(MESSENGER)
    expect(await address(BRIDGE, 'OTHER_BRIDGE()')).toBe(L1.standardBridge)
    expect(await address(BRIDGE, 'l1TokenBridge()')).toBe(L1.standardBridge)
    expect(await address(OP_PREDEPLOYS.L2ERC721Bridge, 'MESSENGER()')).toBe(MESSENGER)
    expect(await address(OP_PREDEPLOYS.L2ERC721Bridge, 'OTHER_BRIDGE()')).toBe(L1.erc721Bridge)
  })

  test('the factories know the bridges', async () => {
    expect(await address(OP_PREDEPLOYS.OptimismMintableERC20Factory, 'BRIDGE()')).toBe(BRIDGE)
    const factory = OP_PREDEPLOYS.OptimismMintableERC721Factory
    expect(await address(factory, 'BRIDGE()')).toBe(OP_PREDEPLOYS.L2ERC721Bridge)
    expect(await number(factory, 'REMOTE_CHAIN_ID()')).toBe(900n)
  })

  test.each(['SequencerFeeVault', 'BaseFeeVault', 'L1FeeVault'] as const)('%s pays as told', async (name) => {
    const vault = OP_PREDEPLOYS[name]
    expect(await address(vault, 'RECIPIENT()')).toBe(BOB)
    expect(await number(vault, 'MIN_WITHDRAWAL_AMOUNT()')).toBe(3n)
    expect(await number(vault, 'WITHDRAWAL_NETWORK()')).toBe(1n)
  })

  test('OperatorFeeVault pays into BaseFeeVault', async () => {
    const vault = OP_PREDEPLOYS.OperatorFeeVault
    expect(await address(vault, 'RECIPIENT()')).toBe(OP_PREDEPLOYS.BaseFeeVault)
    expect(await number(vault, 'MIN_WITHDRAWAL_AMOUNT()')).toBe(0n)
    expect(await number(vault, 'WITHDRAWAL_NETWORK()')).toBe(1n)
  })

  test('WETH9 has its metadata', async () => {
    expect(await text(WETH, 'name()')).toBe('Wrapped Ether')
    expect(await text(WETH, 'symbol()')).toBe('WETH')
    expect(await number(WETH, 'decimals()')).toBe(18n)
  })

  test('signatures for EAS and Permit2 are of this chain', async () => {
    const eas = { name: 'EAS', version: '1.3.0', chainId: CHAIN_ID, verifyingContract: OP_PREDEPLOYS.EAS }
    expect(await read(chain, OP_PREDEPLOYS.EAS, 'getDomainSeparator() view returns (bytes32)')).toBe(
      domainSeparator({ domain: eas }),
    )
    expect(await text(OP_PREDEPLOYS.EAS, 'getName()')).toBe('EAS')
    expect(await address(OP_PREDEPLOYS.EAS, 'getSchemaRegistry()')).toBe(OP_PREDEPLOYS.SchemaRegistry)
    // Asked behind the proxy, it answers the separator that its constructor left in the code.
    const implementation = '0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d30021'
    expect(await read(chain, implementation, 'getDomainSeparator() view returns (bytes32)')).toBe(
      domainSeparator({ domain: { ...eas, verifyingContract: implementation } }),
    )
    const permit2 = '0x000000000022d473030f116ddee9f6b43ac78ba3'
    expect(await read(chain, permit2, 'DOMAIN_SEPARATOR() view returns (bytes32)')).toBe(
      domainSeparator({ domain: { name: 'Permit2', chainId: CHAIN_ID, verifyingContract: permit2 } }),
    )
  })

  test('what is initialized cannot be again', async () => {
    for (const to of [
      MESSENGER,
      BRIDGE,
      OP_PREDEPLOYS.L2ERC721Bridge,
      OP_PREDEPLOYS.OptimismMintableERC20Factory,
    ]) {
      for (const each of [to, `0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3${to.slice(-4)}`] as const) {
        const call = { to: each, data: encodeCall('initialize(address)', ALICE) }
        await expect(chain.request({ method: 'eth_call', params: [call] }), each).rejects.toThrow(
          'Initializable: contract is already initialized',
        )
      }
    }
  })
})

describe('withdrawals', () => {
  const NONCE = 1n << 240n

  test('initiateWithdrawal marks the hash, logs it, and proves it', async () => {
    const withdrawing = await chain.clone()
    const receipt = await send(withdrawing, {
      to: PASSER,
      value: 5n,
      data: encodeCall('initiateWithdrawal(address,uint256,bytes)', BOB, 21_000n, '0xfacade'),
    })
    const [withdrawal, ...others] = getWithdrawals({ logs: receipt.logs as unknown as Log[] })
    expect(others).toEqual([])
    const { withdrawalHash, ...fields } = withdrawal!
    expect(fields).toMatchObject({ nonce: NONCE, value: 5n, gasLimit: 21_000n, data: '0xfacade' })
    expect(await read(withdrawing, PASSER, 'messageNonce() view returns (uint256)')).toBe(NONCE + 1n)
    expect(await read(withdrawing, PASSER, 'sentMessages(bytes32) view returns (bool)', withdrawalHash)).toBe(
      true,
    )

    const slot = getWithdrawalHashStorageSlot({ withdrawalHash })
    const { storageHash, storageProof, balance } = await withdrawing.request({
      method: 'eth_getProof',
      params: [PASSER, [slot], 'latest'],
    })
    expect(balance).toBe('0x5')
    const nodes = storageProof[0]!.proof.map((node) => hexToBytes(node))
    expect(keccak256(nodes[0]!)).toBe(storageHash)
    const proven = await verifyMerkleProof(hexToBytes(keccak256(slot)), nodes)
    expect(proven === null ? null : RLP.decode(proven)).toEqual(Uint8Array.of(1))
  })

  test('withdrawing through the bridge passes a message of the messenger', async () => {
    const withdrawing = await chain.clone()
    const ether = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000'
    const receipt = await send(withdrawing, {
      to: BRIDGE,
      value: 7n,
      data: encodeCall('withdraw(address,uint256,uint32,bytes)', ether, 7n, 100_000, '0x'),
    })
    expect(receipt).toMatchObject({ status: '0x1' })
    const [withdrawal] = getWithdrawals({ logs: receipt.logs as unknown as Log[] })
    expect(withdrawal).toMatchObject({ value: 7n, nonce: NONCE })
    expect([withdrawal!.sender.toLowerCase(), withdrawal!.target.toLowerCase()]).toEqual([
      MESSENGER,
      L1.crossDomainMessenger,
    ])
  })

  test('a vault pays to its recipient on this chain', async () => {
    const paying = await chain.clone()
    const vault = OP_PREDEPLOYS.OperatorFeeVault
    await paying.setBalance(vault, 11n)
    expect(await send(paying, { to: vault, data: encodeCall('withdraw()') })).toMatchObject({ status: '0x1' })
    const balance = await paying.request({ method: 'eth_getBalance', params: [OP_PREDEPLOYS.BaseFeeVault] })
    expect(BigInt(balance)).toBeGreaterThanOrEqual(11n)
    expect(await read(paying, vault, 'totalProcessed() view returns (uint256)')).toBe(11n)
  })
})

test('the factory deploys a token that the bridge may mint', async () => {
  const created = await chain.clone()
  const receipt = await send(created, {
    to: OP_PREDEPLOYS.OptimismMintableERC20Factory,
    data: encodeCall('createOptimismMintableERC20(address,string,string)', ALICE, 'Token', 'TKN'),
  })
  const event = parseAbiItem(
    'event StandardL2TokenCreated(address indexed remoteToken, address indexed localToken)',
  )
  const [log] = parseEventLogs({ abi: [event], logs: receipt.logs as unknown as Log[] })
  const token = log!.args.localToken
  expect(await read(created, token, 'symbol() view returns (string)')).toBe('TKN')
  const mint = { to: token, data: encodeCall('mint(address,uint256)', BOB, 9n) }
  expect(await send(created, mint)).toMatchObject({ status: '0x0' })
  expect(await send(created, { ...mint, from: BRIDGE })).toMatchObject({ status: '0x1' })
  expect(await read(created, token, 'balanceOf(address) view returns (uint256)', BOB)).toBe(9n)
})

describe('accounts', () => {
  beforeAll(loadCrypto)

  test('an address is there once', () => {
    const addresses = opGenesisAccounts({ rules: opRules('jovian') }).map(([each]) => each)
    expect(new Set(addresses).size).toBe(addresses.length)
    expect(addresses).toEqual(addresses.map((each) => each.toLowerCase()))
  })

  test('unless told, the layer 1 is that of Base', () => {
    const accounts = new Map(opGenesisAccounts({ rules: opRules('jovian'), l1: { chainId: 900 } }))
    const slot = toHex(4, { size: 32 })
    expect(toHex(accounts.get(BRIDGE)!.storage.get(slot)!)).toBe(
      base.contracts.l1StandardBridge[1].address.toLowerCase(),
    )
    expect(accounts.get(PROXY_ADMIN)!.storage.get(zeroHash)).toEqual(hexToBytes(ALICE))
  })

  test('viem knows the same addresses', () => {
    const here = [
      'L2CrossDomainMessenger',
      'GasPriceOracle',
      'L1Block',
      'L2StandardBridge',
      'L2ToL1MessagePasser',
    ] as const
    const there = [
      'l2CrossDomainMessenger',
      'gasPriceOracle',
      'l1Block',
      'l2StandardBridge',
      'l2ToL1MessagePasser',
    ] as const
    expect(here.map((name) => OP_PREDEPLOYS[name])).toEqual(
      there.map((name) => base.contracts[name].address.toLowerCase()),
    )
  })
})
