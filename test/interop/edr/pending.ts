// Pending block, pool, automine, mining, time, snapshots and defaults.

import type { Scenario, Step } from './scenario.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
const CAROL = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const DAN = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
const NOBODY = '0x1111111111111111111111111111111111111111'
/** Where Alice's first transaction deploys. */
const DEPLOYED = '0x5fbdb2315678afecb367f032d93f642f64180aa3'
/** Runtime code that stores the block number in slot 0 and logs a topic. */
const LOGGER = '0x43600055600160006000a100'
/** Deploys code that returns 42. */
const DEPLOYMENT = '0x600a600c600039600a6000f3602a60005260206000f3'
const REVERTING = '0x60006000fd'
/** 2100-01-01T00:00:00Z; Hardhat's clock follows that of the machine until a block is later. */
const YEAR_2100 = 4_102_444_800

/** Room for two transfers. */
const TWO_TRANSFERS = '0xafc8'

const PRICED = { gas: '0x5208', gasPrice: '0x77359400' }

/** A transfer whose hash is the same on both sides: nothing in it is filled in. */
const sent = (from: string, nonce: number, changes: object = {}): Step => ({
  method: 'eth_sendTransaction',
  params: [{ from, to: BOB, value: '0x1', nonce: `0x${nonce.toString(16)}`, ...PRICED, ...changes }],
  compare: 'result',
})
const ask = (method: string, ...params: readonly unknown[]): Step => ({ method, params, compare: 'result' })
const tell = (method: string, ...params: readonly unknown[]): Step => ({ method, params })
const block = (which: string, ...compare: readonly string[]): Step => ({
  method: 'eth_getBlockByNumber',
  params: [which, false],
  compare: compare.length === 0 ? ['number', 'transactions', 'gasUsed', 'baseFeePerGas'] : compare,
})
const AUTOMINE_OFF = ask('evm_setAutomine', false)
const AUTOMINE_ON = ask('evm_setAutomine', true)
const MINE = ask('evm_mine')
const BERLIN = { network: { hardfork: 'berlin' }, options: { hardfork: 'berlin' } } as const
const PENDING_FIELDS = [
  'number',
  'nonce',
  'mixHash',
  'miner',
  'gasLimit',
  'gasUsed',
  'extraData',
  'transactions',
]
const POOL_FIELDS = [
  'hash',
  'nonce',
  'blockHash',
  'blockNumber',
  'transactionIndex',
  'from',
  'to',
  'gasPrice',
]

const DEFAULTS: readonly Scenario[] = [
  {
    title: 'defaults of the network',
    steps: [
      ask('eth_accounts'),
      ask('eth_getBalance', ALICE),
      ask('eth_coinbase'),
      ask('eth_chainId'),
      ask('net_version'),
      ask('eth_gasPrice'),
      block('0x0', 'number', 'miner', 'gasLimit', 'baseFeePerGas', 'difficulty', 'nonce', 'parentHash'),
      block('0x0', 'extraData'),
      MINE,
      MINE,
      block('safe', 'number'),
      block('finalized', 'number'),
      block('earliest', 'number'),
      block('latest', 'number', 'miner', 'gasLimit', 'extraData', 'requestsHash', 'blobGasUsed'),
      ask('hardhat_getAutomine'),
    ],
  },
  {
    title: 'a log range without a limit',
    steps: [ask('hardhat_mine', '0x1388'), ask('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' })],
  },
  {
    title: 'the gas limit of a transaction in the default hardfork',
    steps: [
      tell('hardhat_setNextBlockBaseFeePerGas', '0x1'),
      sent(ALICE, 0, { gas: '0x1000000' }),
      block('latest'),
    ],
  },
]

