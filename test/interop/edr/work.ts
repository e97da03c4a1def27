// Chains before the merge: difficulty and rewards, and with them roots. Of a block all is compared but its hash: EDR's
// genesis has the hash of no bytes as its transactionsRoot, where the root of an empty list belongs.

import { ALICE, BOB, type Row, request, setCode, under } from './rows.ts'
import type { Scenario } from './scenario.ts'

const COINBASE = '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e'
/** 2026-01-01T00:00:00Z, the timestamp of genesis. */
const START = 1_767_225_600

/** Returns DIFFICULTY, and the balance of COINBASE. */
const DIFFICULTY = '0x4460005260206000f3'
const BALANCE = '0x413160005260206000f3'
/** Stores both. */
const STORING = '0x446000554131600155'

const FORKS = [
  ...(['byzantium', 'constantinople', 'petersburg', 'istanbul', 'muirGlacier'] as const),
  ...(['berlin', 'london', 'arrowGlacier', 'grayGlacier'] as const),
]

const FIELDS = [
  ...['number', 'nonce', 'sha3Uncles', 'logsBloom', 'stateRoot', 'receiptsRoot', 'miner', 'difficulty'],
  ...['totalDifficulty', 'mixHash', 'extraData', 'size', 'gasLimit', 'gasUsed', 'timestamp', 'transactions'],
  ...['uncles', 'baseFeePerGas'],
]
const block = (which: string, ...more: readonly string[]): Row => ({
  method: 'eth_getBlockByNumber',
  params: [which, false],
  compare: [...FIELDS, ...more],
})
const at = (seconds: number): Row => request('evm_setNextBlockTimestamp', START + seconds)
const balance = (address: string, which: string): Row => request('eth_getBalance', address, which)
const call = (code: string, which: string): Row =>
  request('eth_call', { from: ALICE, to: BOB }, which, { [BOB]: { code } })
const send = (fields: object): Row =>
  request('eth_sendTransaction', {
    ...{ from: ALICE, to: BOB, gas: '0x30d40', gasPrice: '0x77359400', ...fields },
  })
const hex = (value: number): string => `0x${value.toString(16)}`

/** What blocks of `hardhat_mine` have alike on both sides; a base fee falls here, and not there. */
const RESERVED = ['number', 'timestamp', 'difficulty', 'totalDifficulty', 'nonce', 'mixHash']
const reserved = (which: number, ...more: readonly string[]): Row => ({
  method: 'eth_getBlockByNumber',
  params: [hex(which), false],
  compare: [...RESERVED, ...more],
})

/** The bomb of each fork begins 200,000 blocks after its delay, and passes 256 bits 25,800,000 blocks after it. */
const bombed = (blocks: number): Row[] => [
  request('hardhat_mine', hex(blocks), '0x1'),
  request('evm_mine'),
  { method: 'eth_getBlockByNumber', params: ['latest', false], compare: [...RESERVED, 'stateRoot'] },
]

export const WORK: readonly Scenario[] = FORKS.flatMap((hardfork): Scenario[] => [
  {
    title: `blocks with proof of work in ${hardfork}`,
    ...under(hardfork),
    steps: [
      block('0x0'),
      at(1),
      send({ value: '0x1' }),
      block('0x1', 'transactionsRoot'),
      balance(COINBASE, '0x1'),
      at(100),
      request('evm_mine'),
      block('latest'),
      // Each step of the formula: 9 seconds are one step less.
      ...[101, 109, 110, 119, 150, 1050, 1051].flatMap((seconds) => [
        at(seconds),
        request('evm_mine'),
        block('latest'),
      ]),
      at(1052),
      block('pending'),
      ...['latest', 'pending'].flatMap((which) => [
        call(DIFFICULTY, which),
        call(BALANCE, which),
        balance(COINBASE, which),
      ]),
      request('evm_setAutomine', false),
      send({ value: '0x2', from: BOB, to: COINBASE }),
      block('pending'),
      balance(COINBASE, 'pending'),
      balance(COINBASE, 'latest'),
      request('evm_mine'),
      block('latest'),
      request('evm_setAutomine', true),
      setCode(BOB, STORING),
      at(1053),
      send({}),
      request('eth_getStorageAt', BOB, '0x0'),
      request('eth_getStorageAt', BOB, '0x1'),
      block('latest'),
      request('evm_snapshot'),
      at(1060),
      request('evm_mine'),
      block('latest'),
      request('evm_revert', '$52'),
      at(1070),
      request('evm_mine'),
      block('latest'),
      balance(COINBASE, 'latest'),
    ],
  },
  {
    title: `blocks mined at once with proof of work in ${hardfork}`,
    ...under(hardfork),
    steps: [
      at(1),
      request('hardhat_mine', '0x7', '0x1'),
      ...[1, 2, 3, 6, 7].map((which) => reserved(which, 'stateRoot')),
      at(100),
      request('hardhat_mine', '0x8', '0x3'),
      ...[8, 9, 10, 14, 15].map((which) => reserved(which, 'stateRoot')),
      balance(COINBASE, 'latest'),
      request('evm_setAutomine', false),
      send({ gasPrice: '0x3b9aca00', value: '0x1' }),
      at(200),
      request('hardhat_mine', '0x3e8'),
      ...[16, 17, 18, 600, 1014, 1015].map((which) => reserved(which)),
      at(10_000),
      request('hardhat_mine', hex(1_000_000_000), '0x2'),
      ...[1016, 1017, 1018, 9_000_000, 1_000_001_014, 1_000_001_015].map((which) => reserved(which)),
      request('evm_mine'),
      reserved(1_000_001_016),
    ],
  },
  {
    title: `the difficulty bomb in ${hardfork}`,
    ...under(hardfork),
    steps: [3_400_000, 2_000_000, 4_000_000, 1_700_000, 700_000, 3_000_000, 15_000_000, 10_000_000].flatMap(
      bombed,
    ),
  },
])
