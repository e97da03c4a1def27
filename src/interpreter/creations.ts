// CREATE and CREATE2. Memory is paid for when they are asked for, and the frame is not static.

import { EVMError, Message } from '@ethereumjs/evm'
import { updateAccount } from '../state/world-state.ts'
import { isEof } from './accounts.ts'
import { readBytes, readNumber, readWord, writeBytes, writeInteger } from './core.ts'
import { type Frame, operandAt, readMemory, resultAt, setReturnData } from './frame.ts'
import { accountAt, type Host } from './host.ts'
import { clearReturnData, isRevert, mostGasToPass, pay, sendMessage } from './messages.ts'

export type CreateOpcode = 0xf0 | 0xf5
const CREATE2 = 0xf5

const MOST_NONCE = 2n ** 64n - 1n

function createCost({ costs }: Host, opcode: CreateOpcode, length: number): number {
  const words = Math.ceil(length / 32)
  const own = opcode === CREATE2 ? costs.create2 + words * costs.keccakWord : costs.create
  return own + (costs.limitsInitCode ? words * costs.initCodeWord : 0)
}

/** Whether a creation may begin: not too deep, paid for, and with a nonce to count it. */
function mayCreate(host: Host, frame: Frame, value: bigint): boolean {
  const { balance, nonce } = accountAt(host, frame.address)
  return frame.message.depth < host.costs.mostDepth && balance >= value && nonce < MOST_NONCE
}

export async function create(host: Host, frame: Frame, opcode: CreateOpcode): Promise<void> {
  const { core, costs, evm, gasWatch, journal, writer } = host
  const { account, address, message } = frame
  const value = readWord(core, operandAt(core, frame, 0))
  const lengthAt = operandAt(core, frame, 2)
  const length = readNumber(core, lengthAt)
  if (costs.hasAccessLists) journal.warmUp(address)
  pay(host, frame, createCost(host, opcode, length))
  const gas = mostGasToPass(host, frame)
  if (costs.limitsInitCode && length > costs.mostInitCode && !evm.allowUnlimitedInitCodeSize) {
    throw new EVMError(EVMError.errorMessages.INITCODE_SIZE_VIOLATION)
  }
  const data = readMemory(core, frame, operandAt(core, frame, 1), lengthAt)
  const place = resultAt(core, frame)
  const salt = opcode === CREATE2 ? readBytes(core, operandAt(core, frame, 3), 32) : undefined
  writeInteger(core, place, 0)
  if (value > 0n) gasWatch.isBalanceSeen = true
  if (isEof(data)) return
  clearReturnData(host, frame)
  if (!mayCreate(host, frame, value)) return
  journal.touch(address)
  writer.current = updateAccount(writer.current, address, { nonce: accountAt(host, address).nonce + 1n })
  const result = await sendMessage(
    host,
    frame,
    new Message({
      caller: account,
      gasLimit: BigInt(gas),
      value,
      data,
      depth: message.depth + 1,
      ...(salt === undefined ? {} : { salt }),
      ...(message.blobVersionedHashes === undefined
        ? {}
        : { blobVersionedHashes: message.blobVersionedHashes }),
    }),
  )
  if (isRevert(result)) setReturnData(core, frame, result.execResult.returnValue)
  if (result.execResult.exceptionError === undefined && result.createdAddress !== undefined) {
    writeBytes(core, place, result.createdAddress.bytes)
  }
}
