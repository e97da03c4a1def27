// Stack traces of contracts compiled with viaIR, which adds functions of its own: the calls are those of the sources.

import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { compile } from '../compile.ts'

const FILE = 'contracts/Modifiers.sol'
const SOURCE = `contract Target {
  function hit(uint256 amount) external pure { require(amount > 5, "too small"); } // @hit
}
contract Modifiers { // @modifiers
  modifier outer() { _; }
  modifier later() { _; require(msg.sender == address(1), "later"); } // @later
  modifier inner() { require(msg.sender == address(1), "inner"); _; } // @inner
  enum Kind { A, B }
  mapping(Kind => uint256) public kinds; // @kinds
  function both() external view outer inner {} // @both-modifiers
  function after_() external view later {} // @after
  function divide(uint256 by) external pure returns (uint256) {
    return 1 / by; // @divide
  }
  function hit(uint256 amount) external { // @call-hit
    inner_(amount); // @call-inner
  }
  function inner_(uint256 amount) internal {
    new Target().hit(amount); // @target-hit
  }
  function body(uint256 by) external view outer returns (uint256) {
    return 1 / by; // @body
  }
}`
const at = (mark: string): string =>
  `${FILE}:${SOURCE.split('\n').findIndex((line) => line.endsWith(`// @${mark}`)) + 1}`

let chain: Emulator
let abi: Abi
let from: Hex
let to: Hex

beforeAll(async () => {
  const { input, output } = compile({ [FILE]: SOURCE }, { viaIR: true })
  chain = await createEmulator({ production: 'auto' })
  await chain.addContracts({ input, output })
  ;[from = '0x'] = await chain.listAccounts()
  const { evm, ...contract } = output.contracts[FILE]!['Modifiers']
  abi = contract.abi
  const creation = { from, data: `0x${evm.bytecode.object}`, gas: '0x989680' } as const
  const hash = await chain.request('eth_sendTransaction', [creation])
  to = (await chain.request('eth_getTransactionReceipt', [hash]))?.contractAddress as Hex
})

async function stackOf(data: Hex): Promise<string[]> {
  const error: unknown = await chain.request('eth_call', [{ from, to, data }]).catch((thrown) => thrown)
  if (!(error instanceof TickchainError)) throw new Error('the call succeeded')
  const lines = (error.stack ?? '').split('\n').map((line) => line.trim())
  return lines.filter((line) => line.startsWith('at ') && line.includes(FILE))
}

const traceOf = (functionName: string, args: readonly unknown[] = []): Promise<string[]> =>
  stackOf(encodeFunctionData({ abi, functionName, args }))

test('a checked division and a check of an external call are in the function that has them', async () => {
  expect(await traceOf('divide', [0])).toEqual([`at Modifiers.divide (${at('divide')})`])
  expect(await traceOf('hit', [3])).toEqual([
    `at Target.hit (${at('hit')})`,
    `at Modifiers.inner_ (${at('target-hit')})`,
    `at Modifiers.hit (${at('call-inner')})`,
  ])
})

test('a modifier is told once, and not where it has ended', async () => {
  expect(await traceOf('both')).toEqual([
    `at Modifiers.inner (${at('inner')})`,
    `at Modifiers.both (${at('both-modifiers')})`,
  ])
  expect(await traceOf('after_')).toEqual([
    `at Modifiers.later (${at('later')})`,
    `at Modifiers.after_ (${at('after')})`,
  ])
  expect(await traceOf('body', [0])).toEqual([`at Modifiers.body (${at('body')})`])
})

test('an argument that is no value of its enum is one of the getter, not of an unknown function', async () => {
  const kinds = encodeFunctionData({ abi, functionName: 'kinds', args: [0] })
  expect(await stackOf(`${kinds.slice(0, -2)}09` as Hex)).toEqual([`at Modifiers.kinds (${at('kinds')})`])
})
