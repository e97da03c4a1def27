// The library for the fuzzer, from its sources. scripts/fuzz/library.js is the same from the build.

import type { Library } from '../../scripts/fuzz/execute.js'
import * as evmPool from '../../src/execution/evm/evm-pool.ts'
import * as runMessage from '../../src/execution/evm/run-message.ts'
import * as observe from '../../src/execution/trace/observe.ts'
import * as runTransaction from '../../src/execution/transaction/run-transaction.ts'
import * as crypto from '../../src/primitives/crypto.ts'
import * as rules from '../../src/rollup/rules.ts'
import * as account from '../../src/state/account.ts'
import * as stateTries from '../../src/state/state-tries.ts'
import * as worldState from '../../src/state/world-state.ts'

export const library: Library = {
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
