// Nested frames: separate stacks, memories and return data.
import {
  bytesToBigInt,
  bytesToHex,
  concat,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  padHex,
  slice,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { sampled } from '../../size.ts'
import { CALLER, COINBASE, CONTRACT, codeOf, INTRINSIC, OTHER, push, RETURN_TOP, runCode } from './scene.ts'

/** STATICCALL of an account with 32 bytes of input from `input` on, and 32 of output to `output`. */
function callOf(account: Hex, input: number, output: number): Hex {
  return concat([push(32, output, 32, input, BigInt(account)), '0x5afa50'])
}

/** Expands memory to a megabyte, fills the end with ones, and returns nothing. */
const MEMORY_EATER: Hex = '0x60001960ff6103e8025260011960fa6103e8025200'

describe('memory', () => {
  test('is zero in a new frame, even if another had written there', async () => {
    // The eater runs twice: what it finds at 255,000 must be zero again.
    const eater = concat(['0x620fffff51', '0x5f52', '0x5f19620fffff52', '0x60205ff3'])
    const code = concat([callOf(OTHER, 0, 0), callOf(OTHER, 0, 32), '0x60405ff3'])
    const { returnData, outcome } = await runCode(code, { accounts: { [OTHER]: codeOf(eater) } })
    expect(outcome).toBe('success')
    expect(bytesToHex(returnData)).toBe(padHex('0x', { size: 64 }))
  })

  test("of a caller is unchanged, however much the called frame's grew", async () => {
    const code = concat([push(0xabcdef, 0), '0x52', callOf(OTHER, 0, 64), '0x60205ff3'])
    const result = await runCode(code, { gas: 30_000_000n, accounts: { [OTHER]: codeOf(MEMORY_EATER) } })
    expect(result.outcome).toBe('success')
    expect(bytesToBigInt(result.returnData)).toBe(0xabcdefn)
  })

  test('costs three gas a word, and a square beyond (Yellow Paper, appendix G)', async () => {
    for (const words of [1n, 2n, 22n, 23n, 724n, 100_000n]) {
      // PUSH32, MLOAD: three each.
      const code = concat([push(32n * (words - 1n)), '0x51'])
      const { gasUsed } = await runCode(code, { gas: 100_000_000n })
      expect(gasUsed).toBe(21_000n + 6n + 3n * words + (words * words) / 512n)
    }
  })

  test('is not touched by empty ranges, at any offset', async () => {
    for (const offset of sampled([2n ** 16n, 2n ** 32n - 1n, 2n ** 36n, 2n ** 256n - 1n])) {
      for (const opcode of [
        '0x20',
        '0x37',
        '0x39',
        '0x3c',
        '0x3e',
        '0x5e',
        '0xa0',
        '0xf0',
        '0xf3',
        '0xfd',
      ] as const) {
        // In turn the place written to and the place read from, with a length of zero and of one.
        for (const operands of [
          [0, 0, offset, offset],
          [0, offset, 0, 0],
          [1, offset, 0, 0],
          [0, 0, 0, offset],
        ]) {
          const code = concat([push(...operands), opcode, '0x5960005260206000f3'])
          const reference = await runCode(code, { interpreter: 'reference' })
          expect(await runCode(code), `${opcode} of ${operands.join(', ')}`).toEqual(reference)
        }
      }
    }
  })

  test('beyond any gas limit is out of gas, at any offset', async () => {
    const far = [2n ** 36n, 2n ** 37n, 2n ** 40n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n]
    for (const offset of far) {
      // MLOAD; KECCAK256 of one byte there; of as many from 0 on; of as many there.
      for (const operands of [[offset], [1, offset], [offset, 0], [offset, offset]]) {
        const opcode = operands.length === 1 ? '0x51' : '0x20'
        const { failure } = await runCode(concat([push(...operands), opcode]), { gas: 2n ** 53n - 1n })
        expect(failure, `${offset}`).toBe('out of gas')
      }
    }
    for (const offset of [2n ** 26n, 2n ** 32n, 2n ** 35n]) {
      expect((await runCode(concat([push(offset), '0x51']))).failure, `${offset}`).toBe('out of gas')
    }
  })
})

test('keccak-256 of every length around its blocks', async () => {
  for (const length of [0, 1, 31, 32, 33, 64, 134, 135, 136, 137, 271, 272, 273, 1000]) {
    const input = bytesToHex(Uint8Array.from({ length }, (_, index) => (index * 7 + 1) & 0xff))
    const { returnData } = await runCode(concat(['0x365f5f37', '0x365f20', RETURN_TOP]), { input })
    expect(bytesToHex(returnData)).toBe(keccak256(input))
  }
})

test('opcodes that read block, transaction and message', async () => {
  const blob: Hex = `0x01${'bb'.repeat(31)}`
  const expected: Readonly<Record<Hex, bigint>> = {
    '0x30': BigInt(CONTRACT),
    '0x32': BigInt(CALLER),
    '0x33': BigInt(CALLER),
    '0x34': 55n,
    '0x36': 3n,
    '0x3a': 11n,
    '0x41': BigInt(COINBASE),
    '0x42': 1_700_000_000n,
    '0x43': 1000n,
    '0x44': 0xabcdefn,
    '0x45': 45_000_000n,
    '0x46': 31_337n,
    '0x47': 1055n,
    '0x48': 7n,
    '0x4a': 3n,
    '0x5f49': BigInt(blob),
    '0x600149': 0n,
    // BLOCKHASH of the parent, of the 256th before, of the one before that, of itself.
    '0x6103e740': 999n,
    '0x6102e840': 744n,
    '0x6102e740': 0n,
    '0x6103e840': 0n,
    // CALLDATALOAD within, over and beyond the end.
    '0x5f35': BigInt(padHex('0x112233', { dir: 'right', size: 32 })),
    '0x600235': BigInt(padHex('0x33', { dir: 'right', size: 32 })),
    '0x600335': 0n,
  }
  for (const [opcodes, value] of Object.entries(expected)) {
    const code = concat([opcodes as Hex, RETURN_TOP])
    const run = { value: 55n, input: '0x112233', blobVersionedHashes: [blob] } as const
    expect(bytesToBigInt((await runCode(code, run)).returnData), opcodes).toBe(value)
    // Asked twice, the second time it is remembered.
    const twice = await runCode(concat([opcodes as Hex, '0x50', code]), run)
    expect(bytesToBigInt(twice.returnData), `${opcodes} twice`).toBe(value)
  }
})

test('calls go 1024 deep and no deeper', { tags: 'gate' }, async () => {
  // Calls itself with its input plus one, and returns the result, or its input if the call failed.
  const recursive: Hex = '0x5f356001015f526020602060205f305afa60185760205ff35b60206020f3'
  const run = { gas: 10n ** 13n } as const
  const result = await runCode(recursive, run)
  expect(bytesToBigInt(result.returnData)).toBe(1025n)
  expect(result).toEqual(await runCode(recursive, { ...run, interpreter: 'reference' }))
})

test('a frame with more gas than a double can represent agrees, too', async () => {
  const code = concat(['0x5a', RETURN_TOP])
  for (const gas of [2n ** 53n, 2n ** 53n + 1n, 2n ** 62n]) {
    const { returnData } = await runCode(code, { gas })
    expect(bytesToBigInt(returnData)).toBe(gas - 21_000n - 2n)
  }
})

test('messages and creations of such a frame are those of the reference', async () => {
  // Stores 7 in slot 0 and returns the byte 0x5b.
  const init = '0x60075f55605b5f5360015ff3'
  const create = concat(['0x6b', init, '0x5f52600c60145ff05f52'])
  const code = concat([create, callOf(OTHER, 0x20, 0x20), '0x60405ff3'])
  const accounts = { [OTHER]: codeOf('0x335f5260205ff3') }
  const [ours, theirs] = await Promise.all(
    (['wasm', 'reference'] as const).map((interpreter) =>
      runCode(code, { gas: 2n ** 62n, accounts, interpreter }),
    ),
  )
  expect(ours).toEqual(theirs)
  const created = getContractAddress({ from: CONTRACT, nonce: 1n })
  expect(bytesToHex(ours?.returnData ?? new Uint8Array()).slice(26, 66)).toBe(created.slice(2).toLowerCase())
  expect(bytesToBigInt(ours?.returnData.subarray(0x20) ?? new Uint8Array())).toBe(BigInt(CONTRACT))
})

test('a creation that reverts with a byte that no contract may begin with is a revert (EIP-3541)', async () => {
  // Reverts with the byte 0xef.
  const init = '0x60ef5f5360015ffd'
  const create = concat(['0x67', init, '0x5f52600860185ff0'])
  const code = concat([create, '0x3d5f5f3e3d5ff3'])
  const { returnData, gasUsed } = await runCode(code, { gas: 1_000_000n })
  expect(bytesToHex(returnData)).toBe('0xef')
  // CREATE costs 32,000; a contract that begins so takes all but one 64th of the gas.
  expect(gasUsed).toBeLessThan(INTRINSIC + 33_000n)
})

test('the error of an invalid jump has its position, as in the reference', async () => {
  const result = await runCode('0x600456005b')
  expect(result).toEqual(await runCode('0x600456005b', { interpreter: 'reference' }))
  expect(result.outcome).toBe('success')
  expect((await runCode('0x600356005b')).failure).toBe('invalid jump destination')
  // Into the data of a PUSH.
  expect((await runCode('0x600456605b')).failure).toBe('invalid jump destination')
})

test('concurrent executions have separate frames', async () => {
  const runs = Array.from({ length: 8 }, (_, index) => {
    const input = padHex(numberToHex(index + 1), { size: 32 })
    const code = concat(['0x5f355f52', callOf(OTHER, 0, 32), '0x60405ff3'])
    return runCode(code, { input, accounts: { [OTHER]: codeOf('0x5f355f5260205ff3') } })
  })
  for (const [index, { returnData }] of (await Promise.all(runs)).entries()) {
    const word = padHex(numberToHex(index + 1), { size: 32 })
    expect(slice(bytesToHex(returnData), 0, 32)).toBe(word)
    expect(slice(bytesToHex(returnData), 32)).toBe(word)
  }
})

describe('code that begins as that of the EVM Object Format, which no fork has', () => {
  test('fails in a creation, which takes the gas and a nonce', async () => {
    // CREATE of 0xef00 between two readings of the gas, of which the later is on top: SWAP1, SUB.
    const { returnData, state, outcome } = await runCode('0x61ef005f525a6002601e5ff0505a90035f5260205ff3', {
      gas: 1_021_000n,
    })
    expect(outcome).toBe('success')
    // PUSH2, PUSH0, MSTORE with a word of memory and GAS; PUSH1, PUSH1, PUSH0 and CREATE with a word of init code.
    const before = 1_000_000n - (3n + 2n + 6n + 2n)
    const left = before - (3n + 3n + 2n + 32_000n + 2n)
    // With POP and GAS. EIP-150 keeps one 64th.
    const spent = before - left + (left - left / 64n) + 2n + 2n
    expect(bytesToBigInt(returnData)).toBe(spent)
    expect(state).toContainEqual(expect.objectContaining({ address: CONTRACT, nonce: 2n }))
  })

  test('is what EXTCODESIZE, EXTCODEHASH and EXTCODECOPY tell', async () => {
    const deposited: Hex = '0xef0001020304'
    const read = concat([
      '0x73',
      OTHER,
      '0x3b5f52',
      '0x73',
      OTHER,
      '0x3f602052',
      '0x60205f604073',
      OTHER,
      '0x3c',
      '0x60605ff3',
    ])
    const { returnData } = await runCode(read, { accounts: { [OTHER]: codeOf(deposited) } })
    const told = [
      padHex('0x06', { size: 32 }),
      keccak256(deposited),
      padHex(deposited, { dir: 'right', size: 32 }),
    ]
    expect(bytesToHex(returnData)).toBe(concat(told))
  })
})
