// Opcodes that JavaScript executes without sending a message. The WebAssembly code has checked the stack, static frames
// and bounds, and has charged for memory and words.

import { EVMError } from '@ethereumjs/evm'
import { equalBytes, hexToBytes, ZERO_HASH } from '../primitives/hex.ts'
import { type Account, credit, isDead, readStorage, updateAccount } from '../state/world-state.ts'
import * as cores from './core.ts'
import { cacheWord } from './evm-interface.ts'
import * as frames from './frame.ts'
import { operandAt } from './frame.ts'
import { accessAccount, accountAt, type Host, type Operation, tellLog } from './host.ts'
import { tellSelfDestruct } from './message.ts'

type ReadAccount = (host: Host, frame: frames.Frame, account: Account) => void

/** An opcode that reads the account that its first operand names. */
function onAccount(read: ReadAccount): Operation {
  return (host, frame) => {
    const address = cores.readAddress(host.core, operandAt(host.core, frame, 0))
    read(host, frame, accountAt(host, address))
    return accessAccount(host, address)
  }
}

const readBalance: ReadAccount = ({ core, gasWatch }, frame, { balance }) => {
  gasWatch.readsBalance = true
  cores.writeWord(core, frames.resultAt(core, frame), balance)
}

const readOwnBalance: Operation = (host, frame) => {
  readBalance(host, frame, accountAt(host, frame.address))
  return 0
}

const readCodeSize: ReadAccount = ({ core }, frame, { code }) => {
  cores.writeInteger(core, frames.resultAt(core, frame), code.bytes.length)
}

const readCodeHash: ReadAccount = ({ core }, frame, account) => {
  if (isDead(account)) cores.writeInteger(core, frames.resultAt(core, frame), 0)
  else cores.writeBytes(core, frames.resultAt(core, frame), account.code.hash)
}

/** EXTCODECOPY. The WebAssembly code has charged for memory and words. */
const copyCode: ReadAccount = ({ core }, frame, account) => {
  const code = account.code.bytes
  const length = cores.readNumber(core, operandAt(core, frame, 3))
  if (length === 0) return
  const from = Number(core.limbs[operandAt(core, frame, 2) >>> 3])
  const isFar = isBeyondLimb(core.limbs, operandAt(core, frame, 2))
  const part = isFar ? code.subarray(code.length) : code.subarray(from, from + length)
  const to = frames.memoryAt(core, frame, cores.readNumber(core, operandAt(core, frame, 1)))
  core.bytes.set(part, to)
  core.bytes.fill(0, to + part.length, to + length)
}

function isBeyondLimb(limbs: BigUint64Array, at: number): boolean {
  const place = at >>> 3
  return limbs[place + 1] !== 0n || limbs[place + 2] !== 0n || limbs[place + 3] !== 0n
}

const loadSlot: Operation = ({ core, covering, evm, writer, journal, costs }, frame) => {
  if (covering !== undefined) covering.reads.isPartial = true
  const slot = cores.readSlot(core, operandAt(core, frame, 0))
  evm.onSlot?.(frame.address, slot)
  cores.writeBytes(core, frames.resultAt(core, frame), readStorage(writer.current, frame.address, slot))
  if (!costs.hasAccessLists) return 0
  return journal.warmUpSlot(frame.address, slot) ? costs.coldSlot : costs.warmRead
}

const storeSlot: Operation = ({ core, covering, evm, writer, journal, costs, storageCosts }, frame) => {
  const { address } = frame
  if (covering !== undefined) covering.reads.isPartial = true
  frames.requireGas(core, frame, costs.storeSentry + 1)
  const slot = cores.readSlot(core, operandAt(core, frame, 0))
  const next = cores.readShortest(core, operandAt(core, frame, 1))
  evm.onSlot?.(address, slot, next)
  const isWarm = !costs.hasAccessLists || !journal.warmUpSlot(address, slot)
  const current = readStorage(writer.current, address, slot)
  const original = writer.originalStorage(address, slot)
  const { gas, refund } = storageCosts({ original, current, next, isWarm })
  if (refund !== 0) {
    const total = frames.refundOf(core, frame) + refund
    frames.setRefund(core, frame, total)
    if (total < 0) throw new EVMError(EVMError.errorMessages.REFUND_EXHAUSTED)
  }
  // Contracts often write the value that is there, and a new version of the state costs more than the comparison.
  if (!equalBytes(current, next)) writer.writeSlot(address, slot, next)
  return gas + costs.store
}

const loadTransient: Operation = ({ core, transient }, frame) => {
  const key = cores.readWord(core, operandAt(core, frame, 0))
  cores.writeWord(core, frames.resultAt(core, frame), transient.read(frame.address, key))
  return 0
}

const storeTransient: Operation = ({ core, transient }, frame) => {
  const key = cores.readWord(core, operandAt(core, frame, 0))
  transient.write(frame.address, key, cores.readWord(core, operandAt(core, frame, 1)))
  return 0
}

