// Base's native contracts by their addresses, and a call of one.

import type { AbiValue } from '../../primitives/abi.ts'
import { encodeAbi } from '../../primitives/encode-abi.ts'
import { type Address, EMPTY_BYTES, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { decodeArguments, functionAt, type NativeAbi, raise } from './abi.ts'
import { ACTIVATION_FUNCTIONS, activationAbi, checkActivated } from './activation.ts'
import { assetFunctions, STABLECOIN_FUNCTIONS } from './asset.ts'
import { FACTORY, factoryAbi, factoryFunctions, type Variant, variantAt } from './factory.ts'
import { ACTIVATION_REGISTRY, FEATURES, POLICY_REGISTRY } from './features.ts'
import { POLICY_FUNCTIONS, policyAbi } from './policies.ts'
import { GAS_PER_WORD, NativeFailure, type NativePort } from './port.ts'
import { POLICY_SCOPES, ROLES } from './roles.ts'
import { assetAbi, stablecoinAbi, type TokenCall } from './token.ts'
import { ADMIN_FUNCTIONS } from './token-admin.ts'
import { MOVING_FUNCTIONS } from './token-moves.ts'

type Functions<Context> = Readonly<Record<string, (context: Context, ...values: never[]) => unknown>>

function run<Context>(
  functions: Functions<Context>,
  abi: NativeAbi,
  context: Context,
  version: number,
  input: Uint8Array,
  begin: (isView: boolean) => void = () => {},
): Uint8Array {
  const called = functionAt(abi, input, version)
  const values = decodeArguments(called, input, version)
  begin(called.isView)
  const result = (functions[called.name] as Functions<Context>[string])(context, ...(values as never[]))
  const { outputs } = called
  if (outputs.length === 0) return EMPTY_BYTES
  return encodeAbi(outputs, outputs.length === 1 ? [result as AbiValue] : (result as AbiValue[]), EMPTY_BYTES)
}

const CONSTANTS = Object.fromEntries([
  ...Object.entries(ROLES).map(([name, hash]) => [name, () => hash]),
  ...Object.entries(POLICY_SCOPES).map(([name, { hash }]) => [name, () => hash]),
]) as Functions<TokenCall>

const COMMON: Functions<TokenCall> = { ...CONSTANTS, ...MOVING_FUNCTIONS, ...ADMIN_FUNCTIONS }
const ASSET: Functions<TokenCall> = { ...COMMON, ...assetFunctions(runInner) }
const STABLECOIN: Functions<TokenCall> = { ...COMMON, ...STABLECOIN_FUNCTIONS }

function runToken(call: TokenCall, input: Uint8Array): Uint8Array {
  const [functions, abi] = call.isAsset ? [ASSET, assetAbi] : [STABLECOIN, stablecoinAbi]
  return run(functions, abi, call, call.port.version, input)
}

function runInner(call: TokenCall, input: Hex): void {
  runToken(call, hexToBytes(input))
}

function callToken(port: NativePort, token: Address, isAsset: boolean, input: Uint8Array): Uint8Array {
  if (port.account(token).code.bytes.length === 0) throw new NativeFailure('revert')
  return runToken({ port, token, isAsset, caller: port.caller, isPrivileged: false }, input)
}

interface NativeContract {
  /** The name of the contract's interface, without the prefix of interfaces. */
  readonly name: string
  readonly abi: NativeAbi
  readonly call: (port: NativePort, address: Address, input: Uint8Array) => Uint8Array
}

function fixed(
  name: string,
  abi: NativeAbi,
  functions: object,
  begin?: (port: NativePort, isView: boolean) => void,
): NativeContract {
  const called = functions as Functions<NativePort>
  return {
    name,
    abi,
    call: (port, _, input) => run(called, abi, port, port.version, input, (isView) => begin?.(port, isView)),
  }
}

const FIXED: ReadonlyMap<Address, NativeContract> = new Map([
  [FACTORY, fixed('B20Factory', factoryAbi, factoryFunctions(runInner))],
  [ACTIVATION_REGISTRY, fixed('ActivationRegistry', activationAbi, ACTIVATION_FUNCTIONS)],
  [
    POLICY_REGISTRY,
    fixed('PolicyRegistry', policyAbi, POLICY_FUNCTIONS, (port, isView) => {
      if (!isView) checkActivated(port, FEATURES.policyRegistry.id)
    }),
  ],
])

function token(name: string, abi: NativeAbi, isAsset: boolean): NativeContract {
  return { name, abi, call: (port, address, input) => callToken(port, address, isAsset, input) }
}

const TOKENS: Readonly<Record<Variant, NativeContract>> = {
  asset: token('B20Asset', assetAbi, true),
  stablecoin: token('B20Stablecoin', stablecoinAbi, false),
}

export const FIXED_NATIVES: readonly Address[] = [...FIXED.keys()]

export function nativeAt(address: Address): NativeContract | undefined {
  const variant = variantAt(address)
  return variant === undefined ? FIXED.get(address) : TOKENS[variant]
}

/** Names and JSON ABIs. */
export const KNOWN_NATIVES = {
  at(address: Address) {
    const contract = nativeAt(address)
    return contract && { name: contract.name, abi: contract.abi.json }
  },
  all: [...FIXED.values(), ...Object.values(TOKENS)].map(({ name, abi }) => ({ name, abi: abi.json })),
}

/** Calls a native contract, and returns its output. Throws a `NativeFailure` if the call fails. */
export function callNative(
  { abi, call }: NativeContract,
  port: NativePort,
  address: Address,
  input: Uint8Array,
  message: { readonly isDirect: boolean; readonly value: bigint },
): Uint8Array {
  if (!message.isDirect) throw raise(abi, 'DelegateCallNotAllowed')
  if (message.value !== 0n) throw raise(abi, 'NonPayable')
  port.charge(GAS_PER_WORD * Math.ceil(input.length / 32))
  return call(port, address, input)
}
