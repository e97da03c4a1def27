// The contracts of supersim's layer 2 before its first transaction, as facts that fit into a page: hashes for code.

import { gunzipSync } from 'node:zlib'
import { type Hex, hexToBytes, keccak256, size } from 'viem'

export interface AccountFacts {
  readonly nonce: number
  readonly codeSize: number
  readonly codeHash: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

export type Accounts = Readonly<Record<Hex, AccountFacts>>

export interface Genesis {
  readonly accounts: Accounts
  /** Proxies at addresses that no contract has yet: how many there are. They are all as the one at `SPARE`. */
  readonly spareProxies: number
}

/** A proxy without a contract, which stands for all of them. */
export const SPARE: Hex = '0x4200000000000000000000000000000000000500'

interface Dumped {
  readonly nonce: number
  readonly code: Hex
  readonly storage: Readonly<Record<Hex, Hex>>
}

/** Written in every block (EIP-2935, EIP-4788). */
const SYSTEM: readonly string[] = [
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
]

export function factsOf({ nonce, code, storage }: Dumped): AccountFacts {
  return { nonce, codeSize: size(code), codeHash: keccak256(code), storage }
}

/** Accounts with code or a nonce, of anvil's dump. */
export function readDump(dump: Hex): Genesis {
  const text = gunzipSync(hexToBytes(dump)).toString()
  const { accounts } = JSON.parse(text) as { accounts: Record<Hex, Dumped> }
  const known = Object.entries(accounts) as [Hex, Dumped][]
  const entries = known.flatMap(([key, account]) => {
    const address = key.toLowerCase() as Hex
    if (account.code === '0x' && account.nonce === 0) return []
    const storage = SYSTEM.includes(address) ? {} : account.storage
    return [[address, factsOf({ ...account, storage })] as const]
  })
  const spare = JSON.stringify(entries.find(([address]) => address === SPARE)?.[1])
  const isSpare = ([address, facts]: readonly [Hex, AccountFacts]) =>
    address !== SPARE && JSON.stringify(facts) === spare
  const kept = entries.filter((entry) => !isSpare(entry)).sort(([a], [b]) => (a < b ? -1 : 1))
  return { accounts: Object.fromEntries(kept), spareProxies: entries.length - kept.length + 1 }
}
