// Which storage slot a contract answers a question from, such as an ERC-20 token its `balanceOf`. The slots that the
// call reads are candidates, wherever they are, and the one that the answer follows is it. A slot that holds more
// than the answer, or the answer in another form, is none.

import {
  type Address,
  bigIntToBytes,
  bytesToBigInt,
  type Hash,
  toWord,
  ZERO_ADDRESS,
} from '../../primitives/hex.ts'
import { readStorage, type WorldState, writeStorage } from '../../state/world-state.ts'
import type { BlockEnvironment } from '../evm/environment.ts'
import type { ExecutionContext } from '../evm/pooled-evm.ts'
import { watchSteps } from '../evm/watch-steps.ts'
import { type Around, type CallMessage, runCall } from './run-call.ts'

/** A question to a contract: a call that changes nothing and answers a number. */
export interface Question {
  readonly contract: Address
  readonly input: Uint8Array
}

/** Where and on what a question is asked. */
export interface AskingPlace {
  readonly context: ExecutionContext
  readonly environment: BlockEnvironment
  readonly world: WorldState
}

export interface FoundSlot {
  readonly address: Address
  readonly slot: Hash
}

/** A token that reads more slots for one answer works it out. */
const MOST_CANDIDATES = 256

/** Values that no computation gives by chance, small enough for any balance. */
const PROBES = [0x5ca1ab1en, 0x0b501e7en] as const

/** The answer to a question; `undefined` where the call fails or does not answer a word. */
export async function askNumber(
  { context, environment, world }: AskingPlace,
  { contract, input }: Question,
  around?: Around,
): Promise<bigint | undefined> {
  const message: CallMessage = {
    ...{ from: ZERO_ADDRESS, to: contract, value: 0n, input, gasLimit: environment.gasLimit },
    ...{ gasPrice: 0n, feeCap: 0n, maxFeePerBlobGas: 0n },
    ...{ accessList: [], authorizationList: [], blobVersionedHashes: [] },
  }
  const { outcome, returnData } = await runCall(context, world, environment, message, around)
  return outcome === 'success' && returnData.length === 32 ? bytesToBigInt(returnData) : undefined
}

/** The same place with a slot written. */
export function withSlotWritten(
  place: AskingPlace,
  { address, slot }: FoundSlot,
  value: bigint,
): AskingPlace {
  return { ...place, world: writeStorage(place.world, address, slot, bigIntToBytes(value)) }
}

/** The slots that a question reads, in the order in which it first does. */
async function slotsReadBy(place: AskingPlace, question: Question): Promise<FoundSlot[]> {
  const slots = new Map<string, FoundSlot>()
  await askNumber(place, question, (instance, run) =>
    watchSteps(
      instance,
      ({ opcode, address, peek }) => {
        const word = opcode === 'SLOAD' ? peek(0) : undefined
        if (word === undefined) return
        const slot = toWord(word)
        slots.set(`${address}${slot}`, { address, slot })
      },
      run,
    ),
  )
  return [...slots.values()]
}

/** The slot that holds the answer to a question and nothing else; `undefined` where there is none. */
export async function findSlot(place: AskingPlace, question: Question): Promise<FoundSlot | undefined> {
  const answer = await askNumber(place, question)
  const candidates = await slotsReadBy(place, question)
  for (const candidate of candidates.slice(0, MOST_CANDIDATES)) {
    const { address, slot } = candidate
    if (bytesToBigInt(readStorage(place.world, address, slot)) !== answer) continue
    let isIt = true
    for (const probe of PROBES) {
      isIt &&= (await askNumber(withSlotWritten(place, candidate, probe), question)) === probe
    }
    if (isIt) return candidate
  }
  return undefined
}
