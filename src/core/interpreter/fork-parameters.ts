// Costs and limits of the EVM by fork, from byzantium to osaka. Written out, because the reference, which has them too,
// takes longer to load than a transaction takes; a test compares the two.

import { type Hardfork, isActiveUnder } from '../rollup/hardforks.ts'
import type { Rules } from '../rollup/rules.ts'

/** The parameters of a fork: those of this library, or the `Common` of @ethereumjs. */
export interface ForkParameters {
  readonly param: (name: string) => bigint
  readonly isActivatedEIP: (eip: number) => boolean
  readonly gteHardfork: (hardfork: Hardfork) => boolean
  readonly hardfork: () => string
  readonly chainId: () => bigint
}

/** A parameter of the fork; zero if the fork does not have it, where `Common` throws. */
export function parameterOf(common: ForkParameters, name: string): number {
  try {
    return Number(common.param(name))
  } catch {
    return 0
  }
}

export interface OpcodeInfo {
  /** Static gas. */
  readonly fee: number
  readonly isInvalid: boolean
}

/** Values with the fork that introduced them; the first is of byzantium, if no fork is named. */
type History = number | { readonly [Since in Hardfork]?: number }

const PARAMETERS: Readonly<Record<string, History>> = {
  callNewAccountGas: 25_000,
  callStipendGas: 2300,
  callValueTransferGas: 9000,
  coldaccountaccessGas: { berlin: 2600 },
  coldsloadGas: { berlin: 2100 },
  copyGas: 3,
  createDataGas: 200,
  expByteGas: 50,
  initCodeWordGas: { shanghai: 2 },
  keccak256WordGas: 6,
  logDataGas: 8,
  logGas: 375,
  logTopicGas: 375,
  maxCodeSize: 24_576,
  maxInitCodeSize: { shanghai: 49_152 },
  memoryGas: 3,
  netSstoreCleanGas: onlyUnderConstantinople(5000),
  netSstoreClearRefundGas: onlyUnderConstantinople(15_000),
  netSstoreDirtyGas: onlyUnderConstantinople(200),
  netSstoreInitGas: onlyUnderConstantinople(20_000),
  netSstoreNoopGas: onlyUnderConstantinople(200),
  netSstoreResetClearRefundGas: onlyUnderConstantinople(19_800),
  netSstoreResetRefundGas: onlyUnderConstantinople(4800),
  quadCoefficientDivGas: 512,
  selfdestructRefundGas: { byzantium: 24_000, london: 0 },
  sstoreCleanEIP2200Gas: { istanbul: 5000, berlin: 2900 },
  sstoreCleanRefundEIP2200Gas: { istanbul: 4200, berlin: 4900 },
  sstoreClearRefundEIP2200Gas: { istanbul: 15_000, london: 4800 },
  sstoreDirtyEIP2200Gas: { istanbul: 800, berlin: 100 },
  sstoreInitEIP2200Gas: { istanbul: 20_000 },
  sstoreInitRefundEIP2200Gas: { istanbul: 19_200, berlin: 19_900 },
  sstoreNoopEIP2200Gas: { istanbul: 800, berlin: 100 },
  sstoreRefundGas: 15_000,
  sstoreResetGas: 5000,
  sstoreSentryEIP2200Gas: { istanbul: 2300 },
  sstoreSetGas: 20_000,
  stackLimit: 1024,
  warmstoragereadGas: { berlin: 100 },
  // Precompiles.
  blake2RoundGas: { istanbul: 1 },
  bn254PairingGas: { byzantium: 100_000, istanbul: 45_000 },
  bn254PairingWordGas: { byzantium: 80_000, istanbul: 34_000 },
  ecRecoverGas: 3000,
  identityGas: 15,
  identityWordGas: 3,
  modexpGquaddivisorGas: { byzantium: 20, berlin: 3 },
  sha256Gas: 60,
  sha256WordGas: 12,
}

/** EIP-1283 was withdrawn. */
function onlyUnderConstantinople(value: number): History {
  return { constantinople: value, petersburg: 0 }
}

export const PARAMETER_NAMES: readonly string[] = Object.keys(PARAMETERS)

