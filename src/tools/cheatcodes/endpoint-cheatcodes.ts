// Cheatcodes of networks by name.

import { type Cheatcodes, overloads } from './cheatcode.ts'
import { withVariables } from './environment-cheatcodes.ts'
import { CheatcodeRefusal } from './errors.ts'
import type { CheatExecution } from './execution.ts'

/** The URL of an alias, or the URL itself. */
export function urlOf(run: CheatExecution, alias: string): string {
  const url = run.cheats.setting.endpoints[alias]
  if (url !== undefined) return withVariables(run, url)
  if (/^(https?|wss?):\/\/./.test(alias)) return alias
  throw new CheatcodeRefusal(`invalid rpc url: ${alias}`)
}

function urls(run: CheatExecution): readonly (readonly [string, string])[] {
  return Object.keys(run.cheats.setting.endpoints)
    .sort()
    .map((alias) => [alias, urlOf(run, alias)])
}

/** Chains by id: alias and name, as forge has them. */
const CHAINS: Readonly<Record<string, string>> = {
  ...{ 1: 'mainnet', 10: 'optimism', 56: 'bsc', 100: 'gnosis', 130: 'unichain', 137: 'polygon' },
  ...{ 8453: 'base', 17000: 'holesky', 31337: 'anvil-hardhat', 42161: 'arbitrum', 43114: 'avalanche' },
  ...{ 84532: 'base-sepolia', 11155111: 'sepolia', 11155420: 'optimism-sepolia' },
}

function chain(run: CheatExecution, given: string | bigint) {
  const found = Object.entries(CHAINS).find(([id, name]) => id === `${given}` || name === given)
  if (found === undefined) throw new CheatcodeRefusal(`invalid chain alias: ${given}`)
  const [id, name] = found
  const isKnown = run.cheats.setting.endpoints[name] !== undefined
  return [name, BigInt(id), name, isKnown ? urlOf(run, name) : '']
}

export const ENDPOINT_CHEATCODES: Cheatcodes = {
  'rpcUrl(string) returns (string)': urlOf,
  'rpcUrls() returns (string[2][])': urls,
  'rpcUrlStructs() returns ((string,string)[])': urls,
  ...overloads('getChain', [['string', 'uint256']], ' returns ((string,uint256,string,string))', chain),
}
