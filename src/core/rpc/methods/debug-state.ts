// Debug methods over the state, as in geth; debug_codeByHash and the witness as in reth.

import type { BlockView } from '../../chain/chain.ts'
import { type BlockSelector, expectProofs, requireParent } from '../../node/lookup.ts'
import { replayTransactions, stateBefore } from '../../node/replay.ts'
import { failure } from '../../primitives/errors.ts'
import { base64ToBytes, bytesToHex, type Hash, type Hex, hexToBytes } from '../../primitives/hex.ts'
import { loadOnce } from '../../primitives/loading.ts'
import { commitState, stateRoot } from '../../state/state-tries.ts'
import { readAccount } from '../../state/world-state.ts'
import { address, anyObject, block, blockTagOrNumber, boolean, hash, hexData } from '../codecs/basic.ts'
import { type Codec, integer, optional, refuseValue, required } from '../codecs/codec.ts'
import { defineRead } from '../method.ts'
import { modifiedBefore } from '../search-on-fork.ts'
import { type ReadContext, viewIn } from '../session.ts'
import { FIRST_ACCOUNT } from './examples.ts'

const EXAMPLE_HASH = `0x${'ab'.repeat(32)}` as const
/** The hash of no code (EIP-1052). */
const EMPTY_CODE_HASH = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'

/** The most accounts of one answer (geth, AccountRangeMaxResults). */
const MAX_ACCOUNTS = 256

/** A hashed address or the first bytes of one, as hex, or in base64 as `next` of a dump has it. */
const hashedStart: Codec<Hex, string> = {
  name: 'data, or base64',
  decode(value, path) {
    if (value === '') return '0x'
    if (typeof value !== 'string' || value.startsWith('0x')) return hexData.decode(value, path)
    const bytes = base64ToBytes(value)
    return bytes === undefined ? refuseValue(path, 'data, as hex or base64', value) : bytesToHex(bytes)
  },
}

// Loaded with their first use, as few tests ask these methods.
const loadWitness = loadOnce(() => import('../../node/witness.ts'))
const loadListing = loadOnce(() => import('../../state/state-listing.ts'))
const loadFormat = loadOnce(() => import('../format/state-dump.ts'))

function isFirst({ state }: ReadContext, { environment }: BlockView): boolean {
  return environment.number === state.chain.first
}

export const debug_dumpBlock = defineRead({
  summary:
    'The first 256 accounts of the state after a block, in the order of their hashes, with code and storage.',
  params: [required('block', block, 'state')],
  result: 'object with root, accounts by address, and next, in base64, if there are more',
  async handle(context, selector) {
    const order = { start: '0x', most: MAX_ACCOUNTS, withCode: true, withStorage: true } as const
    return (await loadFormat()).formatDump(viewIn(context, selector), order)
  },
})

export const debug_accountRange = defineRead({
  summary:
    'Up to 256 accounts of the state after a block, in the order of their hashes. All addresses are known, so `incompletes` means nothing.',
  params: [
    required('block', block, 'state'),
    optional('start', hashedStart, '0x'),
    optional('maxResults', integer, MAX_ACCOUNTS),
    optional('nocode', boolean, false),
    optional('nostorage', boolean, false),
    optional('incompletes', boolean, false),
  ],
  result: 'object with root, accounts by address, and next, in base64, if there are more',
  example: { params: ['latest', '0x', 2, true, true, false] },
  async handle(context, selector, start, maxResults, nocode, nostorage) {
    const most = maxResults === 0 ? MAX_ACCOUNTS : Math.min(maxResults, MAX_ACCOUNTS)
    const order = { start, most, withCode: !nocode, withStorage: !nostorage }
    return (await loadFormat()).formatDump(viewIn(context, selector), order)
  },
})

export const debug_storageRangeAt = defineRead({
  summary: 'Slots of an account before a transaction of a block, in the order of their hashes.',
  params: [
    required('block', block, 'block'),
    required('transactionIndex', integer),
    required('address', address),
    required('start', hashedStart),
    required('maxResults', integer),
  ],
  result: 'object with storage, from hashed slot to key and value, and nextKey, or null at the end',
  example: { params: ['pending', 0, FIRST_ACCOUNT, '0x', 10] },
  async handle(context, selector, index, account, start, maxResults) {
    const { state } = context
    const view = viewIn(context, selector)
    if (isFirst(context, view)) throw failure('noTransactionInGenesis')
    const { length } = view.executed
    if (index >= length && !(index === 0 && length === 0))
      throw failure('transactionIndexOutOfRange', { index, block: view.block().hash })
    const { formatStorageRange } = await loadFormat()
    const before = await stateBefore(state, view, index)
    return formatStorageRange(readAccount(before, account).storage, start, maxResults)
  },
})