const POOL_AS_PENDING: readonly Scenario[] = [
  {
    title: 'the empty pending block',
    steps: [block('pending', ...PENDING_FIELDS, 'baseFeePerGas', 'difficulty'), MINE],
  },
  {
    title: 'the pool as the pending block',
    steps: [
      AUTOMINE_OFF,
      tell('hardhat_setCode', NOBODY, LOGGER),
      sent(ALICE, 0),
      sent(ALICE, 1, { value: '0x2' }),
      sent(ALICE, 5),
      sent(BOB, 0, { to: NOBODY, value: '0x0', gas: '0x20000' }),
      block('pending', ...PENDING_FIELDS),
      ask('eth_getBlockTransactionCountByNumber', 'pending'),
      {
        method: 'eth_getTransactionByBlockNumberAndIndex',
        params: ['pending', '0x0'],
        compare: POOL_FIELDS,
      },
      {
        method: 'eth_getTransactionByBlockNumberAndIndex',
        params: ['pending', '0x2'],
        compare: POOL_FIELDS,
      },
      ask('eth_getTransactionByBlockNumberAndIndex', 'pending', '0x3'),
      ask('eth_getTransactionCount', ALICE, 'pending'),
      ask('eth_getTransactionCount', ALICE),
      ask('eth_getTransactionCount', BOB, 'pending'),
      ask('eth_getBalance', BOB, 'pending'),
      ask('eth_getBalance', BOB),
      ask('eth_getStorageAt', NOBODY, '0x0', 'pending'),
      ask('eth_getStorageAt', NOBODY, '0x0', 'latest'),
      ask('eth_getTransactionReceipt', '$2'),
      { method: 'eth_getTransactionByHash', params: ['$2'], compare: POOL_FIELDS },
      ask('eth_getLogs', { fromBlock: 'pending', toBlock: 'pending' }),
      ask('eth_getLogs', { fromBlock: 'latest', toBlock: 'pending' }),
      { method: 'eth_feeHistory', params: ['0x2', 'pending', []], compare: ['oldestBlock', 'baseFeePerGas'] },
      tell('eth_getBlockByNumber', 'pending', false),
      ask('eth_getBlockByHash', '$23.hash', false),
      ask('eth_blockNumber'),
      MINE,
      block('latest'),
      block('pending', ...PENDING_FIELDS),
    ],
  },
  {
    title: 'the hash of the pending block is that of the block mined next',
    steps: [
      tell('evm_setNextBlockTimestamp', YEAR_2100),
      tell('evm_setAutomine', false),
      tell('eth_sendTransaction', { from: ALICE, to: BOB }),
      tell('eth_getBlockByNumber', 'pending', false),
      MINE,
      { method: 'eth_getBlockByHash', params: ['$3.hash', false], compare: ['number', 'timestamp'] },
    ],
  },
  {
    title: 'a contract deployed in the pending block',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { to: undefined, value: '0x0', data: DEPLOYMENT, gas: '0x20000' }),
      ask('eth_getCode', DEPLOYED, 'pending'),
      ask('eth_getCode', DEPLOYED),
      ask('eth_call', { to: DEPLOYED }, 'pending'),
      ask('eth_call', { to: DEPLOYED }),
      // Filled in by an estimate on the pending block.
      tell('eth_sendTransaction', { from: ALICE, to: DEPLOYED }),
      MINE,
      {
        method: 'eth_getTransactionReceipt',
        params: ['$6'],
        compare: ['status', 'transactionIndex', 'gasUsed'],
      },
    ],
  },
  {
    title: 'a transaction that reverts in the pending block',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { to: undefined, value: '0x0', data: REVERTING, gas: '0x20000' }),
      block('pending'),
      MINE,
      { method: 'eth_getTransactionReceipt', params: ['$1'], compare: ['status', 'gasUsed'] },
    ],
  },
  {
    title: 'a price below the base fee waits',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { gasPrice: '0x1' }),
      block('pending'),
      ask('eth_getTransactionCount', ALICE, 'pending'),
      MINE,
      block('latest'),
      { method: 'eth_getTransactionByHash', params: ['$1'], compare: POOL_FIELDS },
    ],
  },
]

const ORDER: readonly Scenario[] = [
  {
    title: 'the order of priorities',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(BOB, 0, { gasPrice: '0x97359400' }),
      block('pending'),
      MINE,
      block('latest'),
    ],
  },
  {
    title: 'the order of arrival',
    network: { mining: { mempool: { order: 'fifo' } } },
    options: { ordering: 'fifo' },
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(BOB, 0, { gasPrice: '0x97359400' }),
      block('pending'),
      MINE,
      block('latest'),
    ],
  },
  {
    title: 'a block filled up to its gas limit',
    steps: [
      AUTOMINE_OFF,
      ask('evm_setBlockGasLimit', TWO_TRANSFERS),
      sent(ALICE, 0, { gas: '0x8000' }),
      sent(BOB, 0, { gasPrice: '0x87359400' }),
      sent(CAROL, 0),
      block('pending'),
      MINE,
      block('latest'),
      MINE,
      block('latest'),
    ],
  },
]

