// Hardforks: their names and their order.

/** Hardforks in order. Delays of the difficulty bomb and blob-parameter forks change no rule of execution. */
const HARDFORKS = [
  'chainstart',
  'homestead',
  'tangerineWhistle',
  'spuriousDragon',
  'byzantium',
  'constantinople',
  'petersburg',
  'istanbul',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
] as const

export type Hardfork = (typeof HARDFORKS)[number]

/**
 * The forks that a chain can be built under. Receipts before byzantium carry state roots: such a chain can be
 * imported, not built.
 */
export type SelectableHardfork = Exclude<
  Hardfork,
  'chainstart' | 'homestead' | 'tangerineWhistle' | 'spuriousDragon'
>

export const SELECTABLE_HARDFORKS = HARDFORKS.slice(
  HARDFORKS.indexOf('byzantium'),
) as readonly SelectableHardfork[]

/** Hardhat's names of the merge, and of forks that put off the bomb and change nothing else. */
const HARDHAT_NAMES = {
  muirGlacier: 'istanbul',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  merge: 'paris',
} as const satisfies Record<string, SelectableHardfork>

export type HardforkName = SelectableHardfork | keyof typeof HARDHAT_NAMES

/** What Hardhat calls otherwise by our name; anything else as it is. */
export function hardforkNamed(name: unknown): unknown {
  const isOther = typeof name === 'string' && Object.hasOwn(HARDHAT_NAMES, name)
  return isOther ? HARDHAT_NAMES[name as keyof typeof HARDHAT_NAMES] : name
}

/** Asked dozens of times for a transaction. */
const POSITIONS = Object.fromEntries(HARDFORKS.map((hardfork, index) => [hardfork, index])) as Record<
  Hardfork,
  number
>

/** Whether a hardfork includes what `since` brought. */
export function isActiveUnder(hardfork: Hardfork, since: Hardfork): boolean {
  return POSITIONS[hardfork] >= POSITIONS[since]
}
