// The accounts of a chain with their balances, as far as it lists them, and their names.

import { amountOf, fieldsIn, hexOf, isFields, listIn, wrongShape } from './shapes.ts'
import { type Ask, ifKnown } from './source.ts'

export interface Standing {
  readonly balance: bigint
  readonly nonce: bigint
}

interface Listing {
  readonly standings: ReadonlyMap<string, Standing>
  /** True if there are accounts that are not listed. */
  readonly isCut: boolean
}

export type Standings = Awaited<ReturnType<typeof standingsOf>>

const MOST = 256

/** The first accounts of a state; `undefined` if the node lists none. */
async function listing(ask: Ask, tag: string): Promise<Listing | undefined> {
  const method = 'debug_accountRange'
  const answer = await ifKnown(ask(method, [tag, '0x', MOST, true, true]))
  if (answer === undefined) return undefined
  const { accounts, next } = fieldsIn(answer)
  if (!isFields(accounts)) throw wrongShape(method, 'a list of accounts', answer)
  const standings = Object.entries(accounts).map(([address, account]) => {
    const { balance, nonce } = fieldsIn(account)
    if (!/^\d+$/.test(`${balance}`)) throw wrongShape(method, 'an account', account)
    return [address.toLowerCase(), { balance: BigInt(`${balance}`), nonce: BigInt(Number(nonce)) }] as const
  })
  return { standings: new Map(standings), isCut: next !== undefined && next !== null }
}

/** Single accounts, where a node lists none. */
async function singly(ask: Ask, tag: string, addresses: readonly string[]): Promise<Listing> {
  const standings = addresses.map(async (address) => {
    const [balance, nonce] = await Promise.all([
      ask('eth_getBalance', [address, tag]),
      ask('eth_getTransactionCount', [address, tag]),
    ])
    return [address, { balance: amountOf(balance), nonce: amountOf(nonce) }] as const
  })
  return { standings: new Map(await Promise.all(standings)), isCut: true }
}

/** Accounts, the own ones first. */
export async function standingsOf(ask: Ask) {
  const own = listIn(await ifKnown(ask('eth_accounts', []))).flatMap((each) => hexOf(each) ?? [])
  const latest = (await listing(ask, 'latest')) ?? (await singly(ask, 'latest', own))
  const pending = (await listing(ask, 'pending')) ?? (await singly(ask, 'pending', own))
  const listed = new Set([...latest.standings.keys(), ...pending.standings.keys()])
  const others = [...listed].filter((address) => !own.includes(address)).sort()
  return { addresses: [...own.filter((address) => listed.has(address)), ...others], latest, pending }
}

/**
 * Asks for names of accounts, for all that are wanted in the same task together: the name that a test gave, or that of an own
 * account, and the name of the contract whose code it has.
 */
export function createNames(ask: Ask) {
  let gathered: string[] = []
  let answer: Promise<unknown> | undefined
  const askTogether = async (): Promise<unknown> => {
    await Promise.resolve()
    const addresses = gathered
    gathered = []
    answer = undefined
    return ask('tickchain_describeAccounts', [addresses])
  }
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  return async (address: string) => {
    const index = gathered.push(address) - 1
    answer ??= askTogether()
    const { name, contract } = fieldsIn(listIn(await answer)[index])
    return { name: textOf(name), contract: textOf(contract) }
  }
}
