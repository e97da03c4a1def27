// @ts-check
// The library for the fuzzer, from the build. Tests pass the sources (test/core/interpreter/library.ts).

import * as evmPool from '../../dist/core/execution/evm/evm-pool.js'
import * as runMessage from '../../dist/core/execution/evm/run-message.js'
import * as observe from '../../dist/core/execution/trace/observe.js'
import * as intrinsicGas from '../../dist/core/execution/transaction/intrinsic-gas.js'
import * as runTransaction from '../../dist/core/execution/transaction/run-transaction.js'
import * as crypto from '../../dist/core/primitives/crypto.js'
import * as rules from '../../dist/core/rollup/rules.js'
import * as stateTries from '../../dist/core/state/state-tries.js'
import * as worldState from '../../dist/core/state/world-state.js'

const parts = {
  ...evmPool,
  ...observe,
  ...intrinsicGas,
  ...runMessage,
  ...runTransaction,
  ...crypto,
  ...rules,
  ...stateTries,
  ...worldState,
}

/** The cast is needed because classes of the build and of the sources have distinct types. */
export const library = /** @type {import('./execute.js').Library} */ (/** @type {unknown} */ (parts))