/** Static gas, and the opcodes from byzantium on that have it under every fork. */
const STATIC_GAS: readonly (readonly [fee: number, opcodes: readonly number[]])[] = [
  [0, [0x00, 0x55, 0xf3, 0xfd]],
  [1, [0x5b]],
  [2, [0x30, 0x32, 0x33, 0x34, 0x36, 0x38, 0x3a, 0x3d, 0x50, 0x58, 0x59, 0x5a, ...range(0x41, 0x45)]],
  [3, [0x01, 0x03, 0x35, 0x37, 0x39, 0x3e, 0x51, 0x52, 0x53, ...range(0x10, 0x1a), ...range(0x60, 0x9f)]],
  [5, [0x02, 0x0b, ...range(0x04, 0x07)]],
  [8, [0x08, 0x09, 0x56]],
  [10, [0x0a, 0x57]],
  [20, [0x40]],
  [30, [0x20]],
  [375, range(0xa0, 0xa4)],
  [5000, [0xff]],
  [32_000, [0xf0]],
]

/** Opcodes that a fork added, or whose static gas a fork changed. Accesses have had dynamic gas since berlin. */
const CHANGED_GAS: readonly (readonly [opcode: number, history: History])[] = [
  ...range(0x1b, 0x1d).map((shift) => [shift, { constantinople: 3 }] as const),
  [0x1e, { osaka: 5 }],
  [0x31, { byzantium: 400, istanbul: 700, berlin: 0 }],
  ...[0x3b, 0x3c, 0xf1, 0xf2, 0xf4, 0xfa].map((access) => [access, { byzantium: 700, berlin: 0 }] as const),
  [0x3f, { constantinople: 400, istanbul: 700, berlin: 0 }],
  [0x46, { istanbul: 2 }],
  [0x47, { istanbul: 5 }],
  [0x48, { london: 2 }],
  [0x49, { cancun: 3 }],
  [0x4a, { cancun: 2 }],
  [0x54, { byzantium: 200, istanbul: 800, berlin: 0 }],
  [0x5c, { cancun: 100 }],
  [0x5d, { cancun: 100 }],
  [0x5e, { cancun: 3 }],
  [0x5f, { shanghai: 2 }],
  [0xf5, { constantinople: 32_000 }],
]

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
}

/** The forks of the EIPs that the interpreter asks for. */
const EIPS: Readonly<Record<number, Hardfork>> = {
  1153: 'cancun',
  2565: 'berlin',
  2929: 'berlin',
  3541: 'london',
  3860: 'shanghai',
  4399: 'paris',
  6780: 'cancun',
  7702: 'prague',
  7823: 'osaka',
  7883: 'osaka',
}

/** The latest value; `undefined` before the first. */
function valueUnder(hardfork: Hardfork, history: History): number | undefined {
  if (typeof history === 'number') return history
  const since = Object.keys(history) as (keyof typeof history)[]
  const last = since.filter((fork) => isActiveUnder(hardfork, fork)).at(-1)
  return last && history[last]
}

export function forkParametersOf({ hardfork, chainId }: Pick<Rules, 'hardfork' | 'chainId'>): ForkParameters {
  return {
    param: (name) => BigInt(valueUnder(hardfork, PARAMETERS[name] ?? 0) ?? 0),
    isActivatedEIP(eip) {
      const since = EIPS[eip]
      return since !== undefined && isActiveUnder(hardfork, since)
    },
    gteHardfork: (since) => isActiveUnder(hardfork, since),
    hardfork: () => hardfork,
    chainId: () => BigInt(chainId),
  }
}

/** The opcodes of a fork. */
export function opcodesOf(hardfork: Hardfork): ReadonlyMap<number, OpcodeInfo> {
  const opcodes = new Map<number, OpcodeInfo>()
  for (const [fee, codes] of STATIC_GAS)
    for (const code of codes) opcodes.set(code, { fee, isInvalid: false })
  for (const [code, history] of CHANGED_GAS) {
    const fee = valueUnder(hardfork, history)
    if (fee !== undefined) opcodes.set(code, { fee, isInvalid: false })
  }
  return opcodes
}
