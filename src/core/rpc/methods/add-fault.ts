// Definition of `tickchain_addFault`. The registry passes the names of all methods, which a fault may name.

import { addFault } from '../../node/faults/faults.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { required } from '../codecs/codec.ts'
import { checkMethods, fault, faultable } from '../codecs/fault.ts'
import { defineCommand } from '../method.ts'

/** Defines `tickchain_addFault` from the names of the other methods. */
export function defineAddFault(names: readonly string[]) {
  return defineCommand({
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
      checkMethods(rule, faultable(names, options.chainPrefix), '0')
      node.expectFaults()
      return toQuantity(await node.execute((state) => addFault(state, rule)))
    },
  })
}
