// Rules of a chain of the OP stack, at a fork.

import type { Eip1559Parameters } from '../../../../src/core/rollup/fees.ts'
import { OP_FORK_ROWS, type OpFork } from '../../../../src/core/rollup/op/forks.ts'
import { opRules } from '../../../../src/core/rollup/op/stack.ts'
import { makeRules, type Rules } from '../../../../src/core/rollup/rules.ts'

/** Those of Base before canyon. */
const EIP1559: Eip1559Parameters = { denominator: 50n, elasticity: 6n }

export function rulesAt(fork: OpFork, eip1559: Eip1559Parameters = EIP1559): Rules {
  return makeRules(8453, OP_FORK_ROWS[fork].hardfork, { rollup: opRules(fork, eip1559) })
}

/** Those of a chain that is not of the OP stack. */
export const PLAIN = makeRules(31337, 'prague')
