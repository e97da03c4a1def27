// Every method, by name. A method is exported from its group and needs no other mention.

import type { Method } from './method.ts'
import * as block from './methods/block.ts'
import * as client from './methods/client.ts'
import * as config from './methods/config.ts'
import * as debug from './methods/debug.ts'
import * as evm from './methods/evm.ts'
import * as execute from './methods/execute.ts'
import * as feeMarket from './methods/fee-market.ts'
import * as filter from './methods/filter.ts'
import { defineModules } from './methods/modules.ts'
import * as rollup from './methods/rollup.ts'
import * as sign from './methods/sign.ts'
import * as simulate from './methods/simulate.ts'
import * as state from './methods/state.ts'
import * as submit from './methods/submit.ts'
import * as subscription from './methods/subscription.ts'
import * as testing from './methods/testing.ts'
import * as transaction from './methods/transaction.ts'
import * as txpool from './methods/txpool.ts'
import * as wallet from './methods/wallet.ts'

const GROUPS = {
  ...block,
  ...state,
  ...transaction,
  ...filter,
  ...subscription,
  ...submit,
  ...execute,
  ...simulate,
  ...feeMarket,
  ...sign,
  ...client,
  ...config,
  ...txpool,
  ...debug,
  ...testing,
  ...evm,
  ...rollup,
  ...wallet,
}

export const METHODS = { ...GROUPS, rpc_modules: defineModules(Object.keys(GROUPS)) }

export type MethodName = keyof typeof METHODS

export function findMethod(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? (METHODS[name as MethodName] as unknown as Method) : undefined
}
