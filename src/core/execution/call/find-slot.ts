// Search for the storage slot behind a view function, such as `balanceOf` of an ERC-20 token. Candidates are the slots
// that the call reads, in any contract; the right one changes the result when it is written. A slot that packs other
// values too, or holds the result in another form, does not match.

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
import { observe } from '../trace/observe.ts'
import type { StateAccess } from '../trace/observer.ts'
import { type CallMessage, type Instrumentation, runCall } from './run-call.ts'

/** A call of a view function that returns one word. */
export interface NumberQuery {
  readonly contract: Address
  readonly input: Uint8Array
}

/** The state and block that a query runs on. */
export interface QueryContext {
  readonly context: ExecutionContext
  readonly environment: BlockEnvironment
  readonly world: WorldState
}

interface FoundSlot {
  readonly address: Address
  readonly slot: Hash
}

const SLOAD = 0x54

/** The most gas of a query; a token's views take a few thousand. */
const QUERY_GAS = 10_000_000n

/** Beyond this, the contract computes the result instead of storing it. */
const MAX_CANDIDATES = 256

/** Values that no computation returns by chance, and that fit any balance. */
const PROBES = [0x5ca1ab1en, 0x0b501e7en] as const

/** The word that the call returns; `undefined` if it fails or returns something else. */
export async function queryNumber(
  { context, environment, world }: QueryContext,
  { contract, input }: NumberQuery,
  instrument?: Instrumentation,
): Promise<bigint | undefined> {
  const gasLimit = environment.gasLimit < QUERY_GAS ? environment.gasLimit : QUERY_GAS
  const message: CallMessage = {
    ...{ from: ZERO_ADDRESS, to: contract, value: 0n, input, gasLimit },
    ...{ gasPrice: 0n, feeCap: 0n, maxFeePerBlobGas: 0n },
    ...{ accessList: [], authorizationList: [], blobVersionedHashes: [] },
  }
  const { outcome, returnData } = await runCall(context, world, environment, message, instrument)
  return outcome === 'success' && returnData.length === 32 ? bytesToBigInt(returnData) : undefined
}

/** The same context with a slot written. */
export function withSlotWritten(
  place: QueryContext,
  { address, slot }: FoundSlot,
  value: bigint,
): QueryContext {
  return { ...place, world: writeStorage(place.world, address, slot, bigIntToBytes(value)) }
}

/** The slots that a query reads, in the order of their first read. */
async function slotsReadBy(place: QueryContext, question: NumberQuery): Promise<FoundSlot[]> {
  const slots = new Map<string, FoundSlot>()
  const access = ({ opcode, address, peek }: StateAccess): void => {
    const word = opcode === SLOAD ? peek(0) : undefined
    if (word === undefined) return
    const slot = toWord(word)
    slots.set(`${address}${slot}`, { address, slot })
  }
  await queryNumber(place, question, (instance, run) => observe(instance, { access }, run))
  return [...slots.values()]
}

/** The slot that holds the result of a query and nothing else; `undefined` if there is none. */
export async function findSlot(place: QueryContext, question: NumberQuery): Promise<FoundSlot | undefined> {
  const result = await queryNumber(place, question)
  const candidates = await slotsReadBy(place, question)
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    const { address, slot } = candidate
    if (bytesToBigInt(readStorage(place.world, address, slot)) !== result) continue
    let isMatch = true
    for (const probe of PROBES) {
      isMatch &&= (await queryNumber(withSlotWritten(place, candidate, probe), question)) === probe
    }
    if (isMatch) return candidate
  }
  return undefined
}
