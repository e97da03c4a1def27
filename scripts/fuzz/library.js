// @ts-check
// The parts of the built library that the fuzzer runs. Tests hand in the sources.

import * as evmPool from '../../dist/execution/evm/evm-pool.js'
import * as runMessage from '../../dist/execution/evm/run-message.js'
import * as runTransaction from '../../dist/execution/transaction/run-transaction.js'
import * as crypto from '../../dist/primitives/crypto.js'
import * as rules from '../../dist/rollup/rules.js'
import * as account from '../../dist/state/account.js'
import * as stateTries from '../../dist/state/state-tries.js'
import * as worldState from '../../dist/state/world-state.js'

const parts = {
  ...evmPool,
  ...runMessage,
  ...runTransaction,
  ...crypto,
  ...rules,
  ...account,
  ...stateTries,
  ...worldState,
}

/** Built or not, it is the same library; types of classes are told apart. */
export const library = /** @type {import('./execute.js').Library} */ (/** @type {unknown} */ (parts))
