// How requests are made to go wrong. The registry, which knows what requests there are, hands in their names.

import { addFault } from '../../node/faults/faults.ts'
import { toQuantity } from '../../primitives/hex.ts'
import { required } from '../codecs/codec.ts'
import { checkMeant, fault, faultable } from '../codecs/fault.ts'
import { defineCommand } from '../method.ts'

/** Makes `tickchain_addFault` of the names of the other methods. */
export function defineAddFault(names: readonly string[]) {
  return defineCommand({
    summary:
      'Lets requests go wrong: fail with an error or an HTTP status, wait on the virtual clock, get lost, or be answered by a node that lags behind.',
    params: [required('fault', fault)],
    result: 'fault id',
    example: {
      params: [
        { method: 'eth_getTransactionReceipt', error: { code: -32005, message: 'limit exceeded' }, times: 2 },
      ],
    },
    async handle({ node, options }, rule) {
      checkMeant(rule, faultable(names, options.chainPrefix), '0')
      node.expectFaults()
      return toQuantity(await node.execute((state) => addFault(state, rule)))
    },
  })
}
