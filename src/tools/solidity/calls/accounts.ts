// Accounts for people: their names, and their storage by the names of variables.

import { heldAccounts } from '../../../core/node/control/wallet.ts'
import { pendingWorld } from '../../../core/node/node-state.ts'
import { type Address, bytesToBigInt, type Hash, toWord } from '../../../core/primitives/hex.ts'
import type { ReadContext, RpcAccountDescription, RpcSlot } from '../../../core/rpc/session.ts'
import { pageByHash } from '../../../core/state/state-listing.ts'
import { readAccount, runCodeAt, type WorldState } from '../../../core/state/world-state.ts'
import { nativeContractAt } from '../artifacts/read-contracts.ts'
import { contractIndexOf, recogniseDeployed } from '../model/contract-index.ts'
import { likelyPreimages, type NameOf, variablesIn } from './storage-names.ts'

/** Contracts that a chain may have by itself. */
const WELL_KNOWN: ReadonlyMap<Address, string> = new Map([
  ['0xca11bde05977b3631167028862be2a173976ca11', 'Multicall3'],
  ['0x4e59b44847b379578588920ca78fbf26c0b4956c', 'Create2Deployer'],
  ['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', 'BeaconRoots'],
  ['0x0000f90827f1c53a10cb7a02335b175320002935', 'HistoryStorage'],
])

/** Labels of a test first, then the emulator's own accounts by their position. */
export function namesIn({ state, known: { labels } }: ReadContext): NameOf {
  const accounts = new Map(heldAccounts(state).map((address, index) => [address, `account${index}`]))
  const own = state.chain.head.rules.rollup?.stack.accountNames
  return (address) =>
    labels.get(address) ?? accounts.get(address) ?? WELL_KNOWN.get(address) ?? own?.get(address)
}

const MOST_SLOTS = 1000

function contractAt({ known }: ReadContext, state: WorldState, address: Address) {
  const native = nativeContractAt(known, address)
  const contracts = contractIndexOf(known)
  if (native !== undefined || contracts === undefined) return native
  return recogniseDeployed(contracts, runCodeAt(state, address))
}

export function describeAccount(context: ReadContext, address: Address): RpcAccountDescription {
  const contract = contractAt(context, pendingWorld(context.state), address)
  return { address, name: namesIn(context)(address) ?? null, contract: contract?.name || null }
}

export function describeStorage(context: ReadContext, state: WorldState, address: Address): RpcSlot[] {
  const { entries } = pageByHash(readAccount(state, address).storage, '0x', MOST_SLOTS)
  const layout = contractAt(context, state, address)?.storageLayout
  // Likely keys of mappings: named accounts first.
  const all = Array.from(state.entries(), ([each]) => each)
  const keys = [...new Set([...heldAccounts(context.state), ...context.known.labels.keys(), ...all])]
  const preimages = layout && likelyPreimages(layout, keys)
  const named = namesIn(context)
  const nameOf: NameOf = (account) =>
    named(account) ?? (contractAt(context, state, account)?.name || undefined)
  return entries.map(({ key, value }) => {
    const word = bytesToBigInt(value)
    const variables = preimages === undefined ? [] : variablesIn(layout, preimages, nameOf, BigInt(key))
    const shown = variables.map(({ name, partOf, textOf }) => ({ name, value: textOf(partOf(word)) }))
    return { slot: key as Hash, value: toWord(word), variables: shown }
  })
}