/** Transfers the balance and marks the contract; the caller ends the frame. */
export function selfDestruct(host: Host, frame: frames.Frame): void {
  const { core, costs, journal, writer } = host
  const { address } = frame
  const beneficiary = cores.readAddress(core, operandAt(core, frame, 0))
  host.gasWatch.readsBalance = true
  if (host.covering !== undefined) host.covering.reads.isPartial = true
  const { balance } = accountAt(host, address)
  let cost = costs.selfDestruct
  if (costs.hasAccessLists && journal.warmUp(beneficiary)) cost += costs.coldAccount
  if (balance > 0n && isDead(accountAt(host, beneficiary))) cost += costs.newAccount
  const left = frames.gasOf(core, frame) - cost
  if (host.observation !== undefined) host.observation.failedCost = cost
  if (left < 0) throw new EVMError(EVMError.errorMessages.OUT_OF_GAS)
  frames.setGas(core, frame, left)
  if (host.observation !== undefined) {
    host.stepper?.endAt(left)
    tellSelfDestruct(host.observation, frame.message.depth, address, beneficiary, balance)
  }

  frame.selfdestruct ??= new Map()
  if (!frame.selfdestruct.has(address))
    frames.setRefund(core, frame, frames.refundOf(core, frame) + costs.selfDestructRefund)
  frame.selfdestruct.set(address, beneficiary)
  if (beneficiary !== address) {
    journal.touch(beneficiary)
    writer.current = credit(writer.current, beneficiary, balance)
  }
  // EIP-6780: a contract of an earlier transaction is not destroyed, so it keeps what it sends to itself.
  const isEmptied =
    !costs.tracksCreations || beneficiary !== address || frame.createdAddresses?.has(address) === true
  if (isEmptied) writer.current = updateAccount(writer.current, address, { balance: 0n })
}

/** RETURNDATACOPY. Return data stays in JavaScript until code copies it. */
const copyReturnData: Operation = ({ core }, frame) => {
  const to = frames.memoryAt(core, frame, cores.readNumber(core, operandAt(core, frame, 0)))
  const from = cores.readNumber(core, operandAt(core, frame, 1))
  const length = cores.readNumber(core, operandAt(core, frame, 2))
  core.bytes.set(frame.returnData.subarray(from, from + length), to)
  return 0
}

const readBlockHash: Operation = ({ core, covering, environment, blockHashOf }, frame) => {
  if (covering !== undefined) covering.reads.readsBlock = true
  const number = cores.readWord(core, operandAt(core, frame, 0))
  const distance = environment().block.header.number - number
  const isRecent = distance > 0n && distance <= 256n
  const hash = isRecent ? (blockHashOf(Number(number)) ?? ZERO_HASH) : ZERO_HASH
  cores.writeBytes(core, frames.resultAt(core, frame), hexToBytes(hash))
  return 0
}

const readBlobHash: Operation = ({ core }, frame) => {
  const index = Number(cores.readWord(core, operandAt(core, frame, 0)))
  const hash = frame.message.blobVersionedHashes?.[index]
  if (hash === undefined) cores.writeInteger(core, frames.resultAt(core, frame), 0)
  else cores.writeBytes(core, frames.resultAt(core, frame), hexToBytes(hash))
  return 0
}

/** GAS, for a frame with more gas than linear memory holds, or with `heldGas`. */
const readGas: Operation = ({ core, evm }, frame) => {
  const held = evm.heldGas?.()
  if (held !== undefined) frames.setGas(core, frame, Number(held))
  // What is held is what there is before the opcode.
  const left = held === undefined ? frames.gasLeftOf(core, frame) : held - 2n
  cores.writeWord(core, frames.resultAt(core, frame), left)
  return 0
}

/** Caches the result of a block or transaction opcode; the WebAssembly code then executes it on its own. */
function cacheResult(opcode: number): Operation {
  return ({ core, covering, environment, evm }) => {
    if (covering !== undefined) covering.reads.readsBlock = true
    cacheWord(core, environment(), evm.common, opcode)
    return 0
  }
}

function emitLog(topicCount: number): Operation {
  return (host, frame) => {
    const { core } = host
    const topics: Uint8Array[] = []
    for (let i = 0; i < topicCount; i++) topics.push(cores.copyWord(core, operandAt(core, frame, 2 + i)))
    const data = frames.readMemory(core, frame, operandAt(core, frame, 0), operandAt(core, frame, 1))
    if (host.observation !== undefined) tellLog(host, frame, topics, data)
    host.evm.onLog?.(frame.account.hex, topics, data)
    frame.logs.push([frame.account.bytes, topics, data])
    return 0
  }
}

const BY_OPCODE: ReadonlyMap<number, Operation> = new Map([
  [0x31, onAccount(readBalance)],
  [0x3b, onAccount(readCodeSize)],
  [0x3c, onAccount(copyCode)],
  [0x3e, copyReturnData],
  [0x3f, onAccount(readCodeHash)],
  [0x40, readBlockHash],
  [0x47, readOwnBalance],
  [0x49, readBlobHash],
  [0x54, loadSlot],
  [0x55, storeSlot],
  [0x5c, loadTransient],
  [0x5a, readGas],
  [0x5d, storeTransient],
  ...[0, 1, 2, 3, 4].map((topics) => [0xa0 + topics, emitLog(topics)] as const),
  ...[0x32, 0x3a, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46, 0x48, 0x4a].map(
    (opcode) => [opcode, cacheResult(opcode)] as const,
  ),
])

/** The same as an array, because every such opcode is looked up here. */
export const OPERATIONS: readonly (Operation | undefined)[] = Array.from({ length: 256 }, (_, opcode) =>
  BY_OPCODE.get(opcode),
)