async function modifiedBetween(
  context: ReadContext,
  first: BlockSelector,
  second: BlockSelector | undefined,
): Promise<readonly Hex[]> {
  const { modifiedAccounts } = await loadListing()
  const start = viewIn(context, first)
  if (second === undefined)
    return modifiedAccounts(requireParent(context.state, start).committed.state, start.state)
  const end = viewIn(context, second)
  const heights = { start: start.environment.number, end: end.environment.number }
  if (heights.start >= heights.end) throw failure('blockHeightsReversed', heights)
  return modifiedAccounts(start.state, end.state)
}

const MODIFIED =
  'Accounts of a block whose nonce, balance, code or storage differ from those of an earlier block, or with one parameter from those of its parent.'

export const debug_getModifiedAccountsByNumber = defineRead({
  summary: `${MODIFIED} Accounts that were deleted are not among them, as in geth.`,
  params: [required('start', blockTagOrNumber), optional('end', blockTagOrNumber, undefined)],
  beforeFork: modifiedBefore,
  result: 'array of addresses, in the order of their hashes',
  example: { params: ['pending'] },
  handle: (context, start, end): Promise<readonly Hex[]> => modifiedBetween(context, start, end),
})

export const debug_getModifiedAccountsByHash = defineRead({
  summary: 'The same as debug_getModifiedAccountsByNumber, of blocks by their hashes.',
  params: [required('start', hash), optional('end', hash, undefined)],
  beforeFork: modifiedBefore,
  result: 'array of addresses, in the order of their hashes',
  example: { params: [EXAMPLE_HASH], error: 'blockNotFound' },
  handle: (context, start, end): Promise<readonly Hex[]> =>
    modifiedBetween(context, { blockHash: start }, end === undefined ? undefined : { blockHash: end }),
})

export const debug_intermediateRoots = defineRead({
  summary: 'The state root after each transaction of a block, which are executed again.',
  params: [required('block', block, 'block'), optional('config', anyObject, {})],
  result: 'array of 32 bytes',
  example: { params: ['pending'] },
  async handle(context, selector): Promise<Hash[]> {
    const { state } = context
    const view = viewIn(context, selector)
    if (isFirst(context, view)) throw failure('genesisNotTraceable')
    let { committed } = requireParent(state, view)
    const replayed = await replayTransactions(state, view, { from: 0, to: view.executed.length })
    return replayed.map(({ after }) => {
      committed = commitState(committed, after)
      return stateRoot(committed)
    })
  },
})

export const debug_codeByHash = defineRead({
  summary: 'The code with a hash, if an account has it at a block; named by reth and anvil.',
  params: [required('hash', hash), optional('block', block, 'latest', 'state')],
  result: 'data, or null if no account has it',
  example: { params: [EMPTY_CODE_HASH] },
  async handle(context, codeHash, selector): Promise<Hex | null> {
    const code = (await loadListing()).codeIn(viewIn(context, selector).state, hexToBytes(codeHash))
    return code === undefined ? null : bytesToHex(code)
  },
})

export const debug_preimage = defineRead({
  summary:
    'The address or slot with a hash, among the accounts and slots of the pending state and of the head.',
  params: [required('hash', hash)],
  result: 'data',
  example: { params: ['0xe9707d0e6171f728f7473c24cc0432a9b07eaaf1efed6a137a4a8c12c79552d9'] },
  async handle(context, keyHash): Promise<Hex> {
    const { preimageIn } = await loadListing()
    for (const selector of ['pending', 'latest'] as const) {
      const key = preimageIn(viewIn(context, selector).state, keyHash)
      if (key !== undefined) return key
    }
    throw failure('unknownPreimage')
  },
})

export const debug_executionWitness = defineRead({
  summary:
    'What a stateless node needs to execute a block: trie nodes, codes, keys and headers, in the shape of reth.',
  params: [required('block', block, 'block')],
  result: 'object with state, codes, keys and headers, arrays of data',
  example: { params: ['pending'] },
  async handle(context, selector) {
    const { state } = context
    expectProofs(state)
    const witness = await (await loadWitness()).executionWitness(state, viewIn(context, selector))
    return {
      state: witness.state.map(bytesToHex),
      codes: witness.codes.map(bytesToHex),
      keys: witness.keys.map(bytesToHex),
      headers: witness.headers.map(bytesToHex),
    }
  },
})
