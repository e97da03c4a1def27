// What EDR's provider tests ask of accounts, blocks, transactions by position, and the modules net and web3, and what
// depends on the hardfork.

import { ALICE, BOB, OSAKA, type Row, request, setCode, under } from './rows.ts'
import type { Scenario } from './scenario.ts'

const ZERO = `0x${'00'.repeat(20)}`
const ONE = `0x${'1'.padStart(40, '0')}`
const NOBODY = '0x1234567890123456789012345678901234567890'
const CAROL = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const COINBASE = '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'
const CONTRACT = `0x${'cc'.repeat(20)}`
const HASH = `0x${'12'.repeat(32)}`
/** Where Alice's first transaction deploys. */
const DEPLOYED = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
/** Deploys the byte 0x41. */
const DEPLOYMENT = `0x7f41${'00'.repeat(31)}60005260016000f3`
const PRICE = '0x77359400'

const TRANSACTION = [
  ...['hash', 'type', 'chainId', 'nonce', 'from', 'to', 'value', 'input', 'gas', 'gasPrice', 'accessList'],
  ...['maxFeePerGas', 'maxPriorityFeePerGas', 'v', 'r', 's', 'blockNumber', 'transactionIndex'],
]
const ACCESS_LIST = [{ address: ZERO, storageKeys: [`0x${'00'.repeat(32)}`, `0x${'1'.padStart(64, '0')}`] }]

const send = (fields: object = {}): Row =>
  request('eth_sendTransaction', {
    from: ALICE,
    to: BOB,
    value: '0x1',
    gas: '0x7530',
    gasPrice: PRICE,
    ...fields,
  })
/** Sends with fees or gas that each side chooses; the hash is not compared. */
const sendFree = (fields: object = {}): Row => ({
  method: 'eth_sendTransaction',
  params: [{ from: ALICE, to: BOB, ...fields }],
})
const call = (fields: object, ...more: unknown[]): Row =>
  request('eth_call', { from: ALICE, to: BOB, ...fields }, ...more)
const receipt = (hash: string): Row => ({
  method: 'eth_getTransactionReceipt',
  params: [hash],
  compare: ['status', 'gasUsed', 'contractAddress', 'logs'],
})
const block = (which: string): Row => ({
  method: 'eth_getBlockByNumber',
  params: [which, false],
  compare: ['number', 'transactions', 'gasUsed'],
})
const everywhere = (method: string, address: string): Row[] =>
  ['earliest', '0x0', '0x1', 'latest', 'pending', '0x9'].map((which) => request(method, address, which))
const chainId = '4660005260206000f3'

