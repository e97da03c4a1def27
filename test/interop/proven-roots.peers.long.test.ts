// Forks of anvil and Hardhat with proven roots: the same transactions on both sides, and the same state roots.

import { createEmulator } from 'tickchain'
import { expect, test } from 'vitest'
import { type Subject, startAnvil, startHardhat } from '../../benchmarks/comparison/subjects.js'
import { workload } from '../core/fork/workload.ts'

/** Keep beacon roots (EIP-4788), which are each one's own, and hashes (EIP-2935), which Hardhat does not write. */
const SYSTEM_CONTRACTS = [
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
]
const COINBASE = `0x${'c0'.repeat(20)}`

type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>

interface Block {
  readonly number: string
  readonly timestamp: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly transactionsRoot: string
}

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

test.each<[string, () => Promise<Subject>, boolean, string]>([
  // anvil 1.7 keeps slots of zero and empty accounts in its tries.
  ['anvil', startAnvil, false, 'anvil'],
  ['Hardhat', startHardhat, true, 'hardhat'],
])(
  'every block has the roots that it has on %s',
  async (_, start, removes, prefix) => {
    const subject = await start()
    const there: Request = (method, params = []) => subject.request(method, params)
    await there('evm_setAutomine', [false])
    await there(`${prefix}_setCoinbase`, [COINBASE])
    for (const address of SYSTEM_CONTRACTS) await there(`${prefix}_setCode`, [address, '0x'])
    const blocks = await workload({ chainId: 31_337, seed: 7, blocks: 40, delegates: true, removes })
    const timeAt = (index: number): string => `0x${(2_000_000_000 + 2 * index).toString(16)}`
    // anvil's proofs at genesis are not of the genesis block's state root.
    const [first = [], ...later] = blocks
    await playBlock(there, first, timeAt(0))
    for (const [index, raws] of later.entries()) {
      const fork = await createEmulator({
        ...{ production: 'manual', ordering: 'fifo', accounts: { balance: 0n } },
        fork: {
          upstream: { request: ({ method, params }) => subject.request(method, params) },
          block: index + 1,
          roots: 'proven',
        },
      })
      const here: Request = (method, params = []) => fork.request(method, params as unknown[])
      await here(`${prefix}_setCoinbase`, [COINBASE])
      const expected = await playBlock(there, raws, timeAt(index + 1))
      expect(shown(await playBlock(here, raws, timeAt(index + 1)))).toEqual(shown(expected))
      fork.dispose()
    }
    await subject.close()
  },
  600_000,
)
