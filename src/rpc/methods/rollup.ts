// Methods of the layer-2 chain itself. Their prefix is the chain's name, an option; here they have the default.

import { findTransaction } from '../../node/lookup.ts'
import { hash } from '../codecs/basic.ts'
import { required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'

export const base_transactionStatus = defineRead({
  summary: 'Whether a transaction is known and not yet sealed: in the pool, or pre-confirmed.',
  params: [required('transactionHash', hash)],
  result: 'object with status "Known" or "Unknown"',
  example: { params: [`0x${'11'.repeat(32)}`] },
  handle({ state }, transactionHash): { readonly status: 'Known' | 'Unknown' } {
    const found = findTransaction(state, transactionHash)
    const isWaiting = found !== undefined && ('pooled' in found || found.view.isPending)
    return { status: isWaiting ? 'Known' : 'Unknown' }
  },
})
