// A fork of anvil with proven roots: the same transactions on both from there on, and the same state roots. Nothing is
// removed: anvil 1.7 keeps slots of zero and empty accounts in its tries.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createEmulator } from 'tickchain'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Subject, startAnvil } from '../../../benchmarks/comparison/subjects.js'
import { workload } from '../../fork/workload.ts'

const install = fileURLToPath(new URL('../../migration/install.js', import.meta.url))

const COINBASE = `0x${'c0'.repeat(20)}`

type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>

interface Block {
  readonly number: string
  readonly timestamp: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly transactionsRoot: string
}

let anvil: Subject

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [install])
  anvil = await startAnvil()
}, 600_000)

afterAll(() => anvil.close())

async function playBlock(request: Request, raws: readonly string[], timestamp: string): Promise<Block> {
  for (const raw of raws) await request('eth_sendRawTransaction', [raw])
  await request('evm_setNextBlockTimestamp', [timestamp])
  await request('evm_mine')
  return (await request('eth_getBlockByNumber', ['latest', false])) as Block
}

/** What the two agree in: other fields of a header, and so its hash, are each one's own. */
function shown({ number, timestamp, stateRoot, receiptsRoot, transactionsRoot }: Block): Block {
  return { number, timestamp, stateRoot, receiptsRoot, transactionsRoot }
}

// Each block is built on a fork of its own, because the history contract (EIP-2935) keeps the hashes of the others.
test('every block has the roots that it has on anvil', async () => {
  const there: Request = (method, params = []) => anvil.request(method, params)
  await there('evm_setAutomine', [false])
  await there('anvil_setCoinbase', [COINBASE])
  const blocks = await workload({ chainId: 31_337, seed: 7, blocks: 40, delegates: true, removes: false })
  const timeAt = (index: number): string => `0x${(2_000_000_000 + 2 * index).toString(16)}`
  // Its proofs at genesis are not of the genesis block's state root.
  const [first = [], ...later] = blocks
  await playBlock(there, first, timeAt(0))
  for (const [index, raws] of later.entries()) {
    const fork = await createEmulator({
      ...{ production: 'manual', ordering: 'fifo', accounts: { balance: 0n } },
      fork: {
        upstream: { request: ({ method, params }) => anvil.request(method, params) },
        block: index + 1,
        roots: 'proven',
      },
    })
    const here: Request = (method, params = []) => fork.request(method, params as unknown[])
    await here('anvil_setCoinbase', [COINBASE])
    const expected = await playBlock(there, raws, timeAt(index + 1))
    expect(shown(await playBlock(here, raws, timeAt(index + 1)))).toEqual(shown(expected))
    fork.dispose()
  }
}, 600_000)
