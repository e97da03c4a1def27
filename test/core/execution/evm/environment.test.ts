// The block environment that code sees, in transactions and in calls.

import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  numberToHex,
  pad,
  toHex,
} from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { Environment } from '../../../contracts/generated.ts'
import { readBlock, readReceipts, type Selector } from '../../chain/reads.ts'
import type { RpcBlock } from '../../chain/recompute.ts'
import { makeWallets, privateKeys, type Wallet } from '../../chain/wallet.ts'
import { stranger } from '../../chain/workload.ts'

// Each of these opcodes is stored in the slot of its position.
const WITNESSED = {
  number: '43',
  timestamp: '42',
  coinbase: '41',
  prevRandao: '44',
  gasLimit: '45',
  chainId: '46',
  baseFee: '48',
  gasPrice: '3a',
  origin: '32',
  caller: '33',
  blobBaseFee: '4a',
  // PUSH1 1, NUMBER, SUB, BLOCKHASH.
  parentHash: '6001430340',
  // NUMBER, BLOCKHASH: the block itself has no hash yet.
  ownHash: '4340',
  selfBalance: '47',
} as const
type Witnessed = keyof typeof WITNESSED

/** Init code of a contract that stores its environment at each call. */
function witnessInitCode(): Hex {
  const runtime = Object.values(WITNESSED)
    .map((opcodes, slot) => `${opcodes}60${slot.toString(16).padStart(2, '0')}55`)
    .join('')
  const size = (runtime.length / 2).toString(16).padStart(2, '0')
  // CODECOPY(0, 12, size), RETURN(0, size).
  return `0x60${size}600c60003960${size}6000f3${runtime}`
}

async function witnessed(
  chain: Emulator,
  contract: Hex,
  selector: Selector,
): Promise<Record<Witnessed, bigint>> {
  const entries = await Promise.all(
    Object.keys(WITNESSED).map(async (name, slot) => {
      const params = [contract, numberToHex(slot), selector] as const
      return [name, hexToBigInt(await chain.request({ method: 'eth_getStorageAt', params }))] as const
    }),
  )
  return Object.fromEntries(entries) as Record<Witnessed, bigint>
}

let chain: Emulator
let wallet: Wallet

beforeEach(async () => {
  chain = await createEmulator({
    accounts: { privateKeys },
    chainId: 777,
    genesis: { coinbase: stranger(1), gasLimit: 12_345_678 },
  })
  wallet = makeWallets(chain, 777)[0]
})

async function deploy(data: Hex): Promise<Hex> {
  await wallet.send({ data, gas: 3_000_000n })
  await chain.seal()
  const [receipt] = await readReceipts(chain, 'latest')
  return receipt?.contractAddress as Hex
}

/** The values that the code should have seen, from the header. */
function seenIn(block: RpcBlock) {
  return {
    number: hexToBigInt(block.number),
    timestamp: hexToBigInt(block.timestamp),
    coinbase: hexToBigInt(block.miner),
    prevRandao: hexToBigInt(block.mixHash!),
    gasLimit: hexToBigInt(block.gasLimit),
    baseFee: hexToBigInt(block.baseFeePerGas as Hex),
    chainId: 777n,
    parentHash: hexToBigInt(block.parentHash),
    ownHash: 0n,
    // EIP-7516; without blobs it stays at its minimum (EIP-4844).
    blobBaseFee: 1n,
  }
}

describe('a transaction', () => {
  test('sees the header of the block that it is sealed in, from its partial block on', async () => {
    const contract = await deploy(witnessInitCode())
    for (const partial of [1, 2, 5]) {
      await wallet.send({ to: contract, gas: 500_000n, value: BigInt(partial), fee: 10n ** 10n, tip: 7n })
      await chain.advance(200)
      const seen = await witnessed(chain, contract, 'pending')
      const pending = await readBlock(chain, 'pending')
      expect(seen).toMatchObject(seenIn(pending))
      expect(seen.parentHash).toBe(hexToBigInt((await readBlock(chain, 'latest')).hash))
      expect(seen.gasPrice).toBe(seen.baseFee + 7n)
      expect([seen.origin, seen.caller]).toEqual([hexToBigInt(wallet.address), hexToBigInt(wallet.address)])

      await chain.advance(1800)
      const block = await readBlock(chain, 'latest')
      expect(await witnessed(chain, contract, 'latest')).toEqual(seen)
      expect(seen).toMatchObject(seenIn(block))
    }
  })

  test('of a later partial block sees the same block as one of the first', async () => {
    const { abi, bytecode } = Environment
    const contract = await deploy(bytecode)
    const record = { to: contract, data: encodeFunctionData({ abi, functionName: 'record' }), gas: 300_000n }
    const slots = ['0x0', '0x1', '0x2', '0x3'] as const
    const recorded = (selector: Selector) =>
      Promise.all(
        slots.map((slot) =>
          chain.request({ method: 'eth_getStorageAt', params: [contract, slot, selector] }),
        ),
      )
    await wallet.send(record)
    await chain.advance(200)
    const early = await recorded('pending')
    await chain.advance(1600)
    await wallet.send(record)
    await chain.advance(200)
    const { number, timestamp, mixHash, parentHash } = await readBlock(chain, 'latest')
    const expected = [number, timestamp, mixHash!, parentHash].map((word) => pad(word, { size: 32 }))
    expect(early).toEqual(expected)
    expect(await recorded('latest')).toEqual(expected)
  })
})

