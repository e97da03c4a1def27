// Otterscan's methods, as its docs/custom-jsonrpc.md describes them.
import type { EmulatorOptions } from 'tickchain'
import { type Hex, numberToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ALICE, alice, BOB, type Scene, startScene, transfer } from '../scene.ts'

const X: Hex = '0x0000000000000000000000000000000000000aa1'
const Y: Hex = '0x0000000000000000000000000000000000000aa2'
const UNKNOWN = `0x${'11'.repeat(32)}`
const push20 = (address: Hex): string => `73${address.slice(2)}`
/** Init code that deploys one byte, STOP. */
const INIT = '6001600c60003960016000f300'

async function startWith(codes: Readonly<Record<Hex, Hex>>, options: EmulatorOptions = {}): Promise<Scene> {
  const scene = await startScene({ production: 'auto', ...options })
  for (const [address, code] of Object.entries(codes)) await scene.chain.setCode(address as Hex, code)
  return scene
}

function call(
  { ask }: Scene,
  to: Hex | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<Hex> {
  return ask('eth_sendTransaction', { from: ALICE, to, gas: '0x186a0', ...fields })
}

describe('inside a transaction', () => {
  // 2 wei to Bob, a delegate call and a static call of Y, a creation with 1 wei, SELFDESTRUCT to Bob.
  const code = [
    `5f5f5f5f6002${push20(BOB)}5af1`,
    `5f5f5f5f${push20(Y)}5af45f5f5f5f${push20(Y)}5afa`,
    `6c${INIT}5f52600d60136001f0${push20(BOB)}ff`,
  ].join('')

  async function start() {
    const scene = await startWith({ [X]: `0x${code}`, [Y]: '0x00' })
    await scene.chain.setBalance(X, 10n)
    const hash = await call(scene, X, { value: '0x1', data: '0xabcd' })
    return { scene, hash }
  }

  test('ots_getInternalOperations has transfers, creations and self-destructs, without the transaction', async () => {
    const { scene, hash } = await start()
    const operations = await scene.ask<{ to: string }[]>('ots_getInternalOperations', hash)
    expect(operations).toEqual([
      { type: 0, from: X, to: BOB, value: '0x2' },
      { type: 2, from: X, to: operations[1]?.to, value: '0x1' },
      // 10 + 1 − 2 − 1
      { type: 1, from: X, to: BOB, value: '0x8' },
    ])
  })

  test('ots_traceTransaction has all of them with their depths', async () => {
    const { scene, hash } = await start()
    const entries = await scene.ask<Record<string, unknown>[]>('ots_traceTransaction', hash)
    expect(entries.map(({ type, depth, value }) => [type, depth, value])).toEqual([
      ['CALL', 0, '0x1'],
      ['CALL', 1, '0x2'],
      ['DELEGATECALL', 1, null],
      ['STATICCALL', 1, null],
      ['CREATE', 1, '0x1'],
      ['SELFDESTRUCT', 1, '0x8'],
    ])
    expect(entries[0]).toMatchObject({ from: ALICE, to: X, input: '0xabcd', output: '0x' })
    expect(entries[4]).toMatchObject({ from: X, input: `0x${INIT}`, output: '0x00' })
  })

  test('ots_getTransactionError is the data of a revert, and empty otherwise', async () => {
    const scene = await startWith({ [X]: '0x60fe5f5360015ffd', [Y]: '0xfe' })
    expect(await scene.ask('ots_getTransactionError', await call(scene, X))).toBe('0xfe')
    expect(await scene.ask('ots_getTransactionError', await call(scene, Y))).toBe('0x')
    expect(await scene.ask('ots_getTransactionError', await call(scene, BOB))).toBe('0x')
  })

  test('an unknown transaction is null', async () => {
    const { scene } = await start()
    for (const method of ['ots_getInternalOperations', 'ots_traceTransaction', 'ots_getTransactionError'])
      expect(await scene.ask(method, UNKNOWN), method).toBeNull()
  })
})

describe('blocks', () => {
  async function startBlock(count: number): Promise<Scene & { hashes: Hex[] }> {
    const scene = await startScene({ production: 'manual' })
    const hashes: Hex[] = []
    for (let nonce = 0; nonce < count; nonce++) hashes.push(await scene.send(alice, transfer(BOB, nonce)))
    await scene.chain.seal()
    return { ...scene, hashes }
  }

  test('ots_getBlockDetails has the number of transactions, and the fees that they paid', async () => {
    const scene = await startBlock(3)
    const full = await scene.ask<Record<string, Hex>>('eth_getBlockByNumber', '0x1', false)
    const { transactions, ...fields } = full
    const price = BigInt(fields['baseFeePerGas'] as Hex) + 1_000_000_000n
    const details = {
      block: { ...fields, logsBloom: null, transactionCount: 3 },
      issuance: { blockReward: '0x0', uncleReward: '0x0', issuance: '0x0' },
      totalFees: numberToHex(3n * 21_000n * price),
    }
    expect(await scene.ask('ots_getBlockDetails', 1)).toEqual(details)
    expect(await scene.ask('ots_getBlockDetails', '0x1')).toEqual(details)
    expect(await scene.ask('ots_getBlockDetailsByHash', fields['hash'])).toEqual(details)
    expect(await scene.ask('ots_getBlockDetails', 2)).toBeNull()
    expect(await scene.ask('ots_getBlockDetailsByHash', UNKNOWN)).toBeNull()
  })

  test('ots_getBlockTransactions pages from the end of the block', async () => {
    interface Page {
      readonly fullblock: {
        readonly transactionCount: number
        readonly transactions: readonly { hash: Hex }[]
      }
      readonly receipts: readonly Readonly<Record<string, unknown>>[]
    }
    const scene = await startBlock(5)
    const shown: Hex[][] = []
    for (const page of [0, 1, 2, 3]) {
      const { fullblock, receipts } = await scene.ask<Page>('ots_getBlockTransactions', 1, page, 2)
      expect(fullblock.transactionCount).toBe(5)
      shown.push(fullblock.transactions.map(({ hash }) => hash))
      expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(shown.at(-1))
      for (const receipt of receipts)
        expect(receipt).toMatchObject({ logs: null, logsBloom: null, status: '0x1' })
    }
    const [a, b, c, d, e] = scene.hashes
    expect(shown).toEqual([[d, e], [b, c], [a], []])
    expect(await scene.ask('ots_getBlockTransactions', 9, 0, 2)).toBeNull()
  })

  test('ots_getBlockTransactions has selectors in place of inputs', async () => {
    const scene = await startWith({})
    await call(scene, BOB, { data: '0x12345678abcdef' })
    const { fullblock } = await scene.ask<{ fullblock: unknown }>('ots_getBlockTransactions', 1, 0, 25)
    expect(fullblock).toMatchObject({ transactions: [{ input: '0x12345678' }] })
  })
})

describe('accounts', () => {
  interface Page {
    readonly txs: readonly { readonly hash: Hex }[]
    readonly receipts: readonly { readonly transactionHash: Hex; readonly timestamp: Hex }[]
    readonly firstPage: boolean
    readonly lastPage: boolean
  }

  const shown = ({ txs, receipts, ...ends }: Page) => {
    const hashes = txs.map(({ hash }) => hash)
    expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(hashes)
    return { hashes, ...ends }
  }

  /** Blocks 1 to 6: to Y, to X (which calls Y), to Bob, to Y, to Y, to Bob. */
  async function startHistory() {
    const scene = await startWith({ [X]: `0x5f5f5f5f5f${push20(Y)}5af100` })
    const hashes: Hex[] = []
    for (const to of [Y, X, BOB, Y, Y, BOB]) hashes.push(await call(scene, to))
    const search = async (direction: 'Before' | 'After', number: number, size: number, account = Y) =>
      shown(await scene.ask<Page>(`ots_searchTransactions${direction}`, account, number, size))
    return { scene, hashes, search }
  }

  test('a search finds calls inside of transactions, the newest first', async () => {
    const { hashes, search } = await startHistory()
    const [a, b, , d, e] = hashes
    const all = { hashes: [e, d, b, a], firstPage: true, lastPage: true }
    expect(await search('Before', 0, 25)).toEqual(all)
    expect(await search('After', 0, 25)).toEqual(all)
  })

  test('pages lead from the newest to the oldest, and back', async () => {
    const { hashes, search } = await startHistory()
    const [a, b, , d, e] = hashes
    expect(await search('Before', 0, 2)).toEqual({ hashes: [e, d], firstPage: true, lastPage: false })
    expect(await search('Before', 4, 2)).toEqual({ hashes: [b, a], firstPage: false, lastPage: true })
    expect(await search('Before', 1, 2)).toEqual({ hashes: [], firstPage: false, lastPage: true })
    expect(await search('After', 0, 2)).toEqual({ hashes: [b, a], firstPage: false, lastPage: true })
    // Nothing of the account follows block 5, though a block does.
    expect(await search('After', 2, 2)).toEqual({ hashes: [e, d], firstPage: true, lastPage: false })
  })

  test('a page ends with its block', async () => {
    const scene = await startScene({ production: 'manual' })
    const hashes: Hex[] = []
    for (let nonce = 0; nonce < 3; nonce++) hashes.push(await scene.send(alice, transfer(BOB, nonce)))
    await scene.chain.seal()
    const page = await scene.ask<Page>('ots_searchTransactionsBefore', BOB, 0, 1)
    expect(shown(page)).toEqual({ hashes: [...hashes].reverse(), firstPage: true, lastPage: true })
    const { timestamp } = await scene.ask<{ timestamp: Hex }>('eth_getBlockByNumber', '0x1', false)
    expect(page.receipts.map((receipt) => receipt.timestamp)).toEqual([timestamp, timestamp, timestamp])
  })

  test('pre-confirmed transactions are the newest', async () => {
    const scene = await startScene({ production: 'interval' })
    const sealed = await scene.send(alice, transfer(BOB, 0))
    await scene.chain.seal()
    const preconfirmed = await scene.send(alice, transfer(BOB, 1))
    await scene.chain.advance(200)
    for (const direction of ['Before', 'After']) {
      const page = await scene.ask<Page>(`ots_searchTransactions${direction}`, BOB, 0, 25)
      expect(shown(page).hashes).toEqual([preconfirmed, sealed])
    }
    expect(await scene.ask('ots_getTransactionBySenderAndNonce', ALICE, 1)).toBe(preconfirmed)
    expect(await scene.ask('ots_traceTransaction', preconfirmed)).toHaveLength(1)
  })

  test('a search has a limit; a page that is full stays within it', async () => {
    const scene = await startWith({}, { limits: { replayedTransactions: 2 } })
    const hashes: Hex[] = []
    for (let sent = 0; sent < 3; sent++) hashes.push(await call(scene, BOB))
    await expect(scene.ask('ots_searchTransactionsBefore', X, 0, 1)).rejects.toMatchObject({
      kind: 'tooManyReplays',
    })
    const [, b, c] = hashes
    const page = await scene.ask<Page>('ots_searchTransactionsBefore', BOB, 0, 2)
    expect(shown(page)).toEqual({ hashes: [c, b], firstPage: true, lastPage: false })
  })

  test('ots_getTransactionBySenderAndNonce has the hash, once the transaction is in a block', async () => {
    const scene = await startScene({ production: 'manual' })
    const hash = await scene.send(alice, transfer(BOB, 0))
    const ask = (nonce: unknown) => scene.ask('ots_getTransactionBySenderAndNonce', ALICE, nonce)
    expect(await ask(0)).toBeNull()
    await scene.chain.seal()
    expect([await ask(0), await ask('0x0'), await ask(1)]).toEqual([hash, hash, null])
  })

  test('ots_hasCode tells contracts from others, at any block', async () => {
    const scene = await startWith({})
    await call(scene, BOB)
    const hash = await call(scene, undefined, { data: `0x${INIT}` })
    const { contractAddress } = await scene.ask<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash)
    const ask = (block: unknown) => scene.ask('ots_hasCode', contractAddress, block)
    expect([await ask('0x1'), await ask('0x2'), await ask('latest')]).toEqual([false, true, true])
    expect(await scene.ask('ots_hasCode', BOB)).toBe(false)
  })

  test('ots_getContractCreator finds who created a contract, also inside of a transaction', async () => {
    const factory: Hex = `0x6c${INIT}5f52600d60135ff05f5260205ff3`
    const scene = await startWith({ [X]: factory })
    await call(scene, BOB)
    const output = await scene.ask<Hex>('eth_call', { to: X })
    const created: Hex = `0x${output.slice(26)}`
    const hash = await call(scene, X)
    await call(scene, BOB)
    expect(await scene.ask('ots_getContractCreator', created)).toEqual({ hash, creator: X })
    expect(await scene.ask('ots_getContractCreator', X)).toBeNull()
    expect(await scene.ask('ots_getContractCreator', BOB)).toBeNull()
  })

  test('ots_getContractCreator tells the creation from failed ones in its block', async () => {
    // CREATE2 with salt 5, and REVERT if there is calldata: CALLDATASIZE, PUSH1 29, JUMPI, STOP.
    const scene = await startScene({ production: 'manual' })
    await scene.chain.setCode(X, `0x6c${INIT}5f526005600d60135ff536601d57005b5f5ffd`)
    const hashes: Hex[] = []
    for (const data of ['0x01', '0x', '0x']) hashes.push(await call(scene, X, { data }))
    await scene.chain.seal()
    const [creation] = (
      await scene.ask<{ type: string; to: Hex }[]>('ots_traceTransaction', hashes[1])
    ).slice(1)
    expect(creation?.type).toBe('CREATE2')
    expect(await scene.ask('ots_getContractCreator', creation?.to)).toEqual({ hash: hashes[1], creator: X })
  })

  test('ots_getContractCreator finds a pre-confirmed creation', async () => {
    const scene = await startScene({ production: 'interval' })
    const hash = await call(scene, undefined, { data: `0x${INIT}` })
    await scene.chain.advance(200)
    const { contractAddress } = await scene.ask<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash)
    expect(await scene.ask('ots_getContractCreator', contractAddress)).toEqual({ hash, creator: ALICE })
  })

  test('ots_getContractCreator needs the state before the creation', async () => {
    const scene = await startScene({ production: 'manual', stateHistory: 3 })
    const create = async () => {
      const hash = await call(scene, undefined, { data: `0x${INIT}` })
      await scene.chain.seal()
      const { contractAddress } = await scene.ask<{ contractAddress: Hex }>('eth_getTransactionReceipt', hash)
      return { hash, contractAddress }
    }
    const old = await create()
    await scene.chain.mine(4)
    const recent = await create()
    await expect(scene.ask('ots_getContractCreator', old.contractAddress)).rejects.toMatchObject({
      kind: 'stateNotAvailable',
    })
    expect(await scene.ask('ots_getContractCreator', recent.contractAddress)).toEqual({
      hash: recent.hash,
      creator: ALICE,
    })
  })
})

test('ots_getApiLevel is the level that Otterscan asks for', async () => {
  const { ask } = await startScene()
  expect(await ask('ots_getApiLevel')).toBe(8)
})
