// Calls and estimates: fees below the base fee, senders without funds, overrides, and gas to the unit.

import { ALICE, BOB, OSAKA, type Row, request, setCode } from './rows.ts'
import type { Scenario } from './scenario.ts'

/** An account without funds. */
const POOR = '0x47dc9a4a1ff2436deb1828d038868561c8a5aedf'
const CONTRACT = `0x${'cc'.repeat(20)}`
const CALLEE = `0x${'dd'.repeat(20)}`
const WORD = '0'.repeat(64)

/** Code that returns what an opcode pushes. */
const returning = (opcode: string): string => `0x${opcode}60005260206000f3`
/** BALANCE of the caller. */
const BALANCE = returning('3331')

const callOf = (code: string, transaction: object = {}, block: string = 'latest'): Row =>
  request('eth_call', { from: ALICE, to: BOB, ...transaction }, block, { [BOB]: { code } })
const estimate = (transaction: object = {}, ...more: unknown[]): Row =>
  request('eth_estimateGas', { from: ALICE, to: BOB, ...transaction }, ...more)
const override = (account: unknown): Row => request('eth_call', { to: BOB }, 'latest', { [BOB]: account })

/** CALL of an account with all gas, or with an amount of it; ignores the outcome. */
const calling = (to: string, gas = '5a'): string => `0x5f5f5f5f5f73${to.slice(2)}${gas}f100`
/** The same, and reverts if the call fails. */
const requiring = (to: string, gas = '5a'): string => {
  const call = `5f5f5f5f5f73${to.slice(2)}${gas}f1`
  const end = (call.length / 2 + 6).toString(16)
  return `0x${call}60${end}575f5ffd5b00`
}

/** On Hardhat's chain too, the call runs with the gas of ours, and not with one less. */
const EXACT = 'EDR ends its search between 200 and 50,000 gas above the least'

const MOST_FEES = { gasPrice: '0x77359400', gas: '0x186a0' }

