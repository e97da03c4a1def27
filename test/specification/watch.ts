// Client that listens to a chain: subscription messages, and a consumer of flashblock payloads that rebuilds the open
// block.

import type { Emulator, EmulatorEvents, FlashblockPayload } from 'tickchain'
import { type Hex, keccak256 } from 'viem'
import type { RpcBlock } from '../../src/core/rpc/format/block.ts'
import { rootOfList } from '../core/chain/recompute.ts'

export interface Subscribed<Payload> {
  readonly id: Hex
  /** Received messages, oldest first. */
  readonly received: Payload[]
}

/** Subscribes and collects the messages. */
export async function subscribe<Payload = unknown>(
  chain: Emulator,
  kind: string,
  detail?: unknown,
): Promise<Subscribed<Payload>> {
  const received: (readonly [Hex, Payload])[] = []
  const gathered: Payload[] = []
  let id: Hex | undefined
  chain.on('message', ({ type, data }) => {
    if (type !== 'eth_subscription') throw new Error(`a message of type ${type}`)
    if (id === undefined) received.push([data.subscription, data.result as Payload])
    else if (data.subscription === id) gathered.push(data.result as Payload)
  })
  const params = detail === undefined ? [kind] : [kind, detail]
  id = (await chain.request({ method: 'eth_subscribe' as string, params })) as Hex
  for (const [subscription, payload] of received) if (subscription === id) gathered.push(payload)
  return { id, received: gathered }
}

/** The names of a chain's events, in order. */
export function record(
  chain: Emulator,
  names: readonly (keyof EmulatorEvents)[],
): (readonly [keyof EmulatorEvents, unknown])[] {
  const events: (readonly [keyof EmulatorEvents, unknown])[] = []
  for (const name of names) chain.on(name, (payload) => events.push([name, payload]))
  return events
}

/** A block rebuilt from the stream of flashblock payloads. */
export interface Rebuilt {
  readonly payloadId: Hex
  readonly index: number
  readonly base: NonNullable<FlashblockPayload['base']>
  /** The last diff: its fields are cumulative, except the transactions. */
  readonly diff: FlashblockPayload['diff']
  readonly transactions: readonly Hex[]
}

/** Applies one payload; throws if it does not continue the previous ones. */
export function consume(before: Rebuilt | undefined, payload: FlashblockPayload): Rebuilt {
  const { payload_id: payloadId, index, base, diff } = payload
  if (index === 0) {
    if (base === undefined) throw new Error('the first payload of a block has no base')
    return { payloadId, index, base, diff, transactions: diff.transactions }
  }
  if (base !== undefined) throw new Error(`payload ${index} repeats the base`)
  if (before === undefined) throw new Error(`payload ${index} comes first`)
  if (before.payloadId !== payloadId) throw new Error(`payload ${index} belongs to another block`)
  if (index !== before.index + 1) throw new Error(`payload ${index} comes after ${before.index}`)
  const transactions = [...before.transactions, ...diff.transactions]
  return { ...before, index, diff, transactions }
}

/** Follows the stream from now on; `current` is the rebuilt block. */
export function followFlashblocks(chain: Emulator) {
  const follower: { current: Rebuilt | undefined; readonly payloads: FlashblockPayload[] } = {
    current: undefined,
    payloads: [],
  }
  chain.on('flashblock', (payload) => {
    follower.payloads.push(payload)
    follower.current = consume(follower.current, payload)
  })
  return follower
}

/** keccak-256 of the RLP of an empty list. */
const EMPTY_UNCLES_HASH = keccak256('0xc0')
/** EIP-7685: sha-256 of no requests at all. */
const EMPTY_REQUESTS_HASH = '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The JSON-RPC block of a rebuilt one, without `size`, which needs decoded transactions. */
export async function showRebuilt({ base, diff, transactions }: Rebuilt): Promise<Omit<RpcBlock, 'size'>> {
  return {
    number: base.block_number,
    hash: diff.block_hash,
    parentHash: base.parent_hash,
    nonce: '0x0000000000000000',
    sha3Uncles: EMPTY_UNCLES_HASH,
    logsBloom: diff.logs_bloom,
    transactionsRoot: await rootOfList(transactions),
    stateRoot: diff.state_root,
    receiptsRoot: diff.receipts_root,
    miner: base.fee_recipient,
    difficulty: '0x0',
    mixHash: base.prev_randao,
    extraData: base.extra_data,
    gasLimit: base.gas_limit,
    gasUsed: diff.gas_used,
    timestamp: base.timestamp,
    transactions: transactions.map((raw) => keccak256(raw)),
    uncles: [],
    withdrawals: diff.withdrawals,
    withdrawalsRoot: diff.withdrawals_root,
    baseFeePerGas: base.base_fee_per_gas,
    blobGasUsed: diff.blob_gas_used,
    excessBlobGas: '0x0',
    parentBeaconBlockRoot: base.parent_beacon_block_root,
    requestsHash: EMPTY_REQUESTS_HASH,
  }
}

/** The open block in JSON-RPC, without `size`. */
export async function readPending(chain: Emulator): Promise<Omit<RpcBlock, 'size'>> {
  const block = await chain.request('eth_getBlockByNumber', ['pending', false])
  if (block === null) throw new Error('no pending block')
  const { size: _, ...rest } = block
  return rest
}
