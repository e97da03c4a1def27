// Table of all methods by name. A method that its group exports is in it without further mention.

import { addFault } from '../node/faults/faults.ts'
import { toQuantity } from '../primitives/hex.ts'
import { type Parameter, required } from './codecs/codec.ts'
import { checkMethods, fault, faultable } from './codecs/fault.ts'
import { type CommandMethod, defineCommand, defineRead, type Method, type ReadMethod } from './method.ts'
import * as accounts from './methods/accounts.ts'
import * as block from './methods/block.ts'
import * as blockSettings from './methods/block-settings.ts'
import * as chainControl from './methods/chain-control.ts'
import * as client from './methods/client.ts'
import * as debug from './methods/debug.ts'
import * as debugState from './methods/debug-state.ts'
import * as execute from './methods/execute.ts'
import * as feeMarket from './methods/fee-market.ts'
import * as filter from './methods/filter.ts'
import * as mining from './methods/mining.ts'
import * as optimism from './methods/optimism.ts'
import * as otterscan from './methods/otterscan.ts'
import * as poolControl from './methods/pool-control.ts'
import * as sign from './methods/sign.ts'
import * as state from './methods/state.ts'
import * as submit from './methods/submit.ts'
import * as transaction from './methods/transaction.ts'
import * as wallet from './methods/wallet.ts'

const GROUPS = {
  ...accounts,
  ...block,
  ...blockSettings,
  ...chainControl,
  ...client,
  ...debug,
  ...debugState,
  ...execute,
  ...feeMarket,
  ...filter,
  ...mining,
  ...optimism,
  ...otterscan,
  ...poolControl,
  ...sign,
  ...state,
  ...submit,
  ...transaction,
  ...wallet,
}

const NAMES = [...Object.keys(GROUPS), 'rpc_modules']
const PREFIXES = NAMES.map((name) => name.slice(0, name.indexOf('_')))

const rpc_modules = defineRead({
  summary: 'The groups of methods that the node offers, with their versions.',
  result: 'object from prefix to version',
  handle({ options }): Record<string, string> {
    const shown = PREFIXES.map((prefix) => (prefix === 'base' ? options.chainPrefix : prefix))
    // geth gives every module this version.
    return Object.fromEntries([...new Set(shown)].sort().map((prefix) => [prefix, '1.0']))
  },
})

const tickchain_addFault = defineCommand({
  summary:
    'Adds a fault: matching requests fail with an error or an HTTP status, wait on the virtual clock, get lost, or see a stale head.',
  params: [required('fault', fault)],
  result: 'fault id',
  example: {
    params: [
      { method: 'eth_getTransactionReceipt', error: { code: -32005, message: 'limit exceeded' }, times: 2 },
    ],
  },
  async handle({ node, options }, rule) {
    checkMethods(rule, faultable(NAMES, options.chainPrefix), '0')
    node.expectFaults()
    return toQuantity(await node.execute((state) => addFault(state, rule)))
  },
})

type AnyMethod =
  | ReadMethod<readonly Parameter<unknown>[], unknown>
  | CommandMethod<readonly Parameter<unknown>[], unknown>

export const METHODS = { ...GROUPS, rpc_modules, tickchain_addFault } satisfies Readonly<
  Record<string, Pick<AnyMethod, 'kind' | 'params'>>
>

/** The names of all JSON-RPC methods, listed in https://github.com/tickchain/tickchain/blob/main/docs/rpc.md. */
export type MethodName = keyof typeof METHODS

export function findMethod(name: string): Method | undefined {
  return Object.hasOwn(METHODS, name) ? (METHODS[name as MethodName] as unknown as Method) : undefined
}