export const CALLS: readonly Scenario[] = [
  {
    title: 'the gas of a call above the limit of a block',
    ...OSAKA,
    network: { ...OSAKA.network, blockGasLimit: 0x500000 },
    options: { ...OSAKA.options, genesis: { ...OSAKA.options.genesis, gasLimit: 0x500000 } },
    steps: [
      callOf(returning('5a')),
      setCode(BOB, '0x627000005a11600c575f5ffd5b00'),
      request('eth_call', { from: ALICE, to: BOB }),
      estimate(),
    ],
    // 21,000 + 3 + 2, and one more than 0x700000 is left.
    differs: { 3: { here: { result: '0x70520e' }, because: EXACT } },
  },
  {
    title: 'what a call sees of its block and fee',
    ...OSAKA,
    steps: [
      // GASPRICE, BASEFEE, NUMBER, CHAINID, ORIGIN, GAS, GASLIMIT, BLOBBASEFEE
      ...['3a', '48', '43', '46', '32', '5a', '45', '4a'].flatMap((opcode) => [
        callOf(returning(opcode)),
        callOf(returning(opcode), {}, 'pending'),
      ]),
      callOf(returning('3a'), { gasPrice: '0x77359400' }),
      callOf(returning('48'), { gasPrice: '0x77359400' }),
      callOf(returning('3a'), { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' }),
      callOf(returning('48'), { maxFeePerGas: '0x1' }),
      callOf(returning('5a'), { gas: '0x186a0' }),
      callOf(returning('5a'), { gas: '0x5f5e1000' }),
      callOf(returning('5a'), { nonce: '0x55' }),
      callOf(returning('5a'), { chainId: '0x1' }),
      callOf(returning('5a'), { type: '0x2', gasPrice: '0x1' }),
      callOf(returning('5a'), { from: null, gas: null, gasPrice: null, value: null, data: null }),
      callOf(returning('5a'), { other: 'field' }),
    ],
  },
  {
    title: 'the balance of the caller',
    ...OSAKA,
    steps: [
      callOf(BALANCE),
      callOf(BALANCE, { gasPrice: '0x6', gas: '0x7a120' }),
      callOf(BALANCE, { maxFeePerGas: '0x1', gas: '0x7a120' }),
      callOf(BALANCE, { maxPriorityFeePerGas: '0x3', gas: '0x7a120' }),
      callOf(BALANCE, { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3', gas: '0x7a120' }),
      ...[
        {},
        { gasPrice: '0x1', gas: '0x186a0' },
        { value: '0x5' },
        { value: '0x5', gasPrice: '0x1' },
        MOST_FEES,
        { maxFeePerGas: '0x77359400', gas: '0x186a0' },
      ].map((fields) => callOf(BALANCE, { from: POOR, ...fields })),
      request('hardhat_setBalance', POOR, '0x3e8'),
      callOf(BALANCE, { from: POOR, gasPrice: '0x1', gas: '0x186a0' }),
      callOf(BALANCE, { from: POOR, gasPrice: '0x1', gas: '0x186a0', value: '0x10' }),
      callOf(BALANCE, { from: POOR, value: '0x5' }),
      callOf(BALANCE, { from: POOR, value: '0x500' }),
      request('hardhat_setBalance', POOR, '0xf4240'),
      callOf(BALANCE, { from: POOR, gasPrice: '0x1', gas: '0x186a0' }),
      callOf(BALANCE, { from: POOR, gasPrice: '0x1', gas: '0x186a0', value: '0x10' }),
    ],
  },
  {
    title: 'a creation without data',
    ...OSAKA,
    steps: [
      ...[{}, { from: ALICE }, { from: ALICE, data: '0x' }, { from: ALICE, to: null }].flatMap((fields) => [
        request('eth_call', fields),
        request('eth_estimateGas', fields),
        request('eth_sendTransaction', { from: ALICE, ...fields }),
      ]),
      request('eth_call', { from: ALICE, to: null, data: '0x60006000fd' }),
      request('eth_call', { data: '0x600160005260206000f3' }),
    ],
  },
  {
    title: 'estimates of transfers and of code that fails',
    ...OSAKA,
    steps: [
      ...[
        {},
        { from: POOR },
        { gasPrice: '0x1' },
        { maxFeePerGas: '0x1' },
        { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
        { from: POOR, ...MOST_FEES },
        { from: POOR, value: '0x1' },
        { from: POOR, maxFeePerGas: '0x77359400', value: '0x1' },
        { gas: '0x5208' },
        { gas: '0xffffffffff' },
        { value: '0x152d02c7e14af6800001' },
        { nonce: '0x50' },
        { chainId: '0x1' },
        { data: '0x1234' },
        { data: `0x${'11'.repeat(5000)}` },
        { data: `0x${'00'.repeat(5000)}` },
        { to: null, data: '0x00' },
        { to: null, data: '0x600a80600d6000396000f3fe00000000000000000000' },
        { accessList: [{ address: BOB, storageKeys: [`0x${'11'.repeat(32)}`] }] },
        { to: '0x0000000000000000000000000000000000000002', data: `0x${'11'.repeat(640)}` },
        { to: '0x0000000000000000000000000000000000000001' },
      ].map((fields) => estimate(fields)),
      setCode(BOB, '0x60016000fd'),
      estimate(),
      setCode(BOB, '0xfe'),
      estimate(),
      setCode(BOB, BALANCE),
      estimate(),
      estimate({ from: POOR, ...MOST_FEES }),
      estimate({}, 'latest'),
      estimate({}, '0x0'),
      // BASEFEE is zero: otherwise it reverts.
      setCode(BOB, '0x48600557005b5f5ffd'),
      estimate(),
      estimate({ gasPrice: '0x77359400' }),
    ],
  },
  {
    title: 'estimates of contracts that call, clear slots, create and destroy',
    ...OSAKA,
    steps: [
      // Calls code that loads a slot forty times, with more gas than that takes.
      setCode(CALLEE, `0x${'5f54'.repeat(40)}`),
      setCode(CONTRACT, calling(CALLEE, '614e20')),
      estimate({ to: CONTRACT }),
      setCode(CONTRACT, requiring(CALLEE, '614e20')),
      estimate({ to: CONTRACT }),
      // Calls code that runs out of any gas, with all gas and with 5,000: by memory and not in a loop, because EDR
      // keeps each step of each try of an estimate, which took gigabytes.
      setCode(CALLEE, '0x63ffffffff51'),
      setCode(CONTRACT, calling(CALLEE)),
      estimate({ to: CONTRACT }),
      setCode(CONTRACT, calling(CALLEE, '611388')),
      estimate({ to: CONTRACT }),
      // Clears three slots.
      ...['0x0', '0x1', '0x2'].map((slot) =>
        request('hardhat_setStorageAt', CALLEE, slot, `0x${WORD.slice(1)}5`),
      ),
      setCode(CALLEE, '0x5f5f555f6001555f60025500'),
      estimate({ to: CALLEE }),
      setCode(CONTRACT, requiring(CALLEE)),
      estimate({ to: CONTRACT }),
      // Sends a wei with the stipend; destroys itself; creates a contract.
      setCode(CALLEE, `0x5f5f5f5f600173${BOB.slice(2)}5ff100`),
      request('hardhat_setBalance', CALLEE, '0x100'),
      estimate({ to: CALLEE }),
      setCode(CALLEE, `0x73${BOB.slice(2)}ff`),
      estimate({ to: CALLEE }),
      setCode(CALLEE, '0x5f5f5ff000'),
      estimate({ to: CALLEE }),
      // Reverts unless 500,000 gas are left.
      setCode(CALLEE, '0x6207a1205a11600c575f5ffd5b00'),
      estimate({ to: CALLEE }),
    ],
    differs: Object.fromEntries(
      Object.entries({
        2: '0x7460',
        4: '0x7460',
        14: '0x8cae',
        16: '0x97d3',
        19: '0x7f68',
        25: '0x7f32e',
      }).map(([step, result]) => [step, { here: { result }, because: EXACT }]),
    ),
  },
  {
    title: 'overrides',
    ...OSAKA,
    steps: [
      ...[
        { balance: '0x1' },
        { balance: null },
        { balance: `0x${'f'.repeat(64)}` },
        { nonce: '0xfffffffffffffffe' },
        { nonce: null },
        { code: null },
        { code: '0x' },
        { state: null },
        { stateDiff: null },
        { state: {}, stateDiff: {} },
        { stateDiff: { [`0x${WORD}`]: `0x${WORD}` } },
        { stateDiff: { [WORD]: `0x${WORD}` } },
        { other: 1 },
        {},
      ].map(override),
      request('eth_call', { to: BOB }, 'latest', { [BOB.slice(2)]: {} }),
      request('eth_call', { to: BOB }, 'latest', null),
      request('eth_call', { to: BOB }, 'latest', {
        [BOB.slice(2)]: { code: '0x60005460005260206000f3', stateDiff: { [WORD]: `0x${WORD.slice(1)}7` } },
      }),
    ],
  },
  ...['petersburg', 'berlin'].map(
    (hardfork): Scenario => ({
      title: `fields of later forks in ${hardfork}`,
      network: { hardfork },
      options: { hardfork: hardfork as 'berlin' },
      steps: [
        request('eth_call', { to: BOB, maxFeePerGas: '0x1' }),
        request('eth_estimateGas', { from: ALICE, to: BOB, maxPriorityFeePerGas: '0x1' }),
        request('eth_sendTransaction', { from: ALICE, to: BOB, gas: '0x5208', maxFeePerGas: '0x77359400' }),
        request('eth_call', { to: BOB, authorizationList: [] }),
        request('eth_call', { to: BOB, accessList: [] }),
        ...['eth_getBalance', 'eth_getCode', 'eth_getTransactionCount'].map((method) =>
          request(method, ALICE, 'finalized'),
        ),
        request('eth_call', { to: BOB }, 'safe'),
        request('eth_getBlockByNumber', 'safe', false),
        request('eth_getLogs', { toBlock: 'safe' }),
        request('eth_getLogs', { fromBlock: 'finalized' }),
        request('eth_newFilter', { toBlock: 'finalized' }),
        request('eth_gasPrice'),
        request('eth_feeHistory', '0x1', 'latest', []),
      ],
    }),
  ),
]
