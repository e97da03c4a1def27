// The contracts of supersim's layer 1 for its first layer 2, as facts that fit into a page: hashes for code.

import { gunzipSync } from 'node:zlib'
import { type Hex, hexToBytes } from 'viem'
import { L1_DEFAULTS, type L1GenesisOptions } from '../../../src/tools/pair/l1-genesis-options.ts'
import { type Accounts, factsOf } from './genesis.ts'

/** The layer 1's contracts there, and what they were set up with. Proxies name most; the games' functions the rest. */
export const SETUP: L1GenesisOptions = {
  block: { number: 0, timestamp: 0 },
  superchain: {
    addresses: {
      proxyAdmin: '0xd077dce4246995a87b35a569be00103b3124b5da',
      superchainConfig: '0x811d626a3444c5c10fa01607ee11efbeaf19b0ff',
      superchainConfigImplementation: '0xce28685eb204186b557133766eca00334eb441e4',
      protocolVersions: '0x0000000000000000000000000000000000000000',
      protocolVersionsImplementation: '0x0000000000000000000000000000000000000000',
    },
    owner: '0x69a2d297b1af083885fef2e8f378201da757dfd8',
    guardian: '0x9e6a4a0bab4de21d43ecc97bfa9d65eb3053793a',
  },
  rollups: [
    {
      ...L1_DEFAULTS,
      chainId: 901,
      addresses: {
        proxyAdmin: '0x489d547a66233f1e476d4657cccd753a5629fe8c',
        addressManager: '0xd989366df3140ca387848c8c71b26f3729771188',
        systemConfig: '0x3feb7f8765b9341b054eb4671cc47d3e33d1606d',
        systemConfigImplementation: '0xfaa660bf783cbaa55e1b7f3475c20db74a53b9fa',
        optimismPortal: '0x75ceb25776d0402972b736f6e13fd0616be98f22',
        optimismPortalImplementation: '0xc67fc3c8a99c3a0f1ba31119bc7310e3978af001',
        l1CrossDomainMessenger: '0xc8c71093ffc2092d61a72369d81940b839bb12b4',
        l1CrossDomainMessengerImplementation: '0xd26bb3aaaa4cb5638a8581a4c4b1d937d8e05c54',
        l1StandardBridge: '0x52af4dff31d13449b70993e21eb599c615a66541',
        l1StandardBridgeImplementation: '0x44afb7722af276a601d524f429016a18b6923df0',
        l1ERC721Bridge: '0xc96c1766809668a7d7fcb4c76beb8c2d0d9e8683',
        l1ERC721BridgeImplementation: '0x25d6cedeb277ad7ebee71226ed7877768e0b7a2f',
        optimismMintableERC20Factory: '0x0e1ea4d69f20767db8a359271e71e11f3f6b9660',
        optimismMintableERC20FactoryImplementation: '0x5493f4677a186f64805fe7317d6993ba4863988f',
        disputeGameFactory: '0x51095eac6e2b6da9811c6febbdd67add79135ce0',
        disputeGameFactoryImplementation: '0x33d1e8571a85a538ed3d5a4d88f46c112383439d',
        anchorStateRegistry: '0x2ea98e1a37f77e0e6eb41bb07410cc35b9bae345',
        anchorStateRegistryImplementation: '0x50a19fef2ae17260798f0a0adf180868844af1a3',
        delayedWETH: '0xae031485f7ea731d6b5dcbffe2e33417a940c1e1',
        delayedWETHImplementation: '0x33dadc2d1aa9bb613a7ae6b28425ea00d44c6998',
        // Not there: supersim has only the permissioned game.
        faultDisputeGame: '0x0000000000000000000000000000000000000000',
        permissionedDisputeGame: '0xc77c081d3245be490949e4c2e5dd8b522a194927',
        mips: '0xa4c760fe39f5319e62930e4d9ce5cb9977577342',
        preimageOracle: '0x407a2be310b06fd1fe1bcf9db924786a9e8f4607',
      },
      system: {
        batcherHash: '0x000000000000000000000000e6fb5f4cc65d6bf7fd10c394caee2891bd4e964f',
        overhead: 0n,
        scalar: 0n,
        baseFeeScalar: 1368,
        blobBaseFeeScalar: 810_949,
        gasLimit: 60_000_000n,
        eip1559: { denominator: 0, elasticity: 0 },
        operatorFeeScalar: 0,
        operatorFeeConstant: 0n,
        minBaseFee: 0n,
        daFootprintGasScalar: 0,
      },
      owner: '0x69a2d297b1af083885fef2e8f378201da757dfd8',
      unsafeBlockSigner: '0x47b9861abe271606c965d81ac2e21d68807a2d22',
      batchInbox: '0x00289c189bee4e70334629f04cd5ed602b6600eb',
      proposer: '0x147a0ea1b0a0c4a8917f3e448571112548159f2a',
      challenger: '0x272e54b107971e195b37d03d0bc425f3ad5497c5',
      anchor: { outputRoot: `0xdead${'00'.repeat(30)}`, blockNumber: 0 },
      initialBond: 0n,
      proofMaturityDelayS: 12,
      disputeGameFinalityDelayS: 6,
      bondDelayS: 302_400,
      absolutePrestate: '0x038512e02c4c3f7bdaec27d00edf55b7155e0905301e1a88083e4e0a6764d54c',
    },
  ],
}

export const ABSENT: Hex = '0x0000000000000000000000000000000000000000'

/** The addresses of the table, by name. */
export function namedAddresses(): readonly (readonly [name: string, address: Hex])[] {
  const { superchain, rollups } = SETUP
  const named = [
    ...Object.entries(superchain.addresses).map(
      ([name, address]) => [`superchain.${name}`, address] as const,
    ),
    ...rollups.flatMap(({ addresses }) => Object.entries(addresses)),
  ]
  return named.filter(([, address]) => address !== ABSENT)
}

/** The accounts of the table in anvil's dump. */
export function readL1Dump(dump: Hex): Accounts {
  const { accounts } = JSON.parse(gunzipSync(hexToBytes(dump)).toString())
  const there = Object.fromEntries(
    Object.entries(accounts).map(([address, account]) => [address.toLowerCase(), account]),
  )
  return Object.fromEntries(
    namedAddresses().map(([, address]) => [
      address,
      factsOf(there[address] as Parameters<typeof factsOf>[0]),
    ]),
  )
}