describe('a call', () => {
  const { abi, bytecode } = Environment
  type Getter =
    | 'number'
    | 'timestamp'
    | 'coinbase'
    | 'prevRandao'
    | 'gasLimit'
    | 'chainId'
    | 'baseFee'
    | 'gasPrice'

  async function ask(
    contract: Hex,
    functionName: Getter,
    selector: Selector,
    fees?: { readonly maxFeePerGas: Hex; readonly maxPriorityFeePerGas: Hex },
  ): Promise<bigint> {
    const data = encodeFunctionData({ abi, functionName })
    const returned = await chain.request({
      method: 'eth_call',
      params: [{ to: contract, data, from: wallet.address, ...fees }, selector],
    })
    return BigInt(decodeFunctionResult({ abi, functionName, data: returned }))
  }

  test('sees the header of its block, sealed or being built', async () => {
    const contract = await deploy(bytecode)
    await wallet.send({ to: stranger(2), value: 1n })
    await chain.advance(2000)
    await wallet.send({ to: stranger(2), value: 1n })
    await chain.advance(200)
    for (const selector of [1, 2, 'latest', 'pending'] as const) {
      const block = await readBlock(chain, selector)
      const { parentHash: _, ownHash: __, blobBaseFee: ___, ...fields } = seenIn(block)
      const fees = { maxFeePerGas: toHex(10n ** 10n), maxPriorityFeePerGas: '0x3' } as const
      for (const [name, value] of Object.entries(fields)) {
        expect(await ask(contract, name as Getter, selector, fees), `${name} at ${selector}`).toBe(value)
      }
      expect(await ask(contract, 'gasPrice', selector, fees)).toBe(fields.baseFee + 3n)
    }
  })

  test('without a fee is not charged one, and sees a base fee of zero', async () => {
    const contract = await deploy(bytecode)
    // geth runs such a call with a base fee of zero.
    expect(await ask(contract, 'baseFee', 'latest')).toBe(0n)
    expect(await ask(contract, 'gasPrice', 'latest')).toBe(0n)
  })

  test('finds the hashes of the 256 blocks before it, and zero for all others', {
    tags: 'gate',
  }, async () => {
    const contract = await deploy(bytecode)
    await chain.request({ method: 'evm_mine', params: [{ blocks: 299 }] })
    const blockHash = async (number: number, selector: Selector): Promise<Hex> => {
      const data = encodeFunctionData({ abi, functionName: 'blockHash', args: [BigInt(number)] })
      return chain.request({ method: 'eth_call', params: [{ to: contract, data }, selector] })
    }
    const zero = pad('0x', { size: 32 })
    const hashOf = async (number: number): Promise<Hex> => (await readBlock(chain, number)).hash
    expect(await chain.request({ method: 'eth_blockNumber' })).toBe(numberToHex(300))
    for (const [at, asked] of [
      [300, 299],
      [300, 44],
      [290, 289],
      [290, 34],
      [5, 0],
    ] as const) {
      expect(await blockHash(asked, at)).toBe(await hashOf(asked))
    }
    for (const [at, asked] of [
      [300, 43],
      [300, 300],
      [290, 291],
      [290, 33],
      [300, 10_000],
    ] as const) {
      expect(await blockHash(asked, at)).toBe(zero)
    }
    // The block being built is 301: the head is its parent.
    expect(await blockHash(300, 'pending')).toBe(await hashOf(300))
    expect(await blockHash(45, 'pending')).toBe(await hashOf(45))
    expect(await blockHash(44, 'pending')).toBe(zero)
  })
})
