// @ts-check
// The library for the fuzzer, from the build. Tests pass the sources (test/interpreter/library.ts).

import * as evmPool from '../../dist/execution/evm/evm-pool.js'
import * as runMessage from '../../dist/execution/evm/run-message.js'
import * as observe from '../../dist/execution/trace/observe.js'
import * as runTransaction from '../../dist/execution/transaction/run-transaction.js'
import * as crypto from '../../dist/primitives/crypto.js'
import * as rules from '../../dist/rollup/rules.js'
import * as account from '../../dist/state/account.js'
import * as stateTries from '../../dist/state/state-tries.js'
import * as worldState from '../../dist/state/world-state.js'

const parts = {
  ...evmPool,
  ...observe,
  ...runMessage,
  ...runTransaction,
  ...crypto,
  ...rules,
  ...account,
  ...stateTries,
  ...worldState,
}

/** The cast is needed because classes of the build and of the sources have distinct types. */
export const library = /** @type {import('./execute.js').Library} */ (/** @type {unknown} */ (parts))
