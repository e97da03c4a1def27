// Accounts for people: their names, and their storage by the names of variables.

import { heldAccounts } from '../../../core/node/control/wallet.ts'
import { pendingWorld } from '../../../core/node/node-state.ts'
import { type Address, bytesToBigInt, type Hash, toWord } from '../../../core/primitives/hex.ts'
import type { ReadContext, RpcAccountDescription, RpcSlot } from '../../../core/rpc/read-context.ts'
import { delegateOf } from '../../../core/state/account.ts'
import { pageByHash } from '../../../core/state/state-listing.ts'
import { readAccount, type WorldState } from '../../../core/state/world-state.ts'
import type { CompiledContract } from '../model/contract.ts'
import { contractsOf, recogniseDeployed } from '../model/contract-index.ts'
import { namesIn } from './account-names.ts'
import { likelyPreimages } from './likely-keys.ts'
import { type NamedValue, namedValues } from './storage-names.ts'
import type { NameOf } from './value-text.ts'

const MOST_SLOTS = 1000

function contractAt(
  { known }: ReadContext,
  state: WorldState,
  address: Address,
): CompiledContract | undefined {
  const contracts = contractsOf(known)
  if (contracts === undefined) return undefined
  const { bytes } = readAccount(state, address).code
  const delegate = delegateOf(bytes)
  return recogniseDeployed(
    contracts,
    delegate === undefined ? bytes : readAccount(state, delegate).code.bytes,
  )
}

export function describeAccount(context: ReadContext, address: Address): RpcAccountDescription {
  const contract = contractAt(context, pendingWorld(context.state), address)
  return { address, name: namesIn(context)(address) ?? null, contract: contract?.name || null }
}

/** The accounts that are likely keys: those with names, and those of contracts. */
function likelyAddresses({ state, known: { labels } }: ReadContext, world: WorldState): Address[] {
  const all = Array.from(world.entries(), ([address]) => address)
  return [...new Set([...heldAccounts(state), ...labels.keys(), ...all])]
}

/** Names in storage: as `describeAccount` has them. */
function namesOfAll(context: ReadContext, state: WorldState): NameOf {
  const named = namesIn(context)
  return (address) => named(address) ?? (contractAt(context, state, address)?.name || undefined)
}

export function describeStorage(context: ReadContext, state: WorldState, address: Address): RpcSlot[] {
  const { entries } = pageByHash(readAccount(state, address).storage, '0x', MOST_SLOTS)
  const layout = contractAt(context, state, address)?.storageLayout
  const preimages = layout && likelyPreimages(layout, likelyAddresses(context, state))
  const nameOf = namesOfAll(context, state)
  return entries.map(({ key, value }) => {
    const word = bytesToBigInt(value)
    const named: readonly NamedValue[] =
      layout === undefined || preimages === undefined
        ? []
        : namedValues(layout, preimages, nameOf, BigInt(key), word)
    const variables = named.map(({ name, text }) => ({ name, value: text }))
    return { slot: key as Hash, value: toWord(word), variables }
  })
}