/** SSTORE of fourteen slots, each of 2,100 gas less with an access list. */
const WRITER = `0x${Array.from({ length: 14 }, (_, slot) => `600160${slot.toString(16).padStart(2, '0')}55`).join('')}`
const WRITTEN = Array.from({ length: 14 }, (_, slot) => `0x${slot.toString(16).padStart(64, '0')}`)
/** BALANCE of the address in the data. */
const TOUCHER = '0x600035315000'
const dataOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`
/** Longer than init code may be; its beginning returns nothing. */
const LONG_INIT_CODE = `0x00${'ff'.repeat(49_252)}`

const FORKED: readonly Scenario[] = [
  ...(['berlin', 'london', 'merge'] as const).map(
    (hardfork): Scenario => ({
      title: `access lists, tags and fees in ${hardfork}`,
      ...under(hardfork),
      steps: [
        setCode(CONTRACT, WRITER),
        call({ to: CONTRACT, gas: '0x58000' }),
        call({ to: CONTRACT, gas: '0x58000', accessList: [{ address: CONTRACT, storageKeys: WRITTEN }] }),
        request('eth_estimateGas', { from: ALICE, to: CONTRACT }),
        send({ to: CONTRACT, gas: '0x58000', accessList: [{ address: CONTRACT, storageKeys: WRITTEN }] }),
        receipt('$4'),
        ...['safe', 'finalized'].flatMap((tag): Row[] => [
          block(tag),
          call({}, tag),
          request('eth_getLogs', { fromBlock: '0x0', toBlock: tag }),
        ]),
        call({ maxFeePerGas: '0x1' }),
        call({ accessList: [] }),
        request('eth_feeHistory', '0x1', 'latest', []),
        setCode(BOB, '0x333160005260206000f3'),
        call({ gasPrice: '0x2', gas: '0x30d40' }),
        call({}),
        request('hardhat_impersonateAccount', NOBODY),
        send({ to: NOBODY, value: '0x16345785d8a0000' }),
        // The signature of an impersonated account is each side's own.
        { ...send({ from: NOBODY, accessList: [{ address: CONTRACT, storageKeys: [] }] }), compare: [] },
        { method: 'eth_getTransactionByHash', params: ['$20'], compare: ['type', 'from', 'accessList'] },
      ],
    }),
  ),
  ...(['merge', 'shanghai', 'osaka'] as const).map(
    (hardfork): Scenario => ({
      title: `warm coinbase and init code in ${hardfork}`,
      ...under(hardfork),
      steps: [
        setCode(CONTRACT, TOUCHER),
        send({ to: CONTRACT, data: dataOf(COINBASE), value: '0x0' }),
        receipt('$1'),
        send({ to: CONTRACT, data: dataOf('0xf0fffffff0fffffff0fffffff0fffffff0ffffff'), value: '0x0' }),
        receipt('$3'),
        request('eth_sendTransaction', { from: ALICE, data: DEPLOYMENT, gas: '0x186a0', gasPrice: PRICE }),
        receipt('$5'),
        request('eth_sendTransaction', {
          from: ALICE,
          data: LONG_INIT_CODE,
          gas: '0xe00000',
          gasPrice: PRICE,
        }),
        request('hardhat_impersonateAccount', NOBODY),
        send({ to: NOBODY, value: '0xde0b6b3a7640000' }),
        {
          method: 'eth_sendTransaction',
          params: [{ from: NOBODY, data: LONG_INIT_CODE, gas: '0xe00000', gasPrice: PRICE }],
          compare: [],
        },
        request('eth_blockNumber'),
      ],
    }),
  ),
  {
    title: 'init code of any length with allowUnlimitedContractSize',
    network: { ...under('shanghai').network, allowUnlimitedContractSize: true },
    options: { ...under('shanghai').options, allowUnlimitedContractSize: true },
    steps: [
      request('eth_sendTransaction', { from: ALICE, data: LONG_INIT_CODE, gas: '0xe00000', gasPrice: PRICE }),
      receipt('$0'),
    ],
  },
]

export const BASICS: readonly Scenario[] = [
  {
    title: 'balances and counts of transactions at blocks',
    ...OSAKA,
    steps: [
      ...[ZERO, ONE, NOBODY, ALICE].flatMap((address) => [
        request('eth_getBalance', address),
        request('eth_getTransactionCount', address),
      ]),
      call({ value: '0x1' }),
      send({ to: NOBODY }),
      ...[NOBODY, ALICE, COINBASE].flatMap((address) => [
        ...everywhere('eth_getBalance', address),
        ...everywhere('eth_getTransactionCount', address),
      ]),
      request('evm_setAutomine', false),
      send({ from: BOB, to: CAROL, nonce: '0x0' }),
      request('eth_getBalance', BOB, 'pending'),
      request('eth_getBalance', CAROL, 'pending'),
      send({ from: BOB, to: CAROL, nonce: '0x1', value: '0x2' }),
      ...[BOB, CAROL].flatMap((address) => [
        ...everywhere('eth_getBalance', address),
        ...everywhere('eth_getTransactionCount', address),
      ]),
    ],
  },
  {
    title: 'code at blocks',
    ...OSAKA,
    steps: [
      request('eth_getCode', ZERO),
      ...Array.from({ length: 10 }, (_, index) =>
        request('eth_getCode', `0x${(index + 1).toString(16).padStart(40, '0')}`),
      ),
      request('evm_snapshot'),
      request('eth_sendTransaction', { from: ALICE, data: DEPLOYMENT, gas: '0x186a0', gasPrice: PRICE }),
      ...everywhere('eth_getCode', DEPLOYED),
      request('evm_revert', '$11'),
      request('evm_setAutomine', false),
      request('eth_sendTransaction', { from: ALICE, data: DEPLOYMENT, gas: '0x186a0', gasPrice: PRICE }),
      request('eth_getTransactionReceipt', '$21'),
      ...everywhere('eth_getCode', DEPLOYED),
    ],
  },
  {
    title: 'blocks and transactions by hash and position',
    ...OSAKA,
    steps: [
      request('eth_getBlockByHash', HASH, false),
      request('eth_getBlockByHash', HASH, true),
      send({ data: '0xaa', nonce: '0x0' }),
      send({ data: '0xaa', accessList: ACCESS_LIST }),
      request('eth_sendTransaction', {
        ...{ from: ALICE, to: BOB, gas: '0x7530', data: '0xaa', accessList: ACCESS_LIST },
        ...{ maxFeePerGas: PRICE, maxPriorityFeePerGas: '0x3b9aca00' },
      }),
      ...['0x1', '0x2', '0x3'].map(
        (which): Row => ({ method: 'eth_getBlockByNumber', params: [which, false], compare: ['number'] }),
      ),
      ...[5, 6, 7].flatMap((step): Row[] => [
        request('eth_getBlockTransactionCountByHash', `$${step}.hash`),
        {
          method: 'eth_getBlockByHash',
          params: [`$${step}.hash`, false],
          compare: ['number', 'miner', 'uncles', 'transactions'],
        },
        {
          method: 'eth_getTransactionByBlockHashAndIndex',
          params: [`$${step}.hash`, '0x0'],
          compare: TRANSACTION,
        },
        request('eth_getTransactionByBlockHashAndIndex', `$${step}.hash`, '0x1'),
      ]),
      ...['0x1', '0x2', '0x3', 'latest', 'pending'].flatMap((which): Row[] => [
        request('eth_getBlockTransactionCountByNumber', which),
        { method: 'eth_getTransactionByBlockNumberAndIndex', params: [which, '0x0'], compare: TRANSACTION },
        request('eth_getTransactionByBlockNumberAndIndex', which, '0x1'),
      ]),
      request('evm_setAutomine', false),
      send({ nonce: '0x3' }),
      request('eth_getBlockTransactionCountByNumber', 'pending'),
      {
        method: 'eth_getTransactionByBlockNumberAndIndex',
        params: ['pending', '0x0'],
        compare: [...TRANSACTION, 'blockHash'],
      },
      request('eth_getBlockTransactionCountByNumber', 'latest'),
    ],
  },
  {
    title: 'the number of the head',
    ...OSAKA,
    steps: [
      request('eth_blockNumber'),
      send(),
      request('eth_blockNumber'),
      // A precompile, for which 21,000 gas are too few.
      send({ to: ONE, gas: '0x5208', value: '0x0' }),
      request('eth_blockNumber'),
      call({ to: ZERO, gas: '0x5208' }),
      request('eth_blockNumber'),
    ],
  },
  {
    title: 'the modules net and web3, accounts and coinbase',
    ...OSAKA,
    steps: [
      request('net_listening'),
      request('net_peerCount'),
      request('net_version'),
      request('web3_sha3', '0x123a1b238123'),
      request('web3_sha3', '0x'),
      request('web3_sha3', '0x1'),
      request('web3_sha3'),
      request('eth_accounts'),
      request('eth_coinbase'),
      request('eth_chainId'),
      request('eth_syncing'),
    ],
    differs: {
      0: { here: { result: true }, because: 'EDR answered true until it dropped the method' },
      1: { here: { result: '0x0' }, because: 'EDR answered zero until it dropped the method' },
    },
  },
  {
    title: 'a caller with a part of the costs, the chain id, and limits of overrides',
    ...OSAKA,
    steps: [
      setCode(CONTRACT, '0x333160005260206000f3'),
      ...['0xf4240', '0x3e8', '0x0'].flatMap((balance) => [
        request('hardhat_setBalance', NOBODY, balance),
        call({ from: NOBODY, to: CONTRACT, gas: '0x186a0', gasPrice: '0x1' }),
      ]),
      call({}, 'latest', { [BOB]: { code: `0x${chainId}` } }),
      ...[null, `0x${'ff'.repeat(32)}`].map((balance) =>
        call({ to: CONTRACT }, 'latest', { [ALICE]: { balance } }),
      ),
      ...[null, '0xffffffffffffffff'].map((nonce) =>
        call({ to: CONTRACT }, 'latest', { [CONTRACT]: { nonce } }),
      ),
      // CREATE in a contract with a nonce of its own.
      ...['0x1', '0x1234'].map((nonce) =>
        call({ to: CONTRACT }, 'latest', { [CONTRACT]: { nonce, code: '0x600060006000f060005260206000f3' } }),
      ),
    ],
  },
  {
    title: 'a pool that takes several blocks before the transaction that is sent',
    ...OSAKA,
    steps: [
      request('evm_setBlockGasLimit', '0xafc8'),
      request('evm_setAutomine', false),
      ...[0, 1, 2, 3].map((nonce) => send({ from: BOB, to: CAROL, nonce: `0x${nonce}`, gas: '0x5208' })),
      request('evm_setAutomine', true),
      send({ from: BOB, to: CAROL, nonce: '0x4', gas: '0x5208' }),
      block('0x1'),
      block('0x2'),
      block('0x3'),
      request('eth_blockNumber'),
    ],
  },
  {
    title: 'the fees that a request does not name beside those that it does',
    ...OSAKA,
    steps: [
      sendFree({ maxFeePerGas: '0x77359400' }),
      { method: 'eth_getTransactionByHash', params: ['$0'], compare: ['maxFeePerGas', 'type'] },
      sendFree({ maxPriorityFeePerGas: '0x3e8' }),
      {
        method: 'eth_getTransactionByHash',
        params: ['$2'],
        compare: ['maxPriorityFeePerGas', 'maxFeePerGas', 'type'],
      },
    ],
    differs: {
      // Twice the base fee of the next block, 765,701,563, and the tip.
      3: {
        here: { result: { maxPriorityFeePerGas: '0x3e8', maxFeePerGas: '0x5b475f5e', type: '0x2' } },
        because: "so says EDR of a request that reaches it; Hardhat's request handlers choose a lower fee",
      },
    },
  },
  {
    title: 'the oldest block and the use of gas in the history of fees',
    ...OSAKA,
    steps: [
      request('evm_mine'),
      request('evm_mine'),
      request('evm_mine'),
      request('eth_feeHistory', '0x2', 'latest', []),
      request('eth_feeHistory', '0x3', '0x2', []),
      request('eth_feeHistory', '0x400', 'latest', []),
      request('eth_feeHistory', '0x1', 'pending', []),
      request('evm_setAutomine', false),
      send({ gas: '0x5208' }),
      send({ gas: '0x5208', nonce: '0x1' }),
      {
        method: 'eth_feeHistory',
        params: ['0x2', 'pending', []],
        compare: ['gasUsedRatio', 'baseFeePerGas'],
      },
    ],
  },
  ...FORKED,
]
