// Failed executions: calls, estimates and transactions of contracts that Hardhat has no source of.

import { encodeAbiParameters, encodeErrorResult, type Hex, toHex } from 'viem'
import type { Scenario, Step } from './scenario.ts'
import { ALICE, differing, NOBODY, scenario, step } from './words-steps.ts'

/** A contract that reverts with its input: CALLDATASIZE PUSH1 0 PUSH1 0 CALLDATACOPY CALLDATASIZE PUSH1 0 REVERT. */
const ECHO = '0x366000600037366000fd'

/** Calls, estimates and sends a message to the contract. */
function messages(data: Hex): readonly Step[] {
  const message = { from: ALICE, to: NOBODY, data }
  return [
    step('eth_call', message),
    step('eth_estimateGas', message),
    step('eth_sendTransaction', { ...message, gas: '0x186a0' }),
    step('eth_sendTransaction', message),
  ]
}

function reverts(title: string, data: Hex): Scenario {
  return scenario(`a revert with ${title}`, step('hardhat_setCode', NOBODY, ECHO), ...messages(data))
}

function halts(title: string, code: Hex): Scenario {
  return scenario(
    `an execution that ends with ${title}`,
    step('hardhat_setCode', NOBODY, code),
    ...messages('0x'),
  )
}

const abi = [
  { type: 'error', name: 'Error', inputs: [{ name: 'message', type: 'string' }] },
  { type: 'error', name: 'Panic', inputs: [{ name: 'reason', type: 'uint256' }] },
  { type: 'error', name: 'CustomError', inputs: [{ name: 'code', type: 'uint256' }] },
] as const

const text = (message: string): Hex => encodeErrorResult({ abi, errorName: 'Error', args: [message] })
const panic = (code: bigint): Hex => encodeErrorResult({ abi, errorName: 'Panic', args: [code] })

/** The length of a text without the text. */
const brokenText: Hex = `0x08c379a0${encodeAbiParameters([{ type: 'uint256' }, { type: 'uint256' }], [32n, 99n]).slice(2)}`

const PANICS = [0n, 1n, 0x11n, 0x12n, 0x21n, 0x22n, 0x31n, 0x32n, 0x41n, 0x51n, 0x99n]

const create = (data: Hex, more = {}): Step => step('eth_sendTransaction', { from: ALICE, data, ...more })

const NOT_EXACT = 'The return data of such a creation is not kept, so it is worded as a revert without data.'

const failed = (message: string, data: string, hasTransaction: boolean): unknown => ({
  ...{ name: 'SolidityError', code: 3, message, data, hasTransaction },
})

const noReason = (hasTransaction: boolean): unknown =>
  failed('Transaction reverted without a reason string', '0x', hasTransaction)

const asCustom = `VM Exception while processing transaction: reverted with an unrecognized custom error (return data: ${brokenText})`

export const EXECUTIONS: readonly Scenario[] = [
  reverts('nothing', '0x'),
  reverts('a text', text('No!')),
  reverts('an empty text', text('')),
  reverts('a text with quotes', text("a'b\n")),
  reverts('a custom error', encodeErrorResult({ abi, errorName: 'CustomError', args: [5n] })),
  reverts('two bytes', '0xdead'),
  ...PANICS.map((code) => reverts(`panic ${toHex(code)}`, panic(code))),
  {
    ...scenario(
      'a revert with a broken text',
      step('hardhat_setCode', NOBODY, ECHO),
      step('eth_call', { from: ALICE, to: NOBODY, data: brokenText }),
    ),
    differs: {
      1: { here: failed(asCustom, brokenText, false), because: 'There the reader of the text throws.' },
    },
  },
  halts('INVALID', '0xfe'),
  halts('an undefined opcode', '0x0c'),
  halts('an endless loop', '0x5b600056'),
  halts('a jump to no destination', '0x600556'),
  halts('too few words on the stack', '0x01'),
  halts('too many words on the stack', '0x5b60016000600056'),
  scenario(
    'creations that fail',
    create('0xaa', { gas: '0x186a0' }),
    create('0x60006000fd'),
    create('0x60006000fd', { gas: '0x186a0' }),
    create('0x6160016000f3'),
    create('0x6160016000f3', { gas: '0x1000000' }),
    create('0x6110006000f3', { gas: '0x15f90' }),
    step('eth_call', { from: ALICE, data: '0x6160016000f3' }),
    step('eth_estimateGas', { from: ALICE, data: '0x6160016000f3' }),
  ),
  differing(
    'code that begins with 0xef',
    NOT_EXACT,
    [create('0x60ef60005360016000f3', { gas: '0x186a0' }), noReason(true)],
    [step('eth_call', { from: ALICE, data: '0x60ef60005360016000f3' }), noReason(false)],
  ),
  scenario(
    'precompiles that fail',
    step('eth_call', { from: ALICE, to: `0x${'00'.repeat(19)}09`, data: '0x00' }),
    step('eth_sendTransaction', { from: ALICE, to: `0x${'00'.repeat(19)}09`, data: '0x00', gas: '0x186a0' }),
    step('eth_call', { from: ALICE, to: `0x${'00'.repeat(19)}06`, data: `0x${'ff'.repeat(128)}` }),
  ),
]
