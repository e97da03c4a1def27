// Log queries, filters and subscriptions. Addresses and transactions are the same on both sides, block hashes are not.

import { ALICE, BOB, OSAKA, type Row, request, setCode } from './rows.ts'
import type { Scenario } from './scenario.ts'

const EMITTER = `0x${'cc'.repeat(20)}`
const [T1, T2, T3] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(32)}`)
/** Emits 42 with the topics T1 and T2. */
const CODE = `0x602a5f527f${T2!.slice(2)}7f${T1!.slice(2)}60205fa200`

const SHOWN = [
  ...['address', 'topics', 'data', 'blockNumber', 'blockTimestamp', 'removed'],
  ...['transactionHash', 'transactionIndex', 'logIndex'],
]

const emit: Row = request('eth_sendTransaction', {
  ...{ from: ALICE, to: EMITTER, gas: '0x186a0', gasPrice: '0x77359400' },
})
const logs = (filter: object): Row => ({ method: 'eth_getLogs', params: [filter], compare: SHOWN })
const take = (method: string, id: string): Row => ({ method, params: [id], compare: SHOWN })
const filterLogs = (id: string): Row => take('eth_getFilterLogs', id)
const changes = (id: string): Row => take('eth_getFilterChanges', id)
/** A request that is only accepted or refused. */
const begin = (method: string, ...params: unknown[]): Row => ({ method, params })

export const LOGS: readonly Scenario[] = [
  {
    title: 'ranges of log queries',
    ...OSAKA,
    steps: [
      setCode(EMITTER, CODE),
      emit,
      emit,
      ...[
        {},
        { fromBlock: '0x1', toBlock: '0x2' },
        { fromBlock: '0x2', toBlock: '0x1' },
        { fromBlock: '0x5' },
        { fromBlock: '0x989680' },
        { fromBlock: '0x5', toBlock: '0x7' },
        { fromBlock: '0x0', toBlock: '0x50' },
        { toBlock: '0x1' },
        { toBlock: '0x5' },
        { fromBlock: 'latest', toBlock: 'earliest' },
        { fromBlock: 'earliest' },
        { fromBlock: 'pending' },
        { toBlock: 'pending' },
        { fromBlock: '0x0', toBlock: 'safe' },
        { fromBlock: 'finalized' },
        { fromBlock: null, toBlock: null },
        { blockHash: T3 },
        { blockHash: T3, fromBlock: '0x0' },
      ].map(logs),
      { method: 'eth_getBlockByNumber', params: ['0x1', false], compare: 'keys' },
      logs({ blockHash: '$21.hash' }),
      { method: 'eth_getLogs', params: [{}], compare: ['removed'] },
    ],
  },
  {
    title: 'addresses and topics of log queries',
    ...OSAKA,
    steps: [
      setCode(EMITTER, CODE),
      emit,
      emit,
      ...[
        { address: EMITTER },
        { address: [EMITTER, BOB] },
        { address: BOB },
        { address: [] },
        { address: null },
        { topics: [] },
        { topics: null },
        { topics: [null] },
        { topics: [T1] },
        { topics: [null, T2] },
        { topics: [null, T1] },
        { topics: [[T2, T1]] },
        { topics: [null, null] },
        { topics: [T1, null] },
        { topics: [[T1], [T3, T2]] },
        { topics: [T1, T2, T2] },
        { topic: T3 },
        { topics: [null, null, null] },
      ].map((criteria) => logs({ fromBlock: '0x0', ...criteria })),
    ],
    differs: {
      20: {
        here: {
          result: ['0x1', '0x2'].map((blockNumber, index) => ({
            address: EMITTER,
            topics: [T1, T2],
            data: `0x${'2a'.padStart(64, '0')}`,
            blockNumber,
            blockTimestamp: `0x${(1_767_225_601 + index).toString(16)}`,
            removed: false,
            transactionHash: [
              '0x36322f97a5a15034b6b67f7b64e961e78d06e39fc08c612d9e0d10d630399990',
              '0xbf52c48baa0e4478b2e1df293a442a16402d091a454177dcc3c34d7b7f99c398',
            ][index],
            transactionIndex: '0x0',
            logIndex: '0x0',
          })),
        },
        because: 'a null beyond the topics of a log matches, as on the nodes of the specification',
      },
    },
  },
  {
    title: 'filters of logs',
    ...OSAKA,
    steps: [
      setCode(EMITTER, CODE),
      emit,
      emit,
      request('eth_newFilter', {}),
      request('eth_newFilter', { fromBlock: '0x1' }),
      request('eth_newFilter', { fromBlock: '0x1', toBlock: '0x3' }),
      request('eth_newFilter', { fromBlock: 'earliest', toBlock: 'latest' }),
      request('eth_newFilter', { fromBlock: '0x5' }),
      request('eth_newFilter', { toBlock: '0x1' }),
      request('eth_newFilter', { fromBlock: '0x3', toBlock: '0x1' }),
      request('eth_newFilter', { toBlock: 'earliest' }),
      request('eth_newFilter', { fromBlock: 'pending' }),
      request('eth_newFilter', { topic: T3 }),
      request('eth_newFilter', { blockHash: T3 }),
      filterLogs('$3'),
      changes('$4'),
      changes('$4'),
      filterLogs('$4'),
      filterLogs('$5'),
      filterLogs('$5'),
      changes('$6'),
      changes('$7'),
      filterLogs('$8'),
      filterLogs('$9'),
      filterLogs('$10'),
      filterLogs('$11'),
      emit,
      emit,
      ...[3, 3].map((id) => filterLogs(`$${id}`)),
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((id) => changes(`$${id}`)),
      request('eth_uninstallFilter', '$3'),
      request('eth_uninstallFilter', '$3'),
      changes('$3'),
      filterLogs('$3'),
      filterLogs('0x55'),
      changes('0x55'),
    ],
  },
  {
    title: 'filters of blocks and of pending transactions',
    ...OSAKA,
    steps: [
      request('eth_newBlockFilter'),
      request('eth_newPendingTransactionFilter'),
      { method: 'eth_getFilterChanges', params: ['$0'], compare: ['length'] },
      request('eth_getFilterChanges', '$0'),
      request('eth_sendTransaction', { from: ALICE, to: BOB, gas: '0x5208', gasPrice: '0x77359400' }),
      request('evm_mine'),
      { method: 'eth_getFilterChanges', params: ['$0'], compare: ['length'] },
      request('eth_getFilterChanges', '$1'),
      request('eth_getFilterChanges', '$1'),
      request('eth_getFilterLogs', '$0'),
      request('eth_getFilterLogs', '$1'),
      request('eth_uninstallFilter', '$1'),
      request('eth_getFilterChanges', '$1'),
    ],
  },
  {
    title: 'subscriptions',
    ...OSAKA,
    steps: [
      begin('eth_subscribe', 'newHeads'),
      begin('eth_subscribe', 'newPendingTransactions'),
      begin('eth_subscribe', 'logs', { address: EMITTER, topic: T1 }),
      begin('eth_subscribe', 'logs', { address: EMITTER, topics: [T1] }),
      ...['$0', '$1', '$2', '$0'].map((id) => request('eth_unsubscribe', id)),
      request('eth_unsubscribe', '0x999'),
    ],
  },
]
