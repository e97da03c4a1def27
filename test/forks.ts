// Hardforks for parametrised tests.

/** The forks under which blocks are built. */
export const HARDFORKS = [
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

/** geth's chain configuration with every fork by number at block 0. Tests add the rest. */
export const FORKS_BY_NUMBER = {
  homesteadBlock: 0,
  eip150Block: 0,
  eip155Block: 0,
  eip158Block: 0,
  byzantiumBlock: 0,
  constantinopleBlock: 0,
  petersburgBlock: 0,
  istanbulBlock: 0,
  berlinBlock: 0,
  londonBlock: 0,
} as const
