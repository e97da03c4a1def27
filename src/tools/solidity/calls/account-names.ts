// Names of accounts, in traces and reports.

import { heldAccounts } from '../../../core/node/control/wallet.ts'
import type { Address } from '../../../core/primitives/hex.ts'
import type { ReadContext } from '../../../core/rpc/read-context.ts'
import type { NameOf } from './value-text.ts'

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
  return (address) => labels.get(address) ?? accounts.get(address) ?? WELL_KNOWN.get(address)
}
