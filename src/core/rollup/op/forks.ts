// Forks of the OP stack, in order, and the hardfork of execution under each.

import type { Code } from '../../state/account.ts'
import type { SelectableHardfork } from '../hardforks.ts'

/** Forks that change execution, fees or headers; delta, which changes only batches, is not among them. */
export const OP_FORKS = [
  'bedrock',
  'regolith',
  'canyon',
  'ecotone',
  'fjord',
  'granite',
  'holocene',
  'isthmus',
  'jovian',
] as const

export type OpFork = (typeof OP_FORKS)[number]

/** The hardfork of execution under each fork of the OP stack. */
export const HARDFORK_UNDER: Readonly<Record<OpFork, SelectableHardfork>> = {
  bedrock: 'paris',
  regolith: 'paris',
  canyon: 'shanghai',
  ecotone: 'cancun',
  fjord: 'cancun',
  granite: 'cancun',
  holocene: 'cancun',
  isthmus: 'prague',
  jovian: 'prague',
}

/** Parameters of the base fee (EIP-1559). */
export interface Eip1559Parameters {
  readonly denominator: bigint
  readonly elasticity: bigint
}

/** The part of a block's rules that only an OP-stack chain has. */
export interface OpRules {
  readonly fork: OpFork
  /** Those of the chain at this fork, which apply where a header or the L1 attributes set none. */
  readonly eip1559: Eip1559Parameters
  /** What the first block of canyon sets, on a chain that began before. */
  readonly create2Deployer?: Code | undefined
}

const POSITIONS = Object.fromEntries(OP_FORKS.map((fork, index) => [fork, index])) as Record<OpFork, number>

/** The rules of a block, as far as its fork of the OP stack goes. */
export interface OpForkRules {
  /** Set for a chain of the OP stack. */
  readonly op: OpRules | undefined
}

/** Whether a block is of an OP-stack chain, at this fork or a later one. */
export function isOpForkActive({ op }: OpForkRules, since: OpFork): boolean {
  return op !== undefined && POSITIONS[op.fork] >= POSITIONS[since]
}
