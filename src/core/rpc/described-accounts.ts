// Accounts for people: their names, and their storage by the names of variables.

import { likelyPreimages } from '../../tools/solidity/calls/likely-keys.ts'
import { type NamedValue, namedValues } from '../../tools/solidity/calls/storage-names.ts'
import type { NameOf } from '../../tools/solidity/calls/value-text.ts'
import type { CompiledContract } from '../../tools/solidity/model/contract.ts'
import { recogniseDeployed } from '../../tools/solidity/model/contract-index.ts'
import { heldAccounts } from '../node/control/wallet.ts'
import { pendingWorld } from '../node/node-state.ts'
import { type Address, bytesToBigInt, type Hash, toWord } from '../primitives/hex.ts'
import { delegateOf } from '../state/account.ts'
import { pageByHash } from '../state/state-listing.ts'
import { readAccount, type WorldState } from '../state/world-state.ts'
import { namesIn } from './account-names.ts'
import type { ReadContext } from './read-context.ts'

const MOST_SLOTS = 1000

export interface RpcAccountDescription {
  readonly address: Address
  readonly name: string | null
  readonly contract: string | null
}

export interface RpcSlot {
  readonly slot: Hash
  readonly value: Hash
  readonly variables: readonly { readonly name: string; readonly value: string }[]
}

function contractAt(
  { known: { contracts } }: ReadContext,
  state: WorldState,
  address: Address,
): CompiledContract | undefined {
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
  return { address, name: namesIn(context, context.known)(address) ?? null, contract: contract?.name || null }
}

/** The accounts that are likely keys: those with names, and those of contracts. */
function likelyAddresses({ state, known: { labels } }: ReadContext, world: WorldState): Address[] {
  const all = Array.from(world.entries(), ([address]) => address)
  return [...new Set([...heldAccounts(state), ...labels.keys(), ...all])]
}

/** Names in storage: as `describeAccount` has them. */
function namesOfAll(context: ReadContext, state: WorldState): NameOf {
  const named = namesIn(context, context.known)
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
