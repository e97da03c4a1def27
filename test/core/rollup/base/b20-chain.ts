// A chain with B20 tokens, and calls of them.

import {
  type Abi,
  type Address,
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  hexToBytes,
  zeroHash,
} from 'viem'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { base, createEmulator, type Emulator } from '../../../../src/index.ts'

await loadCrypto()
const { nativeAt } = await import('../../../../src/core/rollup/base/natives.ts')

export const FACTORY = '0xb20f000000000000000000000000000000000000'
export const ACTIVATION = '0x8453000000000000000000000000000000000001'
export const POLICIES = '0x8453000000000000000000000000000000000002'
export const [ALICE, BOB, CAROL] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
] as const

export type Interpreter = 'wasm' | 'reference'
export const INTERPRETERS: readonly Interpreter[] = ['wasm', 'reference']

export type Fork = 'beryl' | 'cobalt' | 'denim'

export function b20Chain(fork: Fork, interpreter: Interpreter = 'wasm'): Promise<Emulator> {
  return createEmulator(base({ fork, interpreter, production: 'auto' }))
}

/** The tables of a contract. */
export function tablesOf(address: Address) {
  const contract = nativeAt(address)
  if (contract === undefined) throw new Error(`there is no native contract at ${address}`)
  return contract.abi
}

function abiOf(address: Address): Abi {
  return tablesOf(address).json as unknown as Abi
}

export function encode(to: Address, functionName: string, ...args: unknown[]): Hex {
  return encodeFunctionData({ abi: abiOf(to), functionName, args })
}

/** The result of a call of a contract. */
export async function read<Result = never>(
  chain: Emulator,
  to: Address,
  functionName: string,
  ...args: unknown[]
): Promise<Result> {
  const data = await chain.request('eth_call', [{ to, input: encode(to, functionName, ...args) }, 'latest'])
  return decodeFunctionResult({ abi: abiOf(to), functionName, data }) as Result
}

/** Sends a transaction, and returns its receipt. */
export async function send(chain: Emulator, from: Address, to: Address, input: Hex, gas: Hex = '0x4c4b40') {
  const hash = await chain.request('eth_sendTransaction', [{ from, to, input, gas }])
  const receipt = await chain.request('eth_getTransactionReceipt', [hash])
  if (receipt === null) throw new Error('no receipt')
  return receipt
}

export async function execute(chain: Emulator, from: Address, to: Address, name: string, ...args: unknown[]) {
  const receipt = await send(chain, from, to, encode(to, name, ...args))
  if (receipt.status !== '0x1') throw new Error(`${name} failed`)
  return receipt
}

const ASSET_PARAMETERS = [
  {
    type: 'tuple',
    components: [
      { name: 'version', type: 'uint8' },
      { name: 'name', type: 'string' },
      { name: 'symbol', type: 'string' },
      { name: 'initialAdmin', type: 'address' },
      { name: 'decimals', type: 'uint8' },
    ],
  },
] as const

export function assetParameters(name = 'My Token', admin: Address = ALICE, decimals = 18): Hex {
  return encodeAbiParameters(ASSET_PARAMETERS, [
    { version: 1, name, symbol: 'MYT', initialAdmin: admin, decimals },
  ])
}

/** Creates an asset, of which Alice is the admin. */
export async function createAsset(
  chain: Emulator,
  { from = ALICE, salt = zeroHash as Hex, calls = [] as Hex[], name = 'My Token' } = {},
): Promise<Address> {
  await execute(chain, from, FACTORY, 'createB20', 0, salt, assetParameters(name), calls)
  const token = await read<Address>(chain, FACTORY, 'getB20Address', 0, from, salt)
  return token.toLowerCase() as Address
}

/** The gas of a transaction before it runs. */
export function intrinsicGas(input: Hex): number {
  return hexToBytes(input).reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 21_000)
}

/** The least gas with which a call ends in another way than by running out of it, without the intrinsic gas. */
export async function leastGas(
  chain: Emulator,
  from: Address,
  to: Address,
  input: Hex,
  expected: number,
): Promise<number> {
  const intrinsic = intrinsicGas(input)
  const isEnough = async (gas: number): Promise<boolean> => {
    try {
      await chain.request('eth_call', [
        { from, to, input, gas: `0x${(intrinsic + gas).toString(16)}` },
        'latest',
      ])
      return true
    } catch (error) {
      return !/out of gas|intrinsic|floor|gas limit/i.test((error as Error).message)
    }
  }
  if ((await isEnough(expected)) && !(await isEnough(expected - 1))) return expected
  let [low, high] = [0, 200_000]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (await isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
