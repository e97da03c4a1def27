// Fields of blocks, transactions and receipts under each hardfork, fees and their history, selectors and slots.

import { ALICE, BOB, OSAKA, type Row, request, under } from './rows.ts'
import type { Scenario } from './scenario.ts'

const HASH = `0x${'11'.repeat(32)}`
const keys = (method: string, ...params: unknown[]): Row => ({ method, params, compare: 'keys' })
const send = (fields: object): Row =>
  request('eth_sendTransaction', { from: ALICE, to: BOB, gas: '0x7530', ...fields })
const fees = (...params: unknown[]): Row => request('eth_feeHistory', ...params)

const TRANSACTION = [
  ...['hash', 'type', 'chainId', 'nonce', 'from', 'to', 'value', 'input', 'gas', 'gasPrice', 'accessList'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'v', 'r', 's', 'blockNumber', 'transactionIndex'],
]
const RECEIPT = [
  ...['type', 'status', 'root', 'transactionHash', 'transactionIndex', 'blockNumber', 'from', 'to', 'logs'],
  ...['contractAddress', 'gasUsed', 'cumulativeGasUsed', 'effectiveGasPrice', 'logsBloom'],
]
const BLOCK = [
  ...['number', 'timestamp', 'gasLimit', 'gasUsed', 'baseFeePerGas', 'sha3Uncles', 'uncles', 'withdrawals'],
  ...[
    'withdrawalsRoot',
    'blobGasUsed',
    'excessBlobGas',
    'requestsHash',
    'extraData',
    'transactions',
    'miner',
  ],
  ...['transactionsRoot', 'receiptsRoot', 'logsBloom'],
]
/** Since the merge. */
const MERGED = [...BLOCK, 'difficulty', 'totalDifficulty', 'nonce']
const ACCESS_LIST = [{ address: BOB, storageKeys: [HASH] }]

const FORKS = [
  ...(['byzantium', 'constantinople', 'petersburg', 'istanbul', 'muirGlacier', 'berlin'] as const),
  ...(['london', 'arrowGlacier', 'grayGlacier', 'merge', 'shanghai', 'cancun', 'prague', 'osaka'] as const),
]

/** Constructor and cost of code make 53,903; SSTORE of what is there, under EIP-1283, 200. EDR takes 5,000. */
const NET_GAS: Scenario['differs'] = {
  10: {
    here: {
      result: {
        ...{
          type: null,
          status: '0x1',
          root: null,
          transactionIndex: '0x0',
          blockNumber: '0x2',
          from: ALICE,
        },
        ...{ to: null, logs: [], contractAddress: '0xe7f1725e7734ce288f8367e1bb143e90bb3f0512' },
        ...{ gasUsed: '0xd28f', cumulativeGasUsed: '0xd28f', effectiveGasPrice: null },
        transactionHash: '0xdf687d607198d60842b120d3c7984de32383dcb6f9a207ddda0d8ac79ebc5f53',
        logsBloom: `0x${'00'.repeat(256)}`,
      },
    },
    because: 'EDR has no EIP-1283: it runs constantinople as petersburg',
  },
}

const isMerged = (fork: (typeof FORKS)[number]): boolean => FORKS.indexOf(fork) >= FORKS.indexOf('merge')