const AUTOMINE: readonly Scenario[] = [
  {
    title: 'automine turned on with a transaction behind a gap',
    steps: [
      AUTOMINE_OFF,
      sent(BOB, 1),
      AUTOMINE_ON,
      ask('eth_blockNumber'),
      sent(BOB, 0),
      block('latest'),
      ask('eth_pendingTransactions'),
    ],
  },
  {
    title: 'automine turned on with more than a block holds',
    steps: [
      ask('evm_setBlockGasLimit', TWO_TRANSFERS),
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(ALICE, 1),
      sent(ALICE, 2),
      sent(ALICE, 3),
      AUTOMINE_ON,
      sent(ALICE, 4),
      ask('eth_blockNumber'),
      block('0x1'),
      block('0x2'),
      block('0x3'),
    ],
  },
  {
    title: 'automine goes on until the pool is empty',
    steps: [
      ask('evm_setBlockGasLimit', TWO_TRANSFERS),
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(BOB, 0),
      sent(CAROL, 0),
      AUTOMINE_ON,
      sent(DAN, 0, { gasPrice: '0x97359400' }),
      ask('eth_blockNumber'),
      block('0x1'),
      block('0x2'),
    ],
  },
  {
    title: 'automine with a price that the next block allows',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { gasPrice: '0x32000000' }),
      AUTOMINE_ON,
      sent(DAN, 0),
      ask('eth_blockNumber'),
      block('0x1'),
      block('0x2'),
    ],
  },
  {
    title: 'a waiting transaction that fails does not fail the next one',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { to: undefined, value: '0x0', data: REVERTING, gas: '0x20000' }),
      AUTOMINE_ON,
      sent(BOB, 0),
      block('latest'),
    ],
  },
  {
    title: 'automine off and on',
    steps: [
      AUTOMINE_OFF,
      ask('hardhat_getAutomine'),
      tell('eth_sendTransaction', { from: ALICE, to: BOB }),
      ask('eth_blockNumber'),
      AUTOMINE_ON,
      ask('hardhat_getAutomine'),
      ask('eth_blockNumber'),
    ],
  },
]

const POOL_CONTROL: readonly Scenario[] = [
  {
    title: 'dropped transactions',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(ALICE, 1),
      sent(ALICE, 2),
      ask('hardhat_dropTransaction', '$2'),
      ask('hardhat_dropTransaction', '$2'),
      block('pending'),
      MINE,
      block('latest'),
      { method: 'eth_getTransactionByHash', params: ['$3'], compare: POOL_FIELDS },
      ask('hardhat_dropTransaction', '$3'),
      ask('hardhat_dropTransaction', '$1'),
    ],
  },
  {
    title: 'a block gas limit that excludes waiting transactions',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { gas: '0x7530' }),
      sent(ALICE, 1),
      sent(BOB, 0),
      sent(BOB, 1, { gas: '0x7530' }),
      ask('evm_setBlockGasLimit', '0x61a8'),
      block('pending', 'transactions', 'gasLimit'),
      { method: 'eth_getTransactionByHash', params: ['$1'], compare: POOL_FIELDS },
      { method: 'eth_getTransactionByHash', params: ['$2'], compare: POOL_FIELDS },
      MINE,
      block('latest', 'transactions', 'gasLimit'),
    ],
  },
  {
    title: 'a replaced transaction',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(ALICE, 0, { gasPrice: '0xee6b2800' }),
      ask('eth_getTransactionByHash', '$1'),
      block('pending'),
      MINE,
      block('latest'),
    ],
  },
  {
    title: 'the least gas price before london',
    ...BERLIN,
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0, { gasPrice: '0xa' }),
      sent(BOB, 0, { gasPrice: '0x14' }),
      ask('hardhat_setMinGasPrice', '0xf'),
      block('pending', 'transactions', 'number', 'nonce'),
      MINE,
      block('latest', 'transactions'),
      { method: 'eth_getTransactionByHash', params: ['$1'], compare: POOL_FIELDS },
      ask('eth_gasPrice'),
      sent(CAROL, 0, { gasPrice: '0x1' }),
      ask('hardhat_dropTransaction', '$9'),
      AUTOMINE_ON,
      sent(CAROL, 0, { gasPrice: '0x1' }),
      ask('hardhat_setMinGasPrice', '0x0'),
      sent(CAROL, 0, { gasPrice: '0x1' }),
      ask('eth_blockNumber'),
    ],
  },
  {
    title: 'a gas price of zero before london',
    ...BERLIN,
    steps: [sent(ALICE, 0, { gasPrice: '0x0' }), block('latest', 'transactions')],
  },
  {
    title: 'a keyless deployment',
    steps: [
      tell('hardhat_setBalance', '0x3fab184622dc19b6109349b94811493bf2a45362', '0x8ac7230489e80000'),
      tell('hardhat_setNextBlockBaseFeePerGas', '0x1'),
      ask(
        'eth_sendRawTransaction',
        '0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba02222222222222222222222222222222222222222222222222222222222222222a02222222222222222222222222222222222222222222222222222222222222222',
      ),
      ask('eth_getCode', '0x4e59b44847b379578588920ca78fbf26c0b4956c'),
    ],
  },
]

