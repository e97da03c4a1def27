// eth_getProof (EIP-1186), verified by @ethereumjs/mpt against the state roots of the blocks.

import { verifyMerkleProof } from '@ethereumjs/mpt'
import { fromRlp, type Hex, hexToBigInt, hexToBytes, keccak256, pad, toHex, toRlp } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { dumpAccount, readBlock, readChain, readStorage, type Selector } from '../reads.ts'
import { encodeAccount, type RpcBlock } from '../recompute.ts'
import { makeWallets, privateKeys, type Wallet } from '../wallet.ts'
import {
  candidates,
  LEDGER_INIT_CODE,
  ledgerCall,
  runWorkload,
  stranger,
  type Workload,
} from '../workload.ts'

const EMPTY_TRIE_ROOT = keccak256(toRlp('0x'))
const NO_CODE_HASH = keccak256('0x')
const NOBODY = stranger(999)

type Proof = Awaited<ReturnType<typeof getProof>>

function getProof(chain: Emulator, address: Hex, slots: readonly Hex[], selector: Selector | Hex) {
  return chain.request({ method: 'eth_getProof', params: [address, slots, selector as Selector] })
}

/** The value that nodes prove for a key under a root, or its absence. Throws if they prove neither. */
async function proven(root: Hex, key: Hex, nodes: readonly Hex[]): Promise<Hex | undefined> {
  // An empty trie has no node to show.
  if (nodes.length === 0 && root === EMPTY_TRIE_ROOT) return undefined
  const value = await verifyMerkleProof(
    hexToBytes(key),
    nodes.map((node) => hexToBytes(node)),
    { root: hexToBytes(root), useKeyHashing: true },
  )
  return value === null ? undefined : toHex(value)
}

async function provenSlot(proof: Proof, index: number): Promise<bigint> {
  const { key, value, proof: nodes } = proof.storageProof[index] as Proof['storageProof'][number]
  const found = await proven(proof.storageHash, pad(key as Hex, { size: 32 }), nodes)
  const amount = found === undefined ? 0n : hexToBigInt(fromRlp(found, 'hex') as Hex)
  expect(hexToBigInt(value)).toBe(amount)
  return amount
}

describe('on a chain with varied history', () => {
  let workload: Workload
  let blocks: readonly RpcBlock[]

  beforeAll(async () => {
    workload = await runWorkload('prague')
    blocks = await readChain(workload.chain)
  })

  test('accounts, existing or not, are proven under the state root of every block', {
    tags: 'gate',
  }, async () => {
    const { chain } = workload
    for (const [number, { stateRoot }] of blocks.entries()) {
      for (const address of [...candidates(workload), NOBODY]) {
        const { accountProof } = await getProof(chain, address, [], number)
        const account = await dumpAccount(chain, address, number)
        const expected = account === undefined ? undefined : encodeAccount(account)
        expect(await proven(stateRoot, address, accountProof), `${address} at ${number}`).toBe(expected)
      }
    }
  })

  test('slots, set or not, are proven under the storage hash with their stored values', async () => {
    const { chain } = workload
    const last = blocks.length - 1
    for (const number of [0, 2, 3, last]) {
      for (const [address, slots] of workload.slots) {
        const asked = [...slots, toHex(123456, { size: 32 })]
        const proof = await getProof(chain, address, asked, number)
        const stored = await readStorage(chain, address, asked, number)
        for (const [index, [, value]] of stored.entries()) {
          expect(await provenSlot(proof, index)).toBe(hexToBigInt(value))
        }
      }
    }
  })

  test('the account fields are the ones that the proof proves', async () => {
    const { chain, ledger } = workload
    for (const { number, stateRoot } of blocks) {
      const proof = await getProof(chain, ledger, [], number)
      const found = await proven(stateRoot, ledger, proof.accountProof)
      if (found === undefined) {
        expect(proof).toMatchObject({ balance: '0x0', nonce: '0x0', codeHash: NO_CODE_HASH })
        continue
      }
      const [nonce, balance, storageHash, codeHash] = fromRlp(found, 'hex') as Hex[]
      expect(storageHash).toBe(proof.storageHash)
      expect(codeHash).toBe(proof.codeHash)
      expect([nonce, balance]).toEqual(['0x01', '0x'])
      expect(proof).toMatchObject({ nonce: '0x1', balance: '0x0', address: ledger })
    }
  })

  test('a block may be named by its hash', async () => {
    const { chain, ledger } = workload
    const { hash } = blocks[2] as RpcBlock
    const byHash = await chain.request({
      method: 'eth_getProof',
      params: [ledger, ['0x1'], { blockHash: hash }],
    })
    expect(byHash).toEqual(await getProof(chain, ledger, ['0x1'], 2))
  })

  test('a proof of one block does not hold under the root of another', async () => {
    const { chain, ledger } = workload
    const { accountProof } = await getProof(chain, ledger, [], 2)
    await expect(proven((blocks[3] as RpcBlock).stateRoot, ledger, accountProof)).rejects.toThrow(
      'Invalid proof',
    )
  })
})

