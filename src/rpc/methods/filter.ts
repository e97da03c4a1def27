// Logs.

import { required } from '../codecs/codec.ts'
import { logFilter } from '../codecs/filter.ts'
import { queryLogs } from '../log-query.ts'
import { defineRead } from '../method.ts'

export const eth_getLogs = defineRead({
  summary: 'The logs that match a filter; from and to `pending` are those of pre-confirmed transactions.',
  params: [required('filter', logFilter)],
  result: 'array of logs',
  example: { params: [{ fromBlock: 'earliest', toBlock: 'latest' }] },
  handle: queryLogs,
})
