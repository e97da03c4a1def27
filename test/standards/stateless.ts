// A stateless node in @ethereumjs: it executes a block with nothing but an execution witness.

import { createBlockFromRLP, createBlockHeaderFromRLP } from '@ethereumjs/block'
import type { Common } from '@ethereumjs/common'
import { createMPT } from '@ethereumjs/mpt'
import { CODEHASH_PREFIX, MerkleStateManager } from '@ethereumjs/statemanager'
import { concatBytes, KECCAK256_RLP, MapDB } from '@ethereumjs/util'
import { createVM, runBlock } from '@ethereumjs/vm'
import { bytesToHex, type Hex, hexToBytes, keccak256 } from 'viem'

export interface Witness {
  readonly state: readonly Hex[]
  readonly codes: readonly Hex[]
  readonly keys: readonly Hex[]
  readonly headers: readonly Hex[]
}

const EMPTY_ROOT = bytesToHex(KECCAK256_RLP).slice(2)

/** What is not in it is not read as absent: reading it fails. */
class WitnessDatabase extends MapDB<string, Uint8Array> {
  readonly fail: (error: Error) => Promise<never>

  constructor(fail: (error: Error) => Promise<never>, database?: Map<string, Uint8Array>) {
    super(database)
    this.fail = fail
  }

  override async get(key: string | Uint8Array): Promise<Uint8Array | undefined> {
    const name = typeof key === 'string' ? key : bytesToHex(key).slice(2)
    const value = await super.get(name)
    if (value === undefined && name !== EMPTY_ROOT) return this.fail(new Error(`not in the witness: ${name}`))
    return value
  }

  override shallowCopy(): WitnessDatabase {
    return new WitnessDatabase(this.fail, this._database)
  }
}

/** The nodes and codes by their hashes. */
export async function databaseOf(
  { state, codes }: Pick<Witness, 'state' | 'codes'>,
  fail = (error: Error) => Promise.reject<never>(error),
): Promise<WitnessDatabase> {
  const database = new WitnessDatabase(fail)
  for (const node of state) await database.put(keccak256(node).slice(2), hexToBytes(node))
  for (const code of codes) {
    const key = concatBytes(CODEHASH_PREFIX, keccak256(hexToBytes(code), 'bytes'))
    await database.put(bytesToHex(key).slice(2), hexToBytes(code))
  }
  return database
}

/** Executes a block and compares all its claims; throws if the witness is not enough. */
export async function executeStateless(
  given: Common,
  rlp: Hex,
  witness: Witness,
  forks: 'scheduled' | 'constant' = 'scheduled',
): Promise<void> {
  const common = given.copy()
  const setHardfork = forks === 'scheduled'
  const block = createBlockFromRLP(hexToBytes(rlp), { common, setHardfork })
  const headers = witness.headers.map((header) =>
    createBlockHeaderFromRLP(hexToBytes(header), { common, setHardfork }),
  )
  // A chain of headers that ends with the parent.
  for (const [index, header] of headers.entries()) {
    const next = headers[index + 1] ?? block.header
    if (bytesToHex(next.parentHash) !== bytesToHex(header.hash())) throw new Error('headers are no chain')
  }
  const root = headers.at(-1)?.stateRoot as Uint8Array
  // MerkleStateManager waits for ever where a read of a storage trie throws, so reads that fail wait, too.
  let fail: (error: Error) => void = () => undefined
  const failed = new Promise<never>((_, reject) => {
    fail = reject
  })
  const db = await databaseOf(witness, (error) => {
    fail(error)
    return new Promise<never>(() => undefined)
  })
  const trie = await createMPT({ db, root, useKeyHashing: true, common } as never)
  const stateManager = new MerkleStateManager({ common, trie })
  const blockchain = {
    async getBlock(number: bigint) {
      const header = headers.find((each) => each.number === BigInt(number))
      if (header === undefined) throw new Error(`no header ${number} in the witness`)
      return header
    },
    shallowCopy() {
      return this
    },
  }
  const vm = await createVM({ common, stateManager, blockchain: blockchain as never, setHardfork })
  const run = runBlock(vm, { block, root, skipBlockValidation: true, setHardfork })
  await Promise.race([run, failed])
}