const SNAPSHOTS: readonly Scenario[] = [
  {
    title: 'numbers of snapshots',
    steps: [
      ask('evm_snapshot'),
      ask('evm_snapshot'),
      sent(ALICE, 0),
      ask('evm_snapshot'),
      ask('evm_revert', '0x2'),
      ask('evm_revert', '0x4'),
      ask('evm_revert', '0x2'),
      ask('evm_snapshot'),
      ask('evm_revert', '0x1'),
      ask('evm_revert', '0x0'),
      ask('evm_revert', '0xff'),
      ask('evm_snapshot'),
      ask('eth_getTransactionByHash', '$2'),
      sent(ALICE, 0),
      block('latest'),
    ],
  },
  {
    title: 'what a revert restores',
    steps: [
      ask('evm_snapshot'),
      ask('hardhat_impersonateAccount', NOBODY),
      ask('evm_setBlockGasLimit', '0x100000'),
      ask('hardhat_setCoinbase', NOBODY),
      AUTOMINE_OFF,
      sent(ALICE, 0),
      ask('evm_increaseTime', 1000),
      ask('evm_revert', '0x1'),
      ask('hardhat_getAutomine'),
      ask('eth_coinbase'),
      ask('eth_pendingTransactions'),
      block('pending', 'gasLimit', 'miner', 'transactions'),
      ask('hardhat_stopImpersonatingAccount', NOBODY),
      ask('evm_increaseTime', 0),
    ],
    differs: {
      8: { here: { result: true }, because: 'a snapshot holds everything' },
      12: { here: { result: false }, because: 'a snapshot holds everything' },
    },
  },
  {
    title: 'the pool after a revert',
    steps: [
      AUTOMINE_OFF,
      sent(ALICE, 0),
      sent(ALICE, 3),
      ask('evm_snapshot'),
      sent(ALICE, 1),
      MINE,
      block('latest'),
      ask('evm_revert', '0x1'),
      block('pending'),
      ask('eth_blockNumber'),
      ask('eth_getTransactionByHash', '$4'),
      { method: 'eth_getTransactionByHash', params: ['$1'], compare: POOL_FIELDS },
      { method: 'eth_getTransactionByHash', params: ['$2'], compare: POOL_FIELDS },
    ],
  },
]

