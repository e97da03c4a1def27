// The library for the fuzzer, from its sources. scripts/fuzz/library.js is the same from the build.

import type { Library } from '../../../scripts/fuzz/execute.js'
import * as evmPool from '../../../src/core/execution/evm/evm-pool.ts'
import * as runMessage from '../../../src/core/execution/evm/run-message.ts'
import * as observe from '../../../src/core/execution/trace/observe.ts'
import * as intrinsicGas from '../../../src/core/execution/transaction/intrinsic-gas.ts'
import * as runTransaction from '../../../src/core/execution/transaction/run-transaction.ts'
import * as crypto from '../../../src/core/primitives/crypto.ts'
import * as rules from '../../../src/core/rollup/rules.ts'
import * as stateTries from '../../../src/core/state/state-tries.ts'
import * as account from '../../../src/core/state/world-state.ts'
import * as worldState from '../../../src/core/state/world-state.ts'

export const library: Library = {
  ...evmPool,
  ...observe,
  ...intrinsicGas,
  ...runMessage,
  ...runTransaction,
  ...crypto,
  ...rules,
  ...account,
  ...stateTries,
  ...worldState,
}
