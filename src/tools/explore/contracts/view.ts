// The view of a position that an invariant in TypeScript gets.

import { argument } from '../../../core/emulator/checks.ts'
import { type AbiValue, decodeAbi } from '../../../core/primitives/abi.ts'
import type { AbiParameter } from '../../../core/primitives/abi-type.ts'
import { encodeAbi } from '../../../core/primitives/encode-abi.ts'
import { failure } from '../../../core/primitives/errors.ts'
import { type Address, hexToBytes } from '../../../core/primitives/hex.ts'
import { address as addressCodec } from '../../../core/rpc/codecs/basic.ts'
import { withMissesLoaded } from '../../../core/state/miss.ts'
import { readAccount } from '../../../core/state/world-state.ts'
import type { AbiFunction } from '../../solidity/model/contract.ts'
import { argumentsOf } from './arguments.ts'
import { haltOf, type Machine } from './machine.ts'
import type { ContractsView } from './options.ts'
import type { Position } from './reads.ts'
import type { ContractScene } from './scene.ts'

function refuse(reason: string): never {
  throw failure('invalidCall', { call: 'read', reason })
}

/** The function of that name, or signature, that takes so many arguments. */
function functionOf(functions: readonly AbiFunction[], name: string, count: number): AbiFunction {
  const named = functions.filter((fn) => fn.signature === name || fn.name === name)
  const fitting = named.filter(({ inputs }) => inputs?.length === count)
  if (fitting.length === 1) return fitting[0] as AbiFunction
  return refuse(
    fitting.length > 1
      ? `several functions ${name} take ${count} arguments: name one by its signature`
      : `the contract has no function ${name} of ${count} arguments`,
  )
}

function resultOf(outputs: readonly AbiParameter[] | undefined, data: Uint8Array, name: string): AbiValue {
  const types = (outputs ?? []).map(({ type }) => type)
  const values = decodeAbi(types, data)
  if (values === undefined) return refuse(`what ${name} returned is not of the types of its ABI`)
  return values.length === 1 ? (values[0] as AbiValue) : values
}

/** `end` resolves when nothing is being read any more; an invariant that goes on afterwards reads nothing. */
export function createView(
  scene: ContractScene,
  machine: Machine,
  position: Position,
): { readonly view: ContractsView; readonly end: () => Promise<unknown> } {
  const { state, environment } = position
  /** The end of the last read: an invariant may ask several at once, and there is one EVM. */
  let turn: Promise<unknown> | undefined
  let isOver = false
  const readNow = async (contractName: string, name: string, args: readonly unknown[]): Promise<AbiValue> => {
    const contract = scene.contracts.find((each) => each.name === contractName)
    if (contract === undefined) return refuse(`there is no contract named ${contractName}`)
    const fn = functionOf(contract.functions, name, args.length)
    const types = (fn.inputs ?? []).map(({ type }) => type)
    const input = encodeAbi(types, argumentsOf(types, args, refuse), hexToBytes(fn.selector))
    const { result } = await machine.call(position, scene.senders[0] as Address, contract.address, input)
    if (result.outcome !== 'success') {
      return refuse(`${contractName}.${name}: ${haltOf(result, contract.errors)}`)
    }
    return resultOf(fn.outputs, result.returnData, `${contractName}.${name}`)
  }
  const view: ContractsView = {
    now: environment.timestamp,
    async read(contract, name, ...args) {
      if (isOver)
        return refuse(`the invariant that reads ${contract}.${name} is over: it has to await what it reads`)
      const asked =
        turn === undefined ? readNow(contract, name, args) : turn.then(() => readNow(contract, name, args))
      turn = asked.catch(() => undefined)
      return asked
    },
    async balanceOf(address) {
      const decoded = argument('balanceOf', 'address', address, addressCodec)
      return (await withMissesLoaded(() => readAccount(state, decoded))).balance
    },
  }
  return {
    view,
    async end() {
      isOver = true
      await turn
    },
  }
}