const TIME: readonly Scenario[] = [
  {
    title: 'increased time',
    steps: [
      // What EDR answers counts from its start by the clock of the wall, and so differs on a busy machine.
      tell('evm_increaseTime', 0),
      tell('evm_increaseTime', 123),
      tell('evm_increaseTime', '0x10'),
      ask('evm_increaseTime', '123'),
    ],
  },
  {
    title: 'timestamps',
    steps: [
      ask('evm_setNextBlockTimestamp', YEAR_2100),
      ask('evm_setNextBlockTimestamp', '0xf4865701'),
      block('pending', 'timestamp'),
      MINE,
      block('latest', 'timestamp'),
      MINE,
      block('latest', 'timestamp'),
      ask('evm_mine', YEAR_2100 + 1),
      ask('evm_mine', YEAR_2100 + 100),
      block('latest', 'timestamp'),
      ask('evm_mine', '0xf48665d0'),
      ask('evm_mine', '4102449999'),
      block('latest', 'timestamp'),
      ask('evm_setNextBlockTimestamp', YEAR_2100),
      tell('evm_increaseTime', 100),
      MINE,
      block('latest', 'timestamp'),
      ask('evm_setNextBlockTimestamp', YEAR_2100 + 10_000),
      ask('evm_mine', YEAR_2100 + 10_500),
      block('latest', 'timestamp'),
      ask('evm_setNextBlockTimestamp', YEAR_2100 + 11_000),
      sent(ALICE, 0),
      block('latest', 'timestamp'),
    ],
  },
  {
    title: 'an equal timestamp',
    steps: [
      ask('evm_mine', YEAR_2100),
      ask('evm_setNextBlockTimestamp', YEAR_2100),
      ask('evm_mine', YEAR_2100),
    ],
    differs: {
      2: {
        here: {
          name: 'ProviderError',
          code: -32000,
          message: `Timestamp ${YEAR_2100} is equal to the previous block's timestamp. Enable the 'allowBlocksWithSameTimestamp' option to allow this`,
        },
        because: 'Hardhat mines a block a second later, and the block after that a second earlier',
      },
    },
  },
  {
    title: 'equal timestamps where they are allowed',
    network: { allowBlocksWithSameTimestamp: true },
    options: { allowBlocksWithSameTimestamp: true },
    steps: [
      ask('evm_mine', YEAR_2100),
      ask('evm_setNextBlockTimestamp', YEAR_2100),
      MINE,
      block('latest', 'timestamp', 'number'),
      ask('evm_setNextBlockTimestamp', YEAR_2100 - 1),
    ],
  },
  {
    title: 'blocks at intervals',
    steps: [
      ask('evm_mine', YEAR_2100),
      ask('hardhat_mine'),
      block('latest', 'timestamp', 'number'),
      ask('hardhat_mine', '0x0'),
      block('latest', 'timestamp', 'number'),
      ask('hardhat_mine', '0xa', '0xe10'),
      block('0x3', 'timestamp'),
      block('0x4', 'timestamp'),
      block('0xb', 'timestamp'),
      block('latest', 'timestamp', 'number'),
      ask('hardhat_mine', '0x14'),
      block('latest', 'timestamp', 'number'),
      ask('hardhat_mine', '0x3', '0x0'),
      block('latest', 'timestamp', 'number'),
      tell('evm_setNextBlockTimestamp', YEAR_2100 + 100_000),
      ask('hardhat_mine', '0xa', '0x3c'),
      block('0x25', 'timestamp'),
      block('0x26', 'timestamp'),
      block('latest', 'timestamp', 'number'),
    ],
  },
  {
    title: 'blocks at intervals with a pool',
    steps: [
      AUTOMINE_OFF,
      ask('evm_setBlockGasLimit', '0xf618'),
      sent(ALICE, 0),
      sent(ALICE, 1),
      sent(ALICE, 2),
      sent(ALICE, 3),
      ask('evm_setNextBlockTimestamp', YEAR_2100),
      ask('hardhat_mine', '0x3b9aca00', '0x3c'),
      block('0x1', 'timestamp', 'transactions'),
      block('0x2', 'timestamp', 'transactions'),
      block('0x3', 'timestamp', 'transactions'),
      block('0x4', 'timestamp', 'transactions'),
      block('0x3b9ac9f0', 'timestamp', 'transactions'),
      block('latest', 'timestamp', 'transactions', 'number'),
      block('0x3b9aca01', 'number'),
      ask('eth_pendingTransactions'),
    ],
  },
  {
    title: 'billions of blocks',
    steps: [
      ask('evm_mine', YEAR_2100),
      ask('hardhat_mine', '0x3b9aca00'),
      ask('eth_blockNumber'),
      block('0x2', 'timestamp', 'number'),
      block('0x1dcd6500', 'timestamp', 'number', 'transactions', 'difficulty', 'nonce'),
      block('0x3b9aca01', 'timestamp', 'number'),
      block('0x3b9aca02', 'number'),
      tell('eth_getBlockByNumber', 'latest', false),
      { method: 'eth_getBlockByHash', params: ['$7.parentHash', false], compare: ['number', 'timestamp'] },
      MINE,
      block('latest', 'timestamp', 'number'),
      ask('hardhat_mine', '0xb2d05e00', '0x2'),
      block('latest', 'timestamp', 'number'),
      sent(ALICE, 0),
      block('latest', 'number', 'transactions'),
      ask('eth_getBalance', ALICE, '0x0'),
    ],
  },
  {
    title: 'billions of blocks and a revert',
    steps: [
      sent(ALICE, 0),
      ask('evm_snapshot'),
      ask('hardhat_mine', '0x3b9aca00'),
      sent(ALICE, 1),
      ask('evm_revert', '0x2'),
      ask('eth_blockNumber'),
      block('0x2', 'number'),
      block('0x3b9aca01', 'number'),
      sent(ALICE, 1),
      block('latest'),
    ],
  },
]

