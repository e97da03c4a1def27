// Requests that Hardhat refuses, a row for each kind of error.

import { KINDS } from './kinds.ts'
import type { Scenario, Step } from './scenario.ts'
import { ARGUMENTS } from './words-arguments.ts'
import { EXECUTIONS } from './words-executions.ts'
import { RAW } from './words-raw.ts'
import {
  ALICE,
  accessList,
  authorization,
  BOB,
  differing,
  NOBODY,
  scenario,
  send,
  step,
} from './words-steps.ts'

const automineOff = step('evm_setAutomine', false)
const blobHash = `0x01${'00'.repeat(31)}`
const UNKNOWN_HASH = `0x${'11'.repeat(32)}`
const RICH = '0x152d02c7e14af6800001'
const PRICED = { gasPrice: '0x77359400' }

const WHERE_ONLY_WE_ANSWER =
  'Methods that Hardhat lacks stay available: they do no harm, and other tools call them.'

const LONG = { from: ALICE, data: `0x${'00'.repeat(49_153)}`, gas: '0xf00000' }

const ADMISSION: readonly Scenario[] = [
  scenario('gas below the intrinsic gas', send({ gas: '0x1' }), send({ data: '0xff', gas: '0x5208' })),
  scenario('gas below the floor of calldata', send({ data: `0x${'ff'.repeat(100)}`, gas: '0x5c00' })),
  scenario('gas of a creation', step('eth_sendTransaction', { from: ALICE, data: '0x00', gas: '0x5208' })),
  scenario(
    'a sender without enough funds',
    send({ value: RICH, gas: '0x5208', ...PRICED }),
    automineOff,
    send({ value: RICH, gas: '0x5208', ...PRICED }),
  ),
  scenario(
    'a nonce that does not follow, mined at once',
    send({ nonce: '0x5' }),
    send({}),
    send({ nonce: '0x0' }),
    send({ nonce: '0x0', ...PRICED }),
  ),
  scenario('a nonce that was used, not mined at once', send({}), automineOff, send({ nonce: '0x0' })),
  scenario(
    'a transaction that is known',
    automineOff,
    send({ nonce: '0x0', gas: '0x5208', ...PRICED }),
    send({ nonce: '0x0', gas: '0x5208', ...PRICED }),
  ),
  scenario(
    'a replacement that pays too little',
    automineOff,
    send({ nonce: '0x0', maxFeePerGas: '0x77359401', maxPriorityFeePerGas: '0x3b9aca01' }),
    send({ nonce: '0x0', maxFeePerGas: '0x77359401', maxPriorityFeePerGas: '0x77359401' }),
    send({ nonce: '0x0', maxFeePerGas: '0xffffffff', maxPriorityFeePerGas: '0x3b9aca01' }),
    send({ nonce: '0x0', value: '0x1', ...PRICED }),
  ),
  scenario(
    'gas above the limit of a block',
    send({ gas: '0xffffffff' }),
    step('evm_setBlockGasLimit', '0x186a0'),
    send({ gas: '0x186a1' }),
    automineOff,
    send({ gas: '0x186a1' }),
  ),
  {
    title: 'gas above the limit of a transaction',
    network: { hardfork: 'osaka' },
    options: { hardfork: 'osaka' },
    steps: [
      send({ gas: '0x1000001' }),
      // 60,000,001 is above the block's limit, too.
      send({ gas: '0x3938701' }),
      automineOff,
      send({ gas: '0x3938701' }),
    ],
  },
  scenario(
    'fees below the base fee, mined at once',
    send({ gas: '0x5208', gasPrice: '0x1' }),
    send({ gas: '0x5208', maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' }),
    send({ gas: '0x5208', gasPrice: '0x1', accessList }),
  ),
  scenario(
    'fees of both kinds, and a tip above the fee cap',
    send({ gasPrice: '0x1', maxFeePerGas: '0x1' }),
    send({ gasPrice: '0x1', maxPriorityFeePerGas: '0x1' }),
    send({ maxFeePerGas: '0xa', maxPriorityFeePerGas: '0x14' }),
    step('eth_call', { from: ALICE, to: BOB, gasPrice: '0x1', maxFeePerGas: '0x1' }),
    step('eth_call', { from: ALICE, to: BOB, gasPrice: '0x1', maxPriorityFeePerGas: '0x1' }),
    step('eth_call', { from: ALICE, to: BOB, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }),
    step('eth_estimateGas', { from: ALICE, to: BOB, gasPrice: '0x1', maxFeePerGas: '0x1' }),
  ),
  scenario('another chain id', send({ chainId: '0x7' })),
  scenario(
    'an unknown account',
    step('eth_sendTransaction', { from: NOBODY, to: BOB, gas: '0x5208' }),
    step('eth_sign', NOBODY, '0x00'),
    step('personal_sign', '0x00', NOBODY),
    step('eth_signTypedData_v4', NOBODY, {
      types: { EIP712Domain: [] },
      primaryType: 'EIP712Domain',
      domain: {},
      message: {},
    }),
  ),
  scenario(
    'init code that is too long',
    step('eth_sendTransaction', { from: ALICE, data: `0x${'00'.repeat(49_153)}`, gas: '0xf00000' }),
    // It is measured before everything else but the chain id.
    step('eth_sendTransaction', { ...LONG, gasPrice: '0x0' }),
    step('eth_sendTransaction', { ...LONG, nonce: '0x5' }),
    step('eth_sendTransaction', { ...LONG, gas: '0x1' }),
    step('eth_sendTransaction', { ...LONG, from: NOBODY }),
    step('eth_sendTransaction', { ...LONG, gasPrice: '0x1', maxFeePerGas: '0x1' }),
    step('eth_sendTransaction', { ...LONG, chainId: '0x5' }),
    step('eth_call', { from: ALICE, data: `0x${'00'.repeat(49_153)}` }),
    step('eth_estimateGas', { from: ALICE, data: `0x${'00'.repeat(49_153)}` }),
  ),
  scenario(
    'blobs in requests',
    send({ blobs: [`0x${'00'.repeat(131_072)}`], gas: '0x5208' }),
    send({ blobHashes: [blobHash], gas: '0x5208' }),
    send({ type: '0x3', gas: '0x5208' }),
    step('eth_call', { from: ALICE, to: BOB, blobHashes: [blobHash] }),
    step('eth_estimateGas', { from: ALICE, to: BOB, blobs: [] }),
  ),
  scenario(
    'set code transactions that Hardhat does not take',
    send({ authorizationList: [], gas: '0x186a0' }),
    step('eth_sendTransaction', {
      from: ALICE,
      data: '0x00',
      gas: '0x186a0',
      authorizationList: [authorization],
    }),
    step('eth_call', { from: ALICE, to: BOB, authorizationList: [] }),
    step('eth_call', { from: ALICE, data: '0x00', authorizationList: [authorization] }),
  ),
  scenario(
    'gas of a call below the intrinsic gas',
    step('eth_call', { from: ALICE, to: BOB, gas: '0x5000' }),
  ),
]

/** What a fork does not have. */
const ofFork = (hardfork: 'istanbul' | 'berlin' | 'london' | 'merge' | 'shanghai' | 'cancun'): Scenario => {
  const isBefore = (...forks: string[]): boolean => forks.includes(hardfork)
  const refused: Step[] = [
    send({ authorizationList: [authorization] }),
    step('eth_call', { to: BOB, authorizationList: [authorization] }),
  ]
  if (isBefore('istanbul')) {
    refused.push(send({ accessList }), send({ accessList, ...PRICED }))
    refused.push(step('eth_call', { to: BOB, accessList }), step('eth_estimateGas', { to: BOB, accessList }))
  }
  if (isBefore('istanbul', 'berlin')) {
    refused.push(send({ maxFeePerGas: '0x77359400' }), send({ maxPriorityFeePerGas: '0x1' }))
    refused.push(step('eth_call', { to: BOB, maxFeePerGas: '0x1' }))
    refused.push(step('eth_estimateGas', { to: BOB, maxPriorityFeePerGas: '0x1' }))
    refused.push(step('hardhat_setNextBlockBaseFeePerGas', '0x1'))
    refused.push(step('eth_feeHistory', '0x1', 'latest', []))
  } else refused.push(step('hardhat_setMinGasPrice', '0x1'))
  if (isBefore('istanbul', 'berlin', 'london')) {
    refused.push(step('hardhat_setPrevRandao', UNKNOWN_HASH))
    refused.push(step('eth_getBalance', ALICE, 'safe'), step('eth_getBlockByNumber', 'finalized', false))
    refused.push(step('eth_getLogs', { fromBlock: 'safe' }), step('eth_newFilter', { toBlock: 'finalized' }))
    refused.push(step('eth_call', { to: BOB }, 'safe'), step('eth_getStorageAt', ALICE, '0x0', 'safe'))
    refused.push(step('eth_getBlockTransactionCountByNumber', 'safe'))
    refused.push(step('eth_getTransactionByBlockNumberAndIndex', 'safe', '0x0'))
    refused.push(step('eth_getTransactionCount', ALICE, 'safe'), step('eth_getCode', ALICE, 'finalized'))
    refused.push(step('eth_estimateGas', { to: BOB }, 'safe'))
  }
  return {
    title: `what ${hardfork} does not have`,
    network: { hardfork },
    options: { hardfork },
    steps: refused,
  }
}

const tooLarge = (message: string): unknown => ({ name: 'ProviderError', code: -32000, message })
const TOO_LARGE_BALANCE = tooLarge(
  `The 'balance' property should occupy a maximum of 32 bytes (balance=${2n ** 256n}).`,
)
const TOO_LARGE_NONCE = tooLarge(
  `The 'nonce' property should occupy a maximum of 8 bytes (nonce=${2n ** 64n}).`,
)

const STATES: readonly Scenario[] = [
  scenario(
    'an unknown method',
    step('eth_unknownMethod'),
    step('evm_unknown', 1),
    step('eth_getWork'),
    step('hardhat_intervalMine'),
    step('eth_getUncleByBlockHashAndIndex', UNKNOWN_HASH, '0x0'),
    step('eth_getUncleByBlockNumberAndIndex'),
    step('eth_getUncleCountByBlockHash', UNKNOWN_HASH),
    step('eth_getUncleCountByBlockNumber', 'latest'),
    step('eth_hashrate'),
    step('eth_protocolVersion'),
    step('eth_signTransaction', { from: ALICE, to: BOB }),
    step('eth_signTypedData', ALICE, {}),
  ),
  differing(
    'methods that Hardhat does not have',
    WHERE_ONLY_WE_ANSWER,
    [step('eth_mining'), {}],
    [step('eth_getBlockReceipts', '0x0'), {}],
    [step('net_peerCount'), {}],
    [step('net_listening'), {}],
  ),
  scenario(
    'a block that does not exist',
    step('eth_getBalance', ALICE, '0x99'),
    step('eth_getCode', ALICE, '0x99'),
    step('eth_getStorageAt', ALICE, '0x0', '0x99'),
    step('eth_getTransactionCount', ALICE, '0x99'),
    step('eth_call', { to: BOB }, '0x99'),
    step('eth_estimateGas', { to: BOB }, '0x99'),
    step('eth_feeHistory', '0x1', '0x99', []),
    step('eth_getBalance', ALICE, { blockHash: UNKNOWN_HASH }),
    step('eth_getBalance', ALICE, { blockNumber: '0x99' }),
    step('evm_mine'),
    step('eth_getBalance', ALICE, '0x99'),
  ),
  scenario(
    'logs of a block by its hash',
    step('eth_getLogs', { blockHash: UNKNOWN_HASH }),
    step('eth_getLogs', { blockHash: UNKNOWN_HASH, fromBlock: '0x0' }),
    step('eth_getLogs', { blockHash: UNKNOWN_HASH, toBlock: '0x0' }),
    step('eth_newFilter', { blockHash: UNKNOWN_HASH }),
    step('eth_newFilter', { blockHash: UNKNOWN_HASH, fromBlock: '0x0' }),
    step('eth_subscribe', 'logs', { blockHash: UNKNOWN_HASH, fromBlock: '0x0' }),
  ),
  scenario(
    'filters that are not there, or have no logs',
    { ...step('eth_getFilterChanges', '0x99'), compare: 'result' },
    { ...step('eth_getFilterLogs', '0x99'), compare: 'result' },
    { ...step('eth_uninstallFilter', '0x99'), compare: 'result' },
    { ...step('eth_unsubscribe', '0x99'), compare: 'result' },
    step('eth_newBlockFilter'),
    step('eth_getFilterLogs', '$4'),
    step('eth_newPendingTransactionFilter'),
    step('eth_getFilterLogs', '$6'),
  ),
  scenario(
    'controls',
    step('evm_setNextBlockTimestamp', 1),
    step('evm_mine', 1),
    step('evm_setNextBlockTimestamp', 1_704_067_200),
    step('evm_setBlockGasLimit', '0x0'),
    step('hardhat_setMinGasPrice', '0x1'),
    step('hardhat_setNonce', NOBODY, '0x5'),
    step('hardhat_setNonce', NOBODY, '0x1'),
    send({ gas: '0x5208', ...PRICED }),
    step('hardhat_dropTransaction', '$7'),
    { ...step('hardhat_dropTransaction', UNKNOWN_HASH), compare: 'result' },
    { ...step('evm_revert', '0x99'), compare: 'result' },
    automineOff,
    send({ gas: '0x5208' }),
    step('hardhat_setNonce', ALICE, '0x99'),
    step('hardhat_setNonce', BOB, '0x99'),
  ),
  scenario(
    'the receipt of a creation that fails',
    automineOff,
    step('eth_sendTransaction', { from: ALICE, data: '0x60006000fd', gas: '0x186a0' }),
    step('evm_mine'),
    { ...step('eth_getTransactionReceipt', '$1'), compare: ['contractAddress', 'status', 'to'] },
  ),
  scenario('the latest timestamp', {
    ...step('evm_setNextBlockTimestamp', '0xffffffffffffffff'),
    compare: 'result',
  }),
  differing(
    'overrides that are too large',
    'Hardhat before EDR had this code, and its tests still have it for any provider but EDR.',
    [
      step('eth_call', { to: BOB }, 'latest', { [BOB]: { balance: `0x1${'00'.repeat(32)}` } }),
      TOO_LARGE_BALANCE,
    ],
    [step('eth_call', { to: BOB }, 'latest', { [BOB]: { nonce: `0x1${'00'.repeat(8)}` } }), TOO_LARGE_NONCE],
  ),
  scenario(
    'an index that is too large',
    step('eth_getTransactionByBlockNumberAndIndex', '0x0', '0xffffffffffffffffff'),
    step('eth_getTransactionByBlockHashAndIndex', UNKNOWN_HASH, '0xffffffffffffffffff'),
  ),
  scenario(
    'state and its difference at once',
    step('eth_call', { to: BOB }, 'latest', { [BOB]: { state: {}, stateDiff: {} } }),
  ),
]

export const WORDS: readonly Scenario[] = [
  ...KINDS,
  ...ADMISSION,
  ...(['istanbul', 'berlin', 'london', 'merge', 'shanghai', 'cancun'] as const).map(ofFork),
  ...STATES,
  ...ARGUMENTS,
  ...EXECUTIONS,
  ...RAW,
]
