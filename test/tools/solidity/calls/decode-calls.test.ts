// Decoding of calls that no ABI has whole, of code in another account's storage, and of code that appears on the way.

import { createEmulator, type Emulator, formatTrace } from 'tickchain'
import { emulatorConfig } from 'tickchain/viem'
import { createWalletClient, type Hex, pad, toFunctionSelector } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { beforeAll, describe, expect, test } from 'vitest'
import { compile, type StandardJson } from '../compile.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
library Lists {
  function append(uint256[] storage list, uint256 value) public { list.push(value); }
}
contract Holder {
  uint256[] items;
  mapping(bytes4 => uint256) flags;
  function add(uint256 value) external { Lists.append(items, value); }
  function mark(bytes4 key) external {
    flags[key] = 1;
    assembly { sstore(0xffffffffffffffffffff, caller()) sstore(0xfffffffffffffffffffe, 9) }
  }
}
contract Maker {
  function make(bytes calldata code) external returns (address made) {
    bytes memory init = bytes.concat(hex"600b5981380380925939f3", code);
    assembly { made := create(0, add(init, 32), mload(init)) }
  }
}
contract Catcher {
  uint256 count;
  fallback() external payable { count++; }
}`

const ALICE = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const LISTS = '0x00000000000000000000000000000000000c0de1'
const HOLDER = '0x00000000000000000000000000000000000c0de2'
const CATCHER = '0x00000000000000000000000000000000000c0de3'
const MAKER = '0x00000000000000000000000000000000000c0de4'

let build: StandardJson
let chain: Emulator

function deployed(name: string): Hex {
  const contract = build.output.contracts['All.sol']?.[name]
  return `0x${contract.evm.deployedBytecode.object.replace(/__.{36}__/g, LISTS.slice(2))}`
}

beforeAll(async () => {
  build = compile({ 'All.sol': SOURCE })
  chain = await createEmulator({ production: 'auto' })
  await chain.addContracts(build)
  await chain.setCode(LISTS, deployed('Lists'))
  await chain.setCode(HOLDER, deployed('Holder'))
  await chain.setCode(CATCHER, deployed('Catcher'))
  await chain.setCode(MAKER, deployed('Maker'))
})

function word(value: bigint): string {
  return pad(`0x${value.toString(16)}`).slice(2)
}

function dataOf(signature: string, ...words: readonly string[]): Hex {
  return `${toFunctionSelector(signature)}${words.join('')}`
}

async function linesOf(to: Hex, data: Hex, fields: object = {}): Promise<string[]> {
  const trace = await chain.trace({ from: ALICE, to, data, ...fields })
  return formatTrace(trace)
    .replace(/\[\d+\] /g, '')
    .split('\n')
}

describe('storage', () => {
  test('that a library writes has the names of its caller', async () => {
    expect(await linesOf(HOLDER, dataOf('add(uint256)', word(5n)))).toEqual([
      '  Holder::add(5)',
      `    ├─ Lists::append(0x${word(0n)}${word(5n)}) [delegatecall]`,
      '    │   ├─ storage changes:',
      '    │   │   items: 0 elements → 1 element',
      '    │   │   items[0]: 0 → 5',
      '    │   └─ ← [Stop]',
      '    └─ ← [Stop]',
    ])
  })

  test('under fixed bytes, and without a name: large words are hex', async () => {
    expect(await linesOf(HOLDER, dataOf('mark(bytes4)', `deadbeef${'0'.repeat(56)}`))).toEqual([
      '  Holder::mark(0xdeadbeef)',
      '    ├─ storage changes:',
      '    │   flags[0xdeadbeef]: 0 → 1',
      `    │   slot 0x${'0'.repeat(44)}${'f'.repeat(20)}: 0 → 0x${'0'.repeat(24)}${ALICE.slice(2)}`,
      `    │   slot 0x${'0'.repeat(44)}${'f'.repeat(19)}e: 0 → 9`,
      '    └─ ← [Stop]',
    ])
  })
})

describe('a call', () => {
  test('with arguments that are too short is one of its function', async () => {
    const [head] = await linesOf(HOLDER, `${dataOf('add(uint256)')}0102`)
    expect(head).toBe('  Holder::add(0x0102)')
  })

  test('of a selector that a contract without a fallback function has not is shown by it', async () => {
    const [head] = await linesOf(HOLDER, '0x12345678ab')
    expect(head).toBe('  Holder::12345678(ab)')
    const [payment] = await linesOf(HOLDER, '0x', { value: '0x1' })
    expect(payment).toBe('  Holder::receive{value: 1}()')
  })

  test('of the fallback function is shown with its data, and without any', async () => {
    const [head] = await linesOf(CATCHER, '0x12345678ab')
    expect(head).toBe('  Catcher::fallback(0x12345678ab)')
    const [payment] = await linesOf(CATCHER, '0x', { value: '0x1' })
    expect(payment).toBe('  Catcher::fallback{value: 1}()')
  })
})

describe('code that appears in the execution', () => {
  test('is recognised where its creation code is unknown', async () => {
    const code = deployed('Catcher').slice(2)
    const data = dataOf(
      'make(bytes)',
      word(32n),
      word(BigInt(code.length / 2)),
      code.padEnd(Math.ceil(code.length / 64) * 64, '0'),
    )
    const lines = await linesOf(MAKER, data)
    expect(lines[1]).toMatch(/^ {4}├─ → new Catcher@0x/)
    expect(lines.at(-1)).toMatch(/← \[Return\] Catcher: \[0x/)
  })

  test('is that to which the transaction delegates an account (EIP-7702)', async () => {
    const account = privateKeyToAccount(pad('0x7702'))
    await chain.setBalance(account.address, 10n ** 18n)
    const wallet = createWalletClient({ ...emulatorConfig(chain), account })
    const signed = await wallet.signAuthorization({ contractAddress: CATCHER, executor: 'self' })
    const hash = await wallet.sendTransaction({
      to: account.address,
      data: '0x12345678',
      authorizationList: [signed],
      gas: 200_000n,
      chain: null,
    })
    const trace = await chain.trace(hash)
    expect(trace.call).toMatchObject({ name: 'Catcher', functionName: 'fallback' })
    expect(trace.call.storage).toMatchObject([{ name: 'count', before: '0', after: '1' }])
  })
})