export const FIELDS: readonly Scenario[] = [
  ...FORKS.map(
    (hardfork): Scenario => ({
      title: `blocks, transactions and receipts in ${hardfork}`,
      ...under(hardfork),
      steps: [
        send({ gasPrice: '0x77359400' }),
        keys('eth_getBlockByNumber', '0x0', false),
        {
          method: 'eth_getBlockByNumber',
          params: ['0x1', false],
          compare: isMerged(hardfork) ? MERGED : BLOCK,
        },
        keys('eth_getBlockByNumber', '0x1', true),
        keys('eth_getBlockByNumber', 'pending', true),
        { method: 'eth_getTransactionByHash', params: ['$0'], compare: TRANSACTION },
        keys('eth_getTransactionByHash', '$0'),
        { method: 'eth_getTransactionReceipt', params: ['$0'], compare: RECEIPT },
        keys('eth_getTransactionReceipt', '$0'),
        request('eth_sendTransaction', {
          ...{ from: ALICE, gas: '0x186a0', gasPrice: '0x77359400', data: '0x600060005560016000f3' },
        }),
        { method: 'eth_getTransactionReceipt', params: ['$9'], compare: RECEIPT },
        keys('eth_getTransactionByBlockNumberAndIndex', '0x1', '0x0'),
        request('evm_setAutomine', false),
        send({ gasPrice: '0x77359400', value: '0x1' }),
        keys('eth_getTransactionByHash', '$13'),
        { method: 'eth_pendingTransactions', compare: TRANSACTION },
        request('eth_getTransactionReceipt', '$13'),
      ],
      ...(hardfork === 'constantinople' ? { differs: NET_GAS } : {}),
    }),
  ),
  ...(['berlin', 'london', 'osaka'] as const).map(
    (hardfork): Scenario => ({
      title: `transactions with an access list in ${hardfork}`,
      ...under(hardfork),
      steps: [
        send({ gasPrice: '0x77359400', accessList: ACCESS_LIST }),
        { method: 'eth_getTransactionByHash', params: ['$0'], compare: TRANSACTION },
        keys('eth_getTransactionByHash', '$0'),
        { method: 'eth_getTransactionReceipt', params: ['$0'], compare: RECEIPT },
        send({ accessList: ACCESS_LIST }),
        { method: 'eth_getTransactionByHash', params: ['$4'], compare: ['type', 'accessList'] },
        send({}),
        { method: 'eth_getTransactionByHash', params: ['$6'], compare: ['type'] },
      ].map((step, index) => (index === 4 || index === 6 ? { ...step, compare: [] } : step)),
    }),
  ),
  {
    title: 'transactions with fee caps',
    ...OSAKA,
    steps: [
      send({ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }),
      { method: 'eth_getTransactionByHash', params: ['$0'], compare: TRANSACTION },
      keys('eth_getTransactionByHash', '$0'),
      { method: 'eth_getTransactionReceipt', params: ['$0'], compare: RECEIPT },
      send({ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1', accessList: ACCESS_LIST }),
      { method: 'eth_getTransactionByHash', params: ['$4'], compare: TRANSACTION },
    ],
  },
  {
    title: 'the history of fees',
    ...OSAKA,
    steps: [
      fees('0x0', 'latest', []),
      fees('0x401', 'latest', []),
      fees('0x400', 'latest', []),
      fees('0x1', 'latest', [1, 2, -1]),
      fees('0x1', 'latest', [100.1, 2, 3]),
      fees('0x1', 'latest', [1, 2, 2, 1]),
      fees('0x1', 'latest', []),
      fees('0x2', 'pending', [50, 100]),
      request('evm_setAutomine', false),
      request('hardhat_setNextBlockBaseFeePerGas', '0x0'),
      send({ gas: '0x5208', maxFeePerGas: '0x9502f9000', maxPriorityFeePerGas: '0x77359400' }),
      send({ gas: '0x5208', maxFeePerGas: '0x9502f9000', maxPriorityFeePerGas: '0x3b9aca00' }),
      send({ gas: '0x5208', gasPrice: '0x174876e800' }),
      request('evm_mine'),
      fees('0x1', 'latest', [0, 0.0175, 0.035, 0.0525, 0.07, 0.105, 100]),
      fees('0x5', 'latest', [0, 10]),
      request('hardhat_setNextBlockBaseFeePerGas', '0x3b9aca00'),
      send({ gas: '0x5208', maxFeePerGas: '0x2540be400', maxPriorityFeePerGas: '0x3b9aca00' }),
      send({ gas: '0x5208', gasPrice: '0x174876e800' }),
      send({ gas: '0x5208', gasPrice: '0x2540be400' }),
      request('evm_mine'),
      fees('0x1', 'latest', [0, 0.0175, 0.035, 0.0525, 0.07, 0.105, 100]),
      fees('0x2', 'earliest', []),
      fees('0x3', 'safe', [50]),
      request('eth_gasPrice'),
      request('eth_maxPriorityFeePerGas'),
      request('eth_blobBaseFee'),
    ],
  },
  {
    title: 'selectors of blocks',
    ...OSAKA,
    steps: [
      { method: 'eth_getBlockByNumber', params: ['0x0', false] },
      ...[
        { blockHash: '$0.hash' },
        { blockHash: '$0.hash', requireCanonical: true },
        { blockHash: '$0.hash', requireCanonical: false },
        { blockNumber: '0x0' },
        'latest',
        'pending',
        'earliest',
        'safe',
        'finalized',
        '0x0',
        null,
      ].map((block) => request('eth_getBalance', ALICE, block)),
      request('eth_getBalance', ALICE),
      request('eth_getTransactionCount', ALICE),
      request('eth_getCode', ALICE),
      request('eth_getBlockByNumber', '0x9', false),
      request('eth_getBlockByHash', HASH, false),
      request('eth_getBlockTransactionCountByHash', HASH),
      request('eth_getBlockTransactionCountByNumber', '0x9'),
      request('eth_getBlockTransactionCountByNumber', '0x0'),
      request('eth_getTransactionByBlockHashAndIndex', HASH, '0x0'),
      request('eth_getTransactionByBlockHashAndIndex', '$0.hash', '0x0'),
      request('eth_getTransactionByBlockNumberAndIndex', '0x0', '0x0'),
      request('eth_getTransactionByBlockNumberAndIndex', '0x9', '0x0'),
      request('eth_getTransactionByHash', HASH),
      request('eth_getTransactionReceipt', HASH),
    ],
  },
  {
    title: 'slots with and without 0x',
    ...OSAKA,
    steps: [
      request('hardhat_setStorageAt', BOB, '0xa', `0x${'7'.padStart(64, '0')}`),
      ...['0x', '0x0', '0x00', '0xA', '0x0a', '0', '00', '000', 'A', '0A', `${'a'.padStart(64, '0')}`].map(
        (slot) => request('eth_getStorageAt', BOB, slot),
      ),
    ],
  },
  {
    title: 'a network id of its own',
    network: { hardfork: 'osaka', networkId: 55, chainId: 77 },
    options: { hardfork: 'osaka', networkId: 55, chainId: 77 },
    steps: [request('net_version'), request('eth_chainId'), request('eth_syncing'), request('eth_mining')],
    differs: { 3: { here: { result: false }, because: 'EDR answered false until it dropped the method' } },
  },
]
