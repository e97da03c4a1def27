// The genesis accounts of a layer 2, against those that were recorded on supersim: contracts of the release that
// isthmus was built from. Every difference has its reason here.

import { readFileSync } from 'node:fs'
import { type Hex, pad, toHex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { opGenesisAccounts } from '../../../src/core/rollup/op/genesis-l2.ts'
import { opRules } from '../../core/rollup/op/op-chain.ts'
import { type Accounts, factsOf, type Genesis, SPARE } from './genesis.ts'

const { accounts: recorded, spareProxies }: Genesis = JSON.parse(
  readFileSync(new URL('genesis.json', import.meta.url), 'utf8'),
)

const predeploy = (suffix: string): Hex => `0x42000000000000000000000000000000000000${suffix}`
const implementation = (suffix: string): Hex => `0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d300${suffix}`

interface Reason {
  readonly reason: string
  readonly difference: 'absent' | 'code' | 'code and storage'
  readonly accounts: readonly Hex[]
}

const REASONS: readonly Reason[] = [
  {
    reason: 'The package on npm has an earlier release of the contract, with the same storage.',
    difference: 'code',
    accounts: ['00', '02', '07', '10', '11', '12', '13', '14', '16', '17', '19', '1a', '20'].map(
      implementation,
    ),
  },
  {
    reason: 'The package on npm ends before isthmus: the contract is ours, to its interface.',
    difference: 'code',
    accounts: ['0f', '15', '1b'].map(implementation),
  },
  {
    reason: 'The constructor ran at another address, which the code keeps, and the proxy does not use.',
    difference: 'code',
    accounts: [implementation('21')],
  },
  {
    reason: 'Older chains, Base among them, have WETH9, with its metadata in storage.',
    difference: 'code and storage',
    accounts: [predeploy('06')],
  },
  {
    reason: 'The hardfork brings it along (EIP-2935, EIP-4788).',
    difference: 'absent',
    accounts: ['0x0000f90827f1c53a10cb7a02335b175320002935', '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'],
  },
  {
    reason: 'Preinstalls that the package on npm lacks: EntryPoint and SenderCreator 0.7, CreateX.',
    difference: 'absent',
    accounts: [
      '0x0000000071727de22e5e9d8baf0edac6f37da032',
      '0xefc2c1444ebcc4db75e7613d20c6a62ff67a167c',
      '0xba5ed099633d3b313e4d5f7bdc1305d3c28ba5ed',
    ],
  },
  {
    reason: 'Of messages between layer 2s (interop), which is a later fork.',
    difference: 'absent',
    accounts: ['22', '23', '24', '25', '28'].flatMap((suffix) => [predeploy(suffix), implementation(suffix)]),
  },
  {
    reason:
      'One of the proxies that no contract is behind: of 2048, less two without proxies, 18 here, 5 of interop.',
    difference: 'absent',
    accounts: [SPARE],
  },
  {
    reason: 'Contracts of supersim itself.',
    difference: 'absent',
    accounts: [
      '0x154b213d8175421efb30c5ea30010a20235c4a72',
      '0x420beef000000000000000000000000000000001',
      '0x420beef000000000000000000000000000000002',
      '0xa4399cd001fea472e2a9d67bd9de6f8b42661365',
      '0xc9cc4134812dd985db14812bae436fab7d24c826',
      '0xfcdc08d2dff80dcdf1e954c4759b3316bde86464',
    ],
  },
]

let here: Accounts
beforeAll(async () => {
  await loadCrypto()
  const accounts = opGenesisAccounts({
    rules: opRules('isthmus'),
    l1: {
      chainId: 900,
      crossDomainMessenger: '0xc8c71093ffc2092d61a72369d81940b839bb12b4',
      standardBridge: '0x52af4dff31d13449b70993e21eb599c615a66541',
      erc721Bridge: '0xc96c1766809668a7d7fcb4c76beb8c2d0d9e8683',
    },
    proxyAdminOwner: '0x1f91ea89c661d4c38d0a75d671299a6c167dea9c',
  })
  const facts = accounts.map(([address, { nonce, code, storage }]) => {
    const slots = [...storage.entries()].map(([slot, value]) => [slot, pad(toHex(value), { size: 32 })])
    const account = { nonce: Number(nonce), code: toHex(code.bytes), storage: Object.fromEntries(slots) }
    return [address, factsOf(account)]
  })
  here = Object.fromEntries(facts)
})

/** The difference in one account; undefined for none. */
function differenceAt(address: Hex): string | undefined {
  const [ours, theirs] = [here[address], recorded[address]]
  if (ours === undefined) return 'absent'
  if (theirs === undefined) return 'absent there'
  const { codeHash, codeSize, ...rest } = theirs
  const isSameCode = ours.codeHash === codeHash
  const isSameRest = JSON.stringify(sorted(ours)) === JSON.stringify(sorted({ ...rest, codeHash, codeSize }))
  if (isSameRest) return isSameCode ? undefined : 'code'
  return isSameCode ? 'storage' : 'code and storage'
}

function sorted({ nonce, storage }: Accounts[Hex]): unknown {
  return [nonce, Object.entries(storage).sort()]
}

test('the accounts are those on supersim, but for the differences that have a reason', () => {
  const addresses = [...new Set([...Object.keys(recorded), ...Object.keys(here)])] as Hex[]
  const differences = addresses.flatMap((address) => {
    const difference = differenceAt(address)
    return difference === undefined ? [] : [`${address}: ${difference}`]
  })
  const told = REASONS.flatMap(({ accounts, difference }) => accounts.map((each) => `${each}: ${difference}`))
  expect(differences.sort()).toEqual(told.sort())
  expect(addresses.length - differences.length).toBe(32)
  expect(spareProxies).toBe(2048 - 2 - 18 - 5)
})
