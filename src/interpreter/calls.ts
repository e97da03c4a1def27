// CALL, CALLCODE, DELEGATECALL and STATICCALL. Memory is paid for when they are asked for, and a static frame's calls
// have no value.

import { Message } from '@ethereumjs/evm'
import { Address as EvmAddress } from '@ethereumjs/util'
import type { Address } from '../primitives/hex.ts'
import { giveName } from './address-names.ts'
import { isZeroWord, readAddress, readBytes, readNumber, readWord, writeInteger } from './core.ts'
import { delegateOf } from './execute-call.ts'
import {
  type Frame,
  gasOf,
  memoryAt,
  needGas,
  operandAt,
  readMemory,
  resultAt,
  setGas,
  setReturnData,
} from './frame.ts'
import { accessAccount, accountAt, type Host, isDead } from './host.ts'
import { clearReturnData, isRevert, mostGasToPass, pay, sendMessage } from './messages.ts'

export type CallOpcode = 0xf1 | 0xf2 | 0xf4 | 0xfa
const CALL = 0xf1
const CALLCODE = 0xf2
const DELEGATECALL = 0xf4

function callCost(host: Host, opcode: CallOpcode, to: Address, hasValue: boolean): number {
  const { costs } = host
  let cost = costs.callFee[opcode] + accessAccount(host, to)
  if (hasValue) {
    cost += costs.callValue
    if (opcode === CALL && isDead(accountAt(host, to))) cost += costs.newAccount
  }
  const delegate = costs.hasDelegations ? delegateOf(accountAt(host, to).code.bytes) : undefined
  return delegate === undefined ? cost : cost + accessAccount(host, delegate)
}

function messageOf(
  frame: Frame,
  opcode: CallOpcode,
  target: EvmAddress,
  value: bigint,
  data: Uint8Array,
  gas: number,
) {
  const { message, account } = frame
  const isDelegated = opcode === DELEGATECALL
  const isForeign = isDelegated || opcode === CALLCODE
  return new Message({
    caller: isDelegated ? message.caller : account,
    to: isForeign ? account : target,
    ...(isForeign ? { codeAddress: target } : {}),
    gasLimit: BigInt(gas),
    value: isDelegated ? message.value : value,
    data,
    isStatic: opcode === 0xfa || message.isStatic,
    delegatecall: isDelegated,
    depth: message.depth + 1,
    ...(message.blobVersionedHashes === undefined
      ? {}
      : { blobVersionedHashes: message.blobVersionedHashes }),
  })
}

/** Copies what a call gave back to where the caller wants it, as far as there is room. */
function writeOutput({ core }: Host, frame: Frame, offsetAt: number, lengthAt: number): void {
  const { returnData } = frame
  const length = Math.min(returnData.length, readNumber(core, lengthAt))
  if (length === 0) return
  core.bytes.set(returnData.subarray(0, length), memoryAt(core, frame, readNumber(core, offsetAt)))
}

export async function call(host: Host, frame: Frame, opcode: CallOpcode): Promise<void> {
  const { core, costs, gasWatch } = host
  const takesValue = opcode === CALL || opcode === CALLCODE
  /** The places of what follows the value. */
  const rest = takesValue ? 3 : 2
  const valueAt = operandAt(core, frame, 2)
  const hasValue = takesValue && !isZeroWord(core, valueAt)
  const value = hasValue ? readWord(core, valueAt) : 0n
  const targetAt = operandAt(core, frame, 1)
  const requested = readWord(core, operandAt(core, frame, 0))
  const outputAt = [operandAt(core, frame, rest + 2), operandAt(core, frame, rest + 3)] as const
  const targetName = readAddress(core, targetAt)
  pay(host, frame, callCost(host, opcode, targetName, hasValue))
  const most = mostGasToPass(host, frame)
  let gas = requested > BigInt(most) ? most : Number(requested)
  const stipend = hasValue ? costs.callStipend : 0
  if (hasValue) {
    gasWatch.isBalanceSeen = true
    setGas(core, frame, gasOf(core, frame) + stipend)
    gas += stipend
  }
  const target = new EvmAddress(readBytes(core, targetAt, 20))
  giveName(target, targetName)
  const data = readMemory(core, frame, operandAt(core, frame, rest), operandAt(core, frame, rest + 1))
  clearReturnData(host, frame)
  const place = resultAt(core, frame)
  const isTooDeep = frame.message.depth >= costs.mostDepth
  if (isTooDeep || (hasValue && accountAt(host, frame.address).balance < value)) {
    // The stipend stays, but what came before was paid without it.
    needGas(core, frame, stipend)
    writeInteger(core, place, 0)
    return
  }
  const message = messageOf(frame, opcode, target, value, data, gas)
  const result = await sendMessage(host, frame, message, stipend)
  const { exceptionError, returnValue } = result.execResult
  if (exceptionError === undefined || isRevert(result)) setReturnData(core, frame, returnValue)
  writeOutput(host, frame, ...outputAt)
  writeInteger(core, place, exceptionError === undefined ? 1 : 0)
}
