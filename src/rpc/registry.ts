// Every method, by name. A method is exported from its group and needs no other mention.

import type { Method } from './method.ts'
import * as block from './methods/block.ts'
import * as client from './methods/client.ts'
import * as evm from './methods/evm.ts'
import * as execute from './methods/execute.ts'
import * as feeMarket from './methods/fee-market.ts'
import * as filter from './methods/filter.ts'
import * as rollup from './methods/rollup.ts'
import * as sign from './methods/sign.ts'
import * as state from './methods/state.ts'
import * as submit from './methods/submit.ts'
import * as subscription from './methods/subscription.ts'
import * as transaction from './methods/transaction.ts'

export const METHODS = {
  ...block,
  ...state,
  ...transaction,
  ...filter,
  ...subscription,
  ...submit,
  ...execute,
  ...feeMarket,
  ...sign,
  ...client,
  ...evm,
  ...rollup,
}

export type MethodName = keyof typeof METHODS

export function findMethod(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? (METHODS[name as MethodName] as unknown as Method) : undefined
}