const NEXT_BLOCK: readonly Scenario[] = [
  {
    title: 'the base fee of the next block',
    steps: [
      ask('hardhat_setNextBlockBaseFeePerGas', '0xa'),
      block('pending', 'baseFeePerGas'),
      sent(ALICE, 0, { gasPrice: '0x9' }),
      MINE,
      block('latest', 'baseFeePerGas'),
      MINE,
      block('latest', 'baseFeePerGas'),
      ask('hardhat_setNextBlockBaseFeePerGas', '0x1'),
      ask('hardhat_mine', '0x14'),
      block('latest', 'baseFeePerGas'),
      block('0x8', 'baseFeePerGas'),
    ],
  },
  {
    title: 'a base fee that waiting transactions do not cover',
    steps: [
      ask('hardhat_setNextBlockBaseFeePerGas', '0xa'),
      AUTOMINE_OFF,
      sent(ALICE, 0, { gasPrice: '0x9' }),
      MINE,
      block('latest', 'transactions', 'baseFeePerGas'),
    ],
  },
  {
    title: 'the first base fee',
    network: { initialBaseFeePerGas: 100 },
    options: { genesis: { baseFeePerGas: 100 } },
    steps: [
      block('0x0', 'baseFeePerGas'),
      block('pending', 'baseFeePerGas'),
      MINE,
      block('latest', 'baseFeePerGas'),
    ],
  },
  {
    title: 'prevRandao of the next block and of the one after it',
    steps: [
      ask('hardhat_setPrevRandao', `0x${'12345678'.repeat(8)}`),
      ask('evm_snapshot'),
      MINE,
      block('latest', 'mixHash'),
      MINE,
      block('latest', 'mixHash'),
      ask('evm_revert', '0x1'),
      MINE,
      block('latest', 'mixHash'),
      ask('hardhat_setPrevRandao', `0x${'ff'.repeat(32)}`),
      MINE,
      block('latest', 'mixHash'),
      ask('hardhat_setPrevRandao', `0x${'00'.repeat(32)}`),
      MINE,
      block('latest', 'mixHash'),
    ],
  },
  {
    title: 'the coinbase of blocks',
    steps: [
      ask('hardhat_setCoinbase', NOBODY),
      ask('eth_coinbase'),
      block('pending', 'miner'),
      ask('evm_snapshot'),
      ask('hardhat_setCoinbase', BOB),
      MINE,
      block('latest', 'miner'),
      ask('evm_revert', '0x1'),
      MINE,
      block('latest', 'miner'),
    ],
  },
  {
    title: 'the gas limit of blocks',
    steps: [
      ask('evm_setBlockGasLimit', '0x85b4'),
      block('pending', 'gasLimit'),
      MINE,
      block('latest', 'gasLimit'),
    ],
  },
  {
    title: 'acknowledgements',
    steps: [
      ask('hardhat_setLoggingEnabled', false),
      ask('evm_setIntervalMining', 0),
      ask('evm_setIntervalMining', [1000, 2000]),
      ask('evm_setIntervalMining', 0),
      { method: 'hardhat_metadata', compare: ['chainId', 'latestBlockNumber', 'forkedNetwork'] },
      ask('hardhat_setBalance', ALICE, '0x1'),
      ask('hardhat_setNonce', ALICE, '0x63'),
      ask('hardhat_setCode', ALICE, '0xff'),
      ask('hardhat_setStorageAt', ALICE, '0x0', `0x${'00'.repeat(31)}63`),
      ask('eth_getStorageAt', ALICE, '0x0', 'latest'),
      ask('eth_getTransactionCount', ALICE, 'latest'),
      MINE,
      ask('eth_getBalance', ALICE, '0x0'),
      ask('hardhat_impersonateAccount', NOBODY),
      ask('hardhat_stopImpersonatingAccount', NOBODY),
      ask('hardhat_stopImpersonatingAccount', NOBODY),
    ],
  },
]

export const PENDING: readonly Scenario[] = [
  ...DEFAULTS,
  ...POOL_AS_PENDING,
  ...ORDER,
  ...AUTOMINE,
  ...POOL_CONTROL,
  ...SNAPSHOTS,
  ...TIME,
  ...NEXT_BLOCK,
]
