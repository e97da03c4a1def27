// B20Factory: creates tokens at addresses that follow from their creator and a salt, and runs their first calls.

import { type AbiValue, elementaryType } from '../../primitives/abi.ts'
import { keccakOfWords } from '../../primitives/crypto.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import * as hex from '../../primitives/hex.ts'
import { decodeStruct, emit, malformedInput, parseNativeAbi, raise } from './abi.ts'
import { FACTORY_TEXT } from './abi-text.ts'
import { checkActivated } from './activation.ts'
import { CURRENCY, DECIMALS, FEWEST_DECIMALS, MULTIPLIER } from './asset.ts'
import { FEATURES } from './features.ts'
import { chargeHash, MARKER, NativeFailure, type NativePort } from './port.ts'
import { ROLES } from './roles.ts'
import { storeText } from './slots.ts'
import { FIELDS, MAX_SUPPLY, type TokenCall } from './token.ts'
import { setRole } from './token-admin.ts'

const PREFIX: hex.Address = `0xb2${'00'.repeat(9)}`

/** True for an address of the form of a token, whether there is one or not. */
function isB20(address: hex.Address): boolean {
  return address.startsWith(PREFIX)
}

export type Variant = 'asset' | 'stablecoin'

const VARIANTS: readonly Variant[] = ['asset', 'stablecoin']

/** The variant that a token at an address has; `undefined` if there cannot be one. */
export function variantAt(address: hex.Address): Variant | undefined {
  return isB20(address) ? VARIANTS[Number(address.slice(22, 24))] : undefined
}

const HASHED_BYTES = 64

/** The address of a token: a prefix, the variant, and a part of a hash of creator and salt. */
function tokenAddress(index: bigint, creator: hex.Address, salt: hex.Hash): hex.Address {
  const variant = index.toString(16).padStart(2, '0')
  return `${PREFIX}${variant}${keccakOfWords(hex.toWord(BigInt(creator)), salt).slice(2, 20)}`
}

export const FACTORY: hex.Address = '0xb20f000000000000000000000000000000000000'

export const factoryAbi = parseNativeAbi(FACTORY_TEXT)

const fail = (name: string, ...values: readonly AbiValue[]) => raise(factoryAbi, name, ...values)

const CREATE: hex.Hex = '0x62975e6a'
const PARAMETERS_VERSION = 1n
const MOST_DECIMALS = 18n
const COMMON = 'uint8 version,string name,string symbol,address initialAdmin'
const PARAMETERS: Readonly<Record<Variant, string>> = {
  asset: `${COMMON},uint8 decimals`,
  stablecoin: `${COMMON},string currency`,
}

interface Parameters {
  readonly name: string
  readonly symbol: string
  readonly admin: hex.Address
  readonly decimals: bigint
  /** `undefined` for an asset. */
  readonly currency: string | undefined
}

function parametersOf({ version }: NativePort, variant: Variant, data: hex.Hex): Parameters {
  const values = decodeStruct(PARAMETERS[variant], hex.hexToBytes(data), version)
  if (values === undefined) throw malformedInput(hex.hexToBytes(CREATE), version)
  const [given, name, symbol, admin, last] = values as [bigint, string, string, hex.Address, bigint | string]
  if (given !== PARAMETERS_VERSION) throw fail('UnsupportedVersion', given, BigInt(VARIANTS.indexOf(variant)))
  if (typeof last === 'string') return { name, symbol, admin, decimals: FEWEST_DECIMALS, currency: last }
  if (last < FEWEST_DECIMALS || last > MOST_DECIMALS) throw fail('InvalidDecimals', last)
  return { name, symbol, admin, decimals: last, currency: undefined }
}

function checkCurrency(currency: string): void {
  if (currency === '') throw fail('MissingRequiredField', 'currency')
  if (!/^[A-Z]+$/.test(currency)) throw fail('InvalidCurrency', currency)
}

function write(port: NativePort, token: hex.Address, { name, symbol, decimals, currency }: Parameters): void {
  if (currency !== undefined) checkCurrency(currency)
  storeText(port, token, FIELDS.name, name)
  storeText(port, token, FIELDS.symbol, symbol)
  port.store(token, FIELDS.supplyCap, MAX_SUPPLY)
  if (currency !== undefined) {
    storeText(port, token, CURRENCY, currency)
    return
  }
  port.store(token, DECIMALS, decimals)
  port.store(token, MULTIPLIER, 0n)
}

const [NUMBER, TEXT] = [elementaryType('uint8'), elementaryType('string')]

/** The parameters of a stablecoin in the event: a struct, whose offset comes first. */
function eventParameters(currency: string | undefined): hex.Hex {
  if (currency === undefined) return '0x'
  const offset = hex.hexToBytes(hex.toWord(32))
  return hex.bytesToHex(encodeAbi([NUMBER, TEXT], [PARAMETERS_VERSION, currency], offset))
}

type RunToken = (call: TokenCall, input: hex.Hex) => void

function runFirstCalls(run: RunToken, call: TokenCall, inputs: readonly hex.Hex[]): void {
  for (const [index, input] of inputs.entries()) {
    try {
      run(call, input)
    } catch (error) {
      const isOther = !(error instanceof NativeFailure) || error.kind === 'outOfGas' || error.kind === 'panic'
      if (isOther || (error.kind === 'revert' && error.data.length > 0)) throw error
      throw fail('InitCallFailed', BigInt(index))
    }
  }
}

function createWith(run: RunToken) {
  return (
    port: NativePort,
    index: bigint,
    salt: hex.Hash,
    data: hex.Hex,
    inputs: readonly hex.Hex[],
  ): hex.Address => {
    const variant = VARIANTS[Number(index)] as Variant
    chargeHash(port, HASHED_BYTES)
    checkActivated(port, FEATURES[variant === 'asset' ? 'b20Asset' : 'b20Stablecoin'].id)
    const parameters = parametersOf(port, variant, data)
    const token = tokenAddress(index, port.caller, salt)
    if (port.account(token).code.bytes.length > 0) throw fail('TokenAlreadyExists', token)
    port.mark(token)
    write(port, token, parameters)
    const { name, symbol, admin, decimals, currency } = parameters
    const rest = eventParameters(currency)
    emit(port, factoryAbi, FACTORY, 'B20Created', token, index, name, symbol, decimals, rest)
    const isAsset = variant === 'asset'
    const call: TokenCall = { port, token, isAsset, caller: FACTORY, isPrivileged: true }
    if (admin !== hex.ZERO_ADDRESS) setRole(call, ROLES.DEFAULT_ADMIN_ROLE, admin, true)
    runFirstCalls(run, call, inputs)
    return token
  }
}

export function factoryFunctions(run: RunToken) {
  return {
    createB20: createWith(run),
    getB20Address(port: NativePort, index: bigint, sender: hex.Address, salt: hex.Hash): hex.Address {
      chargeHash(port, HASHED_BYTES)
      return tokenAddress(index, sender, salt)
    },
    isB20: (_: NativePort, token: hex.Address): boolean => isB20(token),
    isB20Initialized: (port: NativePort, token: hex.Address): boolean =>
      isB20(token) && hex.equalBytes(port.account(token).code.bytes, MARKER),
  }
}
