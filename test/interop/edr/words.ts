// Requests that Hardhat refuses, a row for each kind of error.

import type { Scenario } from './scenario.ts'

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const BOB = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

export const WORDS: readonly Scenario[] = [
  {
    title: 'an unknown method',
    steps: [{ method: 'eth_unknownMethod' }],
  },
  {
    title: 'a sender without enough funds',
    steps: [
      {
        method: 'eth_sendTransaction',
        params: [
          { from: ALICE, to: BOB, value: '0x152d02c7e14af6800001', gas: '0x5208', gasPrice: '0x77359400' },
        ],
      },
    ],
  },
  {
    title: 'a nonce that is too low',
    steps: [
      { method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB, value: '0x1' }] },
      { method: 'eth_sendTransaction', params: [{ from: ALICE, to: BOB, value: '0x1', nonce: '0x0' }] },
    ],
  },
]
