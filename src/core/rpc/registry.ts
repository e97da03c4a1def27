// Table of all methods by name. A method that its group exports is in it without further mention.

import { defineRead, type Method } from './method.ts'
import * as accounts from './methods/accounts.ts'
import { defineAddFault } from './methods/add-fault.ts'
import * as block from './methods/block.ts'
import * as blockSettings from './methods/block-settings.ts'
import * as chainControl from './methods/chain-control.ts'
import * as client from './methods/client.ts'
import * as config from './methods/config.ts'
import * as debug from './methods/debug.ts'

import * as debugState from './methods/debug-state.ts'

import * as debugTrace from './methods/debug-trace.ts'
import * as execute from './methods/execute.ts'
import * as explore from './methods/explore.ts'
import * as failures from './methods/failures.ts'
import * as feeMarket from './methods/fee-market.ts'
import * as filter from './methods/filter.ts'
import * as impersonation from './methods/impersonation.ts'
import * as mining from './methods/mining.ts'
import * as nodeInfo from './methods/node-info.ts'
import * as optimism from './methods/optimism.ts'
import * as otterscan from './methods/otterscan.ts'
import * as outcome from './methods/outcome.ts'
import * as personal from './methods/personal.ts'
import * as poolControl from './methods/pool-control.ts'
import * as sign from './methods/sign.ts'
import * as simulate from './methods/simulate.ts'
import * as snapshot from './methods/snapshot.ts'
import * as state from './methods/state.ts'
import * as stateDump from './methods/state-dump.ts'
import * as submit from './methods/submit.ts'
import * as subscription from './methods/subscription.ts'
import * as testing from './methods/testing.ts'
import * as time from './methods/time.ts'
import * as tokens from './methods/tokens.ts'
import * as trace from './methods/trace.ts'
import * as transaction from './methods/transaction.ts'
import * as txpool from './methods/txpool.ts'
import * as wallet from './methods/wallet.ts'

const GROUPS = {
  ...block,
  ...state,
  ...transaction,
  ...outcome,
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
  ...debugState,
  ...trace,
  ...otterscan,
  ...optimism,
  ...debugTrace,
  ...testing,
  ...time,
  ...mining,
  ...blockSettings,
  ...snapshot,
  ...poolControl,
  ...chainControl,
  ...nodeInfo,
  ...stateDump,
  ...accounts,
  ...impersonation,
  ...tokens,
  ...personal,
  ...failures,
  ...explore,
  ...wallet,
}

/** The version that geth gives every module. */
const MODULE_VERSION = '1.0'
const OWN_MODULE = 'base'

/** Defines `rpc_modules` from the names of the other methods. */
function defineModules(names: readonly string[]) {
  const prefixes = [...names, 'rpc_modules'].map((name) => name.slice(0, name.indexOf('_')))
  return defineRead({
    summary: 'The groups of methods that the node offers, with their versions.',
    params: [],
    beforeFork: 'handler',
    result: 'object from prefix to version',
    example: { params: [] },
    handle({ options }): Record<string, string> {
      const shown = prefixes.map((prefix) => (prefix === OWN_MODULE ? options.chainPrefix : prefix))
      return Object.fromEntries([...new Set(shown)].sort().map((prefix) => [prefix, MODULE_VERSION]))
    },
  })
}

export const METHODS = {
  ...GROUPS,
  rpc_modules: defineModules(Object.keys(GROUPS)),
  tickchain_addFault: defineAddFault([...Object.keys(GROUPS), 'rpc_modules']),
}

/** The names of all JSON-RPC methods, listed in https://github.com/tickchain/tickchain/blob/main/docs/rpc.md. */
export type MethodName = keyof typeof METHODS

export function findMethod(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? (METHODS[name as MethodName] as unknown as Method) : undefined
}
