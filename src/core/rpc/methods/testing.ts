// The engine's build of a block over RPC: the `testing` namespace that test suites of execution clients use.

import { buildForEngine } from '../../node/production/engine-build.ts'
import { decodeTransaction } from '../../pool/decode.ts'
import { arrayOf, data, hash } from '../codecs/basic.ts'
import { optional, required } from '../codecs/codec.ts'
import { MAX_TRANSACTIONS, payloadAttributes } from '../codecs/payload-attributes.ts'
import { formatBuiltBlock, type RpcBuiltBlock } from '../format/payload.ts'
import { defineRead } from '../method.ts'
import { NO_HASH, ZEROS } from './examples.ts'

export const testing_buildBlockV1 = defineRead({
  summary:
    'Builds a block on a block of the chain, with the given transactions or, without the parameter, from the pool. Changes nothing.',
  params: [
    required('parentHash', hash),
    required('payloadAttributes', payloadAttributes),
    optional('transactions', arrayOf(data, MAX_TRANSACTIONS), undefined),
    optional('extraData', data, undefined),
  ],
  beforeFork: 'handler',
  result:
    'object with executionPayload, blockValue, blobsBundle, executionRequests and shouldOverrideBuilder',
  example: {
    params: [
      NO_HASH,
      {
        timestamp: '0x6592008c',
        prevRandao: ZEROS,
        suggestedFeeRecipient: `0x${'00'.repeat(20)}`,
        withdrawals: [],
        parentBeaconBlockRoot: ZEROS,
      },
      [],
      '0x',
    ],
    error: 'blockNotFound',
  },
  async handle({ config, state }, parentHash, attributes, raw, extraData): Promise<RpcBuiltBlock> {
    const transactions = raw?.map((bytes) => decodeTransaction(bytes))
    return formatBuiltBlock(
      await buildForEngine(config, state, { parentHash, attributes, transactions, extraData }),
    )
  },
})
