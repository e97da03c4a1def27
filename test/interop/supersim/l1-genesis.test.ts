// The layer 1's contracts in genesis, against those that were recorded on supersim: contracts of a release that is some
// years later. Every difference has its reason here.

import { readFileSync } from 'node:fs'
import { type Hex, keccak256, pad, toHex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import type { Account } from '../../../src/core/state/world-state.ts'
import { l1GenesisAccounts } from '../../../src/tools/pair/genesis-l1.ts'
import { type AccountFacts, type Accounts, factsOf } from './genesis.ts'
import { namedAddresses, SETUP } from './l1-genesis.ts'

const recorded: Accounts = JSON.parse(readFileSync(new URL('l1-genesis.json', import.meta.url), 'utf8'))

/** Differences by their reason. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  'The package on npm has an earlier release of the contract.': [
    'superchain.superchainConfigImplementation: code',
    'optimismPortalImplementation: code',
    'l1CrossDomainMessengerImplementation: code',
    'l1StandardBridgeImplementation: code',
    'l1ERC721BridgeImplementation: code',
    'optimismMintableERC20FactoryImplementation: code',
    'disputeGameFactoryImplementation: code',
    'anchorStateRegistryImplementation: code',
    'delayedWETHImplementation: code',
    'mips: code',
    'preimageOracle: code',
  ],
  'Ours, which inherits from an earlier release, and adds the interface of later ones.': [
    'systemConfigImplementation: code',
    'permissionedDisputeGame: code',
  ],
  'Implementations are locked by their version there, and here by setting them up with nothing.': [
    'superchain.superchainConfigImplementation: slot 0',
    'systemConfigImplementation: slot 0',
    'systemConfigImplementation: slot 51 only here',
    'systemConfigImplementation: slot 102 only here',
    'systemConfigImplementation: slot 104 only here',
    'systemConfigImplementation: slot 105 only here',
    'optimismPortalImplementation: slot 0',
    'optimismPortalImplementation: slot 1 only here',
    'optimismPortalImplementation: slot 50 only here',
    'l1CrossDomainMessengerImplementation: slot 0',
    'l1CrossDomainMessengerImplementation: slot 204 only here',
    'l1CrossDomainMessengerImplementation: slot 207 only here',
    'l1StandardBridgeImplementation: slot 0',
    'l1StandardBridgeImplementation: slot 4 only here',
    'l1ERC721BridgeImplementation: slot 0',
    'l1ERC721BridgeImplementation: slot 2 only here',
    'optimismMintableERC20FactoryImplementation: slot 0',
    'disputeGameFactoryImplementation: slot 0',
    'anchorStateRegistryImplementation: slot 0',
    'delayedWETHImplementation: slot 0',
  ],
  'Set up a second time there, for a later release.': [
    'systemConfig: slot 0',
    'optimismPortal: slot 0',
    'l1CrossDomainMessenger: slot 0',
    'l1StandardBridge: slot 0',
    'l1ERC721Bridge: slot 0',
  ],
  'Later contracts ask the system configuration for the chain and the superchain.': [
    'systemConfig: slot 107 only there',
    'systemConfig: slot 108 only there',
    'optimismPortal: slot 53 only here',
    'l1CrossDomainMessenger: slot 251 only here',
    'l1CrossDomainMessenger: slot 253 only here',
    'l1CrossDomainMessenger: slot 254 only there',
    'l1StandardBridge: slot 50 only here',
    'l1StandardBridge: slot 51 only here',
    'l1StandardBridge: slot 52 only there',
    'l1ERC721Bridge: slot 50 only here',
    'l1ERC721Bridge: slot 51 only there',
    'delayedWETH: slot 104 only here',
    'delayedWETH: slot 4 only there',
    'delayedWETH: slot 51 only here',
  ],
  'The guardian stands beside the flag of set-up there, and here at the hash of its name.': [
    'superchain.superchainConfig: slot 0',
    'superchain.superchainConfig: superchainConfig.guardian only here',
  ],
  'Later portals ask the registry of anchors for the factory and the type of games, and keep ether in a lockbox.':
    [
      'systemConfig: systemconfig.disputegamefactory only here',
      'optimismPortal: slot 56 only here',
      'optimismPortal: slot 59 only here',
      'optimismPortal: slot 62 only there',
      'optimismPortal: slot 63 only there',
      'anchorStateRegistry: slot 0',
      'anchorStateRegistry: slot 1 only there',
      'anchorStateRegistry: slot 3 only there',
      'anchorStateRegistry: slot 6 only there',
      'anchorStateRegistry: anchor of games of type 0 only here',
      'anchorStateRegistry: anchor of games of type 1 only here',
    ],
  'Another account sets the system configuration there than upgrades the contracts; here one does both.': [
    'systemConfig: slot 51',
  ],
}

const before = (name: string) => toHex(BigInt(keccak256(toHex(name))) - 1n, { size: 32 })
const anchorOf = (gameType: bigint) =>
  keccak256(`${toHex(gameType, { size: 32 })}${toHex(1n, { size: 32 }).slice(2)}`)

const SLOT_NAMES: Readonly<Record<Hex, string>> = {
  [before('superchainConfig.guardian')]: 'superchainConfig.guardian',
  [before('systemconfig.disputegamefactory')]: 'systemconfig.disputegamefactory',
  [anchorOf(0n)]: 'anchor of games of type 0',
  [anchorOf(1n)]: 'anchor of games of type 1',
}

function factsOfAccount({ nonce, code, storage }: Account): AccountFacts {
  const slots = [...storage.entries()].map(([slot, value]) => [slot, pad(toHex(value), { size: 32 })])
  return factsOf({ nonce: Number(nonce), code: toHex(code.bytes), storage: Object.fromEntries(slots) })
}

function differencesOf(ours: AccountFacts, theirs: AccountFacts): string[] {
  const slots = [...new Set([...Object.keys(ours.storage), ...Object.keys(theirs.storage)])] as Hex[]
  const inStorage = slots.flatMap((slot) => {
    const [here, there] = [ours.storage[slot], theirs.storage[slot]]
    if (here === there) return []
    const only = here === undefined ? ' only there' : there === undefined ? ' only here' : ''
    return [`${SLOT_NAMES[slot] ?? `slot ${BigInt(slot)}`}${only}`]
  })
  const isSameCode = ours.codeHash === theirs.codeHash
  return [...(ours.nonce === theirs.nonce ? [] : ['nonce']), ...(isSameCode ? [] : ['code']), ...inStorage]
}

let here: ReadonlyMap<Hex, AccountFacts>
beforeAll(async () => {
  await loadCrypto()
  here = new Map(l1GenesisAccounts(SETUP).map(([address, account]) => [address, factsOfAccount(account)]))
})

test('the contracts are those on supersim, but for the differences that have a reason', () => {
  const differences = namedAddresses().flatMap(([name, address]) => {
    const [ours, theirs] = [here.get(address), recorded[address]]
    if (ours === undefined || theirs === undefined) return [`${name}: absent`]
    return differencesOf(ours, theirs).map((difference) => `${name}: ${difference}`)
  })
  expect(differences.sort()).toEqual(Object.values(REASONS).flat().sort())
})

test('code and storage are the same where no reason is: proxies, and who may upgrade them', () => {
  const told = Object.values(REASONS).flat()
  const same = namedAddresses().flatMap(([name]) =>
    told.some((each) => each.startsWith(`${name}:`)) ? [] : [name],
  )
  expect(same).toEqual([
    'superchain.proxyAdmin',
    'proxyAdmin',
    'addressManager',
    'optimismMintableERC20Factory',
    'disputeGameFactory',
  ])
})