describe('in the block being built', () => {
  test('pre-confirmed accounts and slots are proven under the state root that `pending` shows', async () => {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const [a, b] = makeWallets(chain)
    const { contractAddress } = await deployLedger(chain, a)
    await a.send({ to: contractAddress, data: ledgerCall(1n, 0x1234n), gas: 100_000n })
    await b.send({ to: stranger(1), value: 3n })
    await chain.advance(200)

    const { stateRoot } = await readBlock(chain, 'pending')
    expect(stateRoot).not.toBe((await readBlock(chain, 'latest')).stateRoot)
    const ledger = await getProof(chain, contractAddress, ['0x1', '0x2'], 'pending')
    expect(await proven(stateRoot, contractAddress, ledger.accountProof)).toBeDefined()
    expect(await provenSlot(ledger, 0)).toBe(0x1234n)
    expect(await provenSlot(ledger, 1)).toBe(0n)
    const stored = await getProof(chain, contractAddress, ['0x1'], 'latest')
    expect(await provenSlot(stored, 0)).toBe(0n)

    const paid = await getProof(chain, stranger(1), [], 'pending')
    expect(paid.balance).toBe('0x3')
    const encoded = toRlp(['0x', '0x03', EMPTY_TRIE_ROOT, NO_CODE_HASH])
    expect(await proven(stateRoot, stranger(1), paid.accountProof)).toBe(encoded)
    const absent = await getProof(chain, NOBODY, [], 'pending')
    expect(await proven(stateRoot, NOBODY, absent.accountProof)).toBeUndefined()
  })

  test('without pre-confirmed transactions the proof holds, too', async () => {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const [a] = makeWallets(chain)
    const { stateRoot } = await readBlock(chain, 'pending')
    const { accountProof } = await getProof(chain, a.address, [], 'pending')
    const balance = toHex(10_000n * 10n ** 18n)
    expect(await proven(stateRoot, a.address, accountProof)).toBe(
      toRlp(['0x', balance, EMPTY_TRIE_ROOT, NO_CODE_HASH]),
    )
  })
})

async function deployLedger(chain: Emulator, wallet: Wallet) {
  const hash = await wallet.send({ data: LEDGER_INIT_CODE, gas: 200_000n })
  await chain.seal()
  const receipt = await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })
  if (!receipt?.contractAddress) throw new Error('not deployed')
  return { contractAddress: receipt.contractAddress }
}

describe('what does not exist', () => {
  test('an absent account is shown empty, with empty proofs for its slots', async () => {
    const chain = await createEmulator({ accounts: { privateKeys } })
    const proof = await getProof(chain, NOBODY, ['0x0'], 'latest')
    expect(proof).toMatchObject({
      address: NOBODY,
      balance: '0x0',
      nonce: '0x0',
      codeHash: NO_CODE_HASH,
      storageHash: EMPTY_TRIE_ROOT,
      storageProof: [{ key: '0x0', value: '0x0', proof: [] }],
    })
  })

  test('a chain without accounts proves absence by the empty trie', async () => {
    const chain = await createEmulator({ accounts: [], hardfork: 'shanghai' })
    const { stateRoot } = await readBlock(chain, 0)
    expect(stateRoot).toBe(EMPTY_TRIE_ROOT)
    const { accountProof } = await getProof(chain, NOBODY, [], 0)
    expect(await proven(stateRoot, NOBODY, accountProof)).toBeUndefined()
  })

  test('the error for an unknown block names it', async () => {
    const chain = await createEmulator({ accounts: [] })
    await expect(getProof(chain, NOBODY, [], 77)).rejects.toMatchObject({
      kind: 'blockNotFound',
      message: 'block not found: 0x4d',
    })
  })
})
