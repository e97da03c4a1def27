// Names and order of the hardforks.

/** Hardforks in order, without bomb delays and blob-parameter-only forks, which do not change execution. */
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

/** Hardhat's names of the merge and of the forks that only delay the difficulty bomb. */
const HARDHAT_NAMES = {
  muirGlacier: 'istanbul',
  arrowGlacier: 'london',
  grayGlacier: 'london',
  merge: 'paris',
} as const satisfies Record<string, SelectableHardfork>

/** The names that the option `hardfork` takes, Hardhat's among them. */
export type HardforkName = SelectableHardfork | keyof typeof HARDHAT_NAMES

/** Translates Hardhat's names; returns any other value unchanged. */
export function hardforkNamed(name: unknown): unknown {
  const isOther = typeof name === 'string' && Object.hasOwn(HARDHAT_NAMES, name)
  return isOther ? HARDHAT_NAMES[name as keyof typeof HARDHAT_NAMES] : name
}

/** Precomputed, because every transaction compares forks dozens of times. */
const POSITIONS = Object.fromEntries(HARDFORKS.map((hardfork, index) => [hardfork, index])) as Record<
  Hardfork,
  number
>

export function isActiveUnder(hardfork: Hardfork, since: Hardfork): boolean {
  return POSITIONS[hardfork] >= POSITIONS[since]
}
