// Halt reasons in eth_call errors, with the messages of go-ethereum's core/vm/errors.go.

import { EVMError } from '@ethereumjs/evm'
import { concat, type Hex, toHex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { haltReason } from '../../../../src/core/execution/result/revert-reason.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { stranger } from '../../chain/workload.ts'

const contract = stranger(1)

function run(code: Hex): Promise<unknown> {
  return createEmulator({ accounts: [], genesis: { alloc: { [contract]: { code } } } })
    .then((chain) => chain.request({ method: 'eth_call', params: [{ to: contract, gas: toHex(200_000) }] }))
    .catch((error) => error)
}

describe('code that', () => {
  test.each<[string, Hex, string]>([
    ['runs out of gas', '0x5b5f56', 'out of gas'],
    ['jumps to where no JUMPDEST is', '0x600556', 'invalid jump destination'],
    ['jumps into the data of a PUSH', '0x600456605b', 'invalid jump destination'],
    ['jumps there on a condition', '0x6001600557', 'invalid jump destination'],
    ['runs INVALID', '0xfe', 'invalid opcode: INVALID'],
    ['reverts', '0x5f5ffd', 'execution reverted'],
  ])('%s fails with "%s"', async (_, code, message) => {
    expect(await run(code)).toMatchObject({ message })
  })

  test('writes in a static call fails there, and the caller sees a zero', async () => {
    // STATICCALL of a contract that stores a word; its return data is returned.
    const writer = stranger(2)
    const code: Hex = `0x5f5f5f5f73${writer.slice(2)}5afa5f5260205ff3`
    const chain = await createEmulator({
      accounts: [],
      genesis: { alloc: { [contract]: { code }, [writer]: { code: '0x60015f55' } } },
    })
    const returned = await chain.request({ method: 'eth_call', params: [{ to: contract }] })
    expect(returned).toBe(toHex(0, { size: 32 }))
  })
})

describe('a creation', () => {
  let chain: Emulator

  beforeAll(async () => {
    chain = await createEmulator({ accounts: [] })
  })

  const create = (data: Hex, gas = 50_000_000n) =>
    chain.request({ method: 'eth_call', params: [{ data, gas: toHex(gas) }] }).catch((error) => error)

  test.each<[string, Hex, string]>([
    ['of code that begins with 0xef', '0x60ef5f5360015ff3', 'invalid code: must not begin with 0xef'],
    ['of code longer than EIP-170 allows', '0x6160015ff3', 'max code size exceeded'],
    [
      'with init code longer than EIP-3860 allows',
      toHex(new Uint8Array(49_153)),
      'max initcode size exceeded',
    ],
  ])('%s fails with "%s"', async (_, data, message) => {
    expect(await create(data)).toMatchObject({ message: expect.stringContaining(message) })
  })

  test('whose code costs more than is left fails', async () => {
    // 1000 bytes of code cost 200,000.
    expect(await create(concat(['0x6103e85ff3']), 250_000n)).toMatchObject({ code: -32000 })
  })
})

const { errorMessages } = EVMError

test.each([
  [errorMessages.REVERT, 'execution reverted'],
  [errorMessages.OUT_OF_GAS, 'out of gas'],
  [errorMessages.CODESTORE_OUT_OF_GAS, 'contract creation code storage out of gas'],
  [errorMessages.CODESIZE_EXCEEDS_MAXIMUM, 'max code size exceeded'],
  [errorMessages.INITCODE_SIZE_VIOLATION, 'max initcode size exceeded'],
  [errorMessages.INVALID_BYTECODE_RESULT, 'invalid code: must not begin with 0xef'],
  [errorMessages.INVALID_JUMP, 'invalid jump destination'],
  [errorMessages.INVALID_OPCODE, 'invalid opcode: INVALID'],
  [errorMessages.STATIC_STATE_CHANGE, 'write protection'],
  [errorMessages.OUT_OF_RANGE, 'return data out of bounds'],
  [errorMessages.CREATE_COLLISION, 'contract address collision'],
  [errorMessages.INSUFFICIENT_BALANCE, 'insufficient balance for transfer'],
] as const)('what @ethereumjs calls "%s" is "%s" in geth', (error, words) => {
  expect(haltReason(new EVMError(error))).toBe(words)
})
