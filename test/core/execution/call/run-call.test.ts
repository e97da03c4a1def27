// eth_call against transactions: the same message has the same gas, refunds and warmth.

import { concat, encodeFunctionData, getContractAddress, type Hex, hexToBigInt, pad, toHex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { Reverter } from '../../../contracts/generated.ts'
import { readReceipts } from '../../chain/reads.ts'
import { makeWallets, privateKeys, type Wallets } from '../../chain/wallet.ts'
import { stranger } from '../../chain/workload.ts'

let chain: Emulator
let wallets: Wallets

beforeEach(async () => {
  chain = await createEmulator({ accounts: { privateKeys } })
  wallets = makeWallets(chain)
})

/** Init code that deploys the bytes after it, fewer than 256. */
function initCodeOf(code: Hex): Hex {
  const size = ((code.length - 2) / 2).toString(16).padStart(2, '0')
  return `0x60${size}600a5f3960${size}5ff3${code.slice(2)}`
}

async function deploy(code: Hex): Promise<Hex> {
  await wallets[5].send({ data: initCodeOf(code), gas: 3_000_000n })
  await chain.seal()
  return (await readReceipts(chain, 'latest'))[0]?.contractAddress as Hex
}

/** The code with its answer returned as a word: MSTORE(0), RETURN(0, 32). */
function answering(opcodes: string): Hex {
  return `0x${opcodes}5f5260205ff3`
}

const word = (value: bigint | Hex): Hex =>
  typeof value === 'bigint' ? toHex(value, { size: 32 }) : pad(value, { size: 32 })

describe('a call', () => {
  test('has the gas that is left after the intrinsic gas', async () => {
    // GAS answers what is left after itself: 2.
    const contract = await deploy(answering('5a'))
    const call = { to: contract, gas: toHex(100_000) }
    expect(await chain.request({ method: 'eth_call', params: [{ ...call, data: '0x' }] })).toBe(word(78_998n))
    // 0x00ff costs 4 + 16.
    expect(await chain.request({ method: 'eth_call', params: [{ ...call, data: '0x00ff' }] })).toBe(
      word(78_978n),
    )
  })

  test('without a gas limit may use that of a block', async () => {
    const contract = await deploy(answering('5a'))
    const left = await chain.request({ method: 'eth_call', params: [{ to: contract }] })
    expect(hexToBigInt(left)).toBe(60_000_000n - 21_000n - 2n)
  })

  test('without a sender is from the zero address', async () => {
    const contract = await deploy(answering('33'))
    expect(await chain.request({ method: 'eth_call', params: [{ to: contract }] })).toBe(word(0n))
    const from = stranger(5)
    expect(await chain.request({ method: 'eth_call', params: [{ to: contract, from }] })).toBe(word(from))
  })

  test('has the same warm addresses as a transaction (EIP-2929, 3651)', async () => {
    // GAS, BALANCE(the address in the calldata), POP, GAS, and the difference: the access and 5 for the rest.
    const contract = await deploy(answering('5a5f3531505a9003'))
    const [a] = wallets
    const cost = async (address: Hex, accessList: { address: Hex; storageKeys: Hex[] }[] = []) => {
      const data = word(address)
      const returned = await chain.request({
        method: 'eth_call',
        params: [{ to: contract, from: a.address, data, accessList }],
      })
      // PUSH0 2, CALLDATALOAD 3, POP 2, GAS 2.
      return hexToBigInt(returned) - 9n
    }
    const coinbase: Hex = '0x4200000000000000000000000000000000000011'
    for (const warm of [a.address, contract, coinbase, toHex(1, { size: 20 }), toHex(10, { size: 20 })]) {
      expect(await cost(warm), warm).toBe(100n)
    }
    expect(await cost(stranger(1))).toBe(2600n)
    expect(await cost(stranger(1), [{ address: stranger(1), storageKeys: [] }])).toBe(100n)
  })

  test('finds the target of a delegation warm (EIP-7702)', async () => {
    const contract = await deploy(answering('5a5f3531505a9003'))
    const [a, b] = wallets
    await b.send({
      type: 'eip7702',
      to: stranger(1),
      gas: 100_000n,
      authorizationList: [await a.authorize(contract, 0)],
    })
    await chain.seal()
    const data = word(contract)
    const viaDelegation = await chain.request({ method: 'eth_call', params: [{ to: a.address, data }] })
    expect(hexToBigInt(viaDelegation) - 9n).toBe(100n)
  })

  test("of an account to itself counts the message's nonce before its authorization", async () => {
    const contract = await deploy(answering('30'))
    const [a] = wallets
    const { r, s, yParity } = await a.authorize(contract, 1)
    const authorization = {
      address: contract,
      chainId: toHex(31_337),
      nonce: '0x1',
      yParity: toHex(yParity),
      r,
      s,
    }
    const returned = await chain.request({
      method: 'eth_call',
      params: [{ from: a.address, to: a.address, authorizationList: [authorization] }],
    })
    expect(returned).toBe(word(a.address))
    const code = await chain.request({ method: 'eth_getCode', params: [a.address] })
    expect(code).toBe('0x')
  })

  test('that creates returns the code, at the address for the next nonce', async () => {
    const [a] = wallets
    await a.send({ to: stranger(1) })
    await chain.seal()
    // Init code that returns ADDRESS.
    const returned = await chain.request({
      method: 'eth_call',
      params: [{ from: a.address, data: answering('30') }],
    })
    expect(returned).toBe(word(getContractAddress({ from: a.address, nonce: 1n }).toLowerCase() as Hex))
  })

  test('transfers its value in the state that it sees, and requires the sender to have it', async () => {
    const contract = await deploy(answering('47'))
    const [a] = wallets
    const call = (value: bigint) =>
      chain.request({ method: 'eth_call', params: [{ from: a.address, to: contract, value: toHex(value) }] })
    expect(await call(12n)).toBe(word(12n))
    expect(await chain.request({ method: 'eth_getBalance', params: [contract] })).toBe('0x0')
    const tooMuch = 10_001n * 10n ** 18n
    await expect(call(tooMuch)).rejects.toMatchObject({ kind: 'insufficientFunds', code: -32000 })
  })

  test('with a fee has paid for its gas when the code runs, as a transaction has', async () => {
    // Stores BALANCE(CALLER) in slot 0, and answers it.
    const contract = await deploy('0x3331805f555f5260205ff3')
    const [a] = wallets
    await a.send({ to: contract, gas: 100_000n, fee: 10n ** 10n, tip: 3n })
    const returned = await chain.request({
      method: 'eth_call',
      params: [
        {
          from: a.address,
          to: contract,
          gas: toHex(100_000),
          maxFeePerGas: toHex(10n ** 10n),
          maxPriorityFeePerGas: '0x3',
        },
        'pending',
      ],
    })
    await chain.seal()
    const { effectiveGasPrice } = (await readReceipts(chain, 'latest'))[0] as { effectiveGasPrice: Hex }
    const stored = await chain.request({ method: 'eth_getStorageAt', params: [contract, '0x0'] })
    expect(hexToBigInt(stored)).toBe(10_000n * 10n ** 18n - 100_000n * hexToBigInt(effectiveGasPrice))
    expect(returned).toBe(stored)
  })

  test('with a fee requires the sender to have it, and a fee below the base fee is refused', async () => {
    const [a] = wallets
    const call = (fee: bigint, from: Hex) =>
      chain.request({
        method: 'eth_call',
        params: [{ from, to: stranger(1), gas: toHex(21_000), maxFeePerGas: toHex(fee) }],
      })
    expect(await call(10n ** 9n, a.address)).toBe('0x')
    await expect(call(10n ** 9n, stranger(3))).rejects.toMatchObject({ kind: 'insufficientFunds' })
    await expect(call(1n, a.address)).rejects.toMatchObject({ kind: 'feeCapTooLow' })
  })

  test('fails with less than its intrinsic gas, and with less than the floor of its calldata', async () => {
    const call = (gas: bigint, data: Hex) =>
      chain.request({ method: 'eth_call', params: [{ to: stranger(1), gas: toHex(gas), data }] })
    await expect(call(20_999n, '0x')).rejects.toMatchObject({ kind: 'intrinsicGasTooLow' })
    // 100 bytes: 21,000 + 1600 of intrinsic gas, 21,000 + 4000 of floor.
    const data = toHex(new Uint8Array(100).fill(1))
    await expect(call(22_599n, data)).rejects.toMatchObject({ kind: 'intrinsicGasTooLow' })
    await expect(call(24_999n, data)).rejects.toMatchObject({ kind: 'floorGasTooLow' })
    expect(await call(25_000n, data)).toBe('0x')
  })
})

describe('a call that fails', () => {
  const { abi, bytecode } = Reverter

  async function failing(data: Hex): Promise<unknown> {
    await wallets[5].send({ data: bytecode, gas: 3_000_000n })
    await chain.seal()
    const to = (await readReceipts(chain, 'latest'))[0]?.contractAddress as Hex
    return chain
      .request({ method: 'eth_call', params: [{ to, data, gas: toHex(1_000_000) }] })
      .catch((error) => error)
  }

  test('by revert gives code 3, the reason and the revert data', async () => {
    const reason = 'the reason, and an umlaut: ü'
    const data = encodeFunctionData({ abi, functionName: 'revertWithString', args: [reason] })
    const payload = concat([word(32n), word(29n), pad(toHex(reason), { dir: 'right', size: 32 })])
    expect(await failing(data)).toMatchObject({
      code: 3,
      message: `execution reverted: ${reason}`,
      data: concat(['0x08c379a0', payload]),
    })
  })

  test('by panic has the meaning of its code', async () => {
    expect(await failing(encodeFunctionData({ abi, functionName: 'divide', args: [1n, 0n] }))).toMatchObject({
      code: 3,
      message: 'execution reverted: division or modulo by zero',
      data: concat(['0x4e487b71', word(0x12n)]),
    })
  })

  test('by a revert without data has no reason', async () => {
    expect(await failing(encodeFunctionData({ abi, functionName: 'revertEmpty' }))).toMatchObject({
      code: 3,
      message: 'execution reverted',
      data: '0x',
    })
  })

  test.each([
    ['loopForever', 'out of gas'],
    ['invalidOpcode', 'invalid opcode: INVALID'],
  ] as const)("by %s has no data, and geth's message", async (functionName, message) => {
    const error = await failing(encodeFunctionData({ abi, functionName }))
    expect(error).toMatchObject({ kind: 'executionFailed', code: -32000, message })
    expect(error).not.toHaveProperty('data')
  })
})
