// Forks of one layer 2 by anvil and Hardhat in their modes for the OP stack, and by tickchain: what a user of the fork
// sees. The table of docs/fork.md says the same.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { base, createEmulator, type Emulator } from 'tickchain'
import { httpUpstream } from 'tickchain/upstream'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { anvilProgram, requestOver } from '../../benchmarks/comparison/subjects.js'

type Request = (method: string, params?: readonly unknown[]) => Promise<unknown>

interface Seen {
  readonly blockNumber: Hex
  readonly gasUsed: Hex
  readonly effectiveGasPrice: Hex
  readonly l1Fee?: Hex
  readonly operatorFeeConstant?: Hex
}

interface SeenBlock {
  readonly extraData: Hex
  readonly baseFeePerGas: Hex
  readonly transactions: readonly { readonly type: Hex }[]
}

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
const TO = '0x00000000000000000000000000000000000000aa'
const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const VAULTS = {
  l1: '0x420000000000000000000000000000000000001a',
  operator: '0x420000000000000000000000000000000000001b',
}
const FORK_BLOCK = 20

const closing: (() => unknown)[] = []
let url = ''

beforeAll(async () => {
  const live = await createEmulator(base({ fork: 'jovian' }))
  await live.setSystemConfig({ operatorFeeScalar: 0, operatorFeeConstant: 1000n })
  await live.mine(FORK_BLOCK)
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming)
    outgoing.writeHead(200, { 'content-type': 'application/json' })
    outgoing.end(await live.handle(body))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closing.push(() => server.close())
})

afterAll(async () => {
  for (const close of closing) await close()
})

async function startAnvil(): Promise<Request> {
  const given = ['--port', '0', '--optimism', '--fork-url', url, '--fork-block-number', `${FORK_BLOCK}`]
  const program = spawn(anvilProgram(), [...given, '--no-storage-caching'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closing.push(() => program.kill())
  for await (const line of createInterface(program.stdout)) {
    const found = /Listening on (\S+)/.exec(line)
    if (found !== null) return requestOver(`http://${found[1]}`)
  }
  throw new Error('anvil did not start')
}

async function startHardhat(): Promise<Request> {
  const serve = fileURLToPath(new URL('edr/serve.ts', import.meta.url))
  const network = { chainType: 'op', chainId: 8453, forking: { enabled: true, url, blockNumber: FORK_BLOCK } }
  // It executes on a chain only with the forks of that chain.
  const hardforkHistory = { isthmus: { blockNumber: 0 } }
  const config = { chainDescriptors: { 8453: { name: 'fork', chainType: 'op', hardforkHistory } } }
  // It keeps a cache in the package around the present folder.
  const cwd = mkdtempSync(join(tmpdir(), 'forked-'))
  writeFileSync(join(cwd, 'package.json'), '{"type":"module"}')
  closing.push(() => rmSync(cwd, { recursive: true, force: true }))
  const program = spawn(inject('node'), [serve, JSON.stringify([network, config])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    cwd,
  })
  closing.push(() => program.stdin.end())
  const [line] = (await once(createInterface(program.stdout), 'line')) as [string]
  return requestOver(line)
}

async function startTickchain(): Promise<Request> {
  const fork = { upstream: httpUpstream(url), block: FORK_BLOCK }
  const chain: Emulator = await createEmulator({ production: 'auto', fork })
  closing.push(() => chain.dispose())
  return (method, params = []) => chain.request(method, params)
}

async function receiptOf(request: Request, hash: unknown): Promise<Seen> {
  for (;;) {
    const receipt = (await request('eth_getTransactionReceipt', [hash])) as Seen | null
    if (receipt !== null && receipt.blockNumber !== null) return receipt
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Answers a user would get, in words that do not depend on the numbers of a run. */
async function look(request: Request): Promise<Record<string, unknown>> {
  const balance = async (of: string) => BigInt((await request('eth_getBalance', [of, 'latest'])) as Hex)
  const block = async (at: string) => (await request('eth_getBlockByNumber', [at, true])) as SeenBlock
  const sequence = () => request('eth_call', [{ to: L1_BLOCK, data: '0x64ca23ef' }, 'latest'])
  const before = {
    own: await balance(FROM),
    l1: await balance(VAULTS.l1),
    operator: await balance(VAULTS.operator),
  }
  const transaction = { from: FROM, to: TO, value: '0x1', gas: '0x5208' }
  const receipt = await receiptOf(request, await request('eth_sendTransaction', [transaction]))
  const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  const more = before.own - (await balance(FROM)) - 1n - gas
  const gained = async () =>
    (await balance(VAULTS.l1)) - before.l1 + (await balance(VAULTS.operator)) - before.operator
  const own = await block(receipt.blockNumber)
  const forked = await block(`0x${FORK_BLOCK.toString(16)}`)
  const first = await sequence()
  for (let mined = 0; mined < 31; mined++) await request('evm_mine', [])
  const last = await block('latest')
  return {
    'the L1 fee vault gains': (await balance(VAULTS.l1)) > before.l1,
    'the operator fee vault gains': (await balance(VAULTS.operator)) - before.operator,
    'the sender pays all of it': more === (await gained()),
    'l1Fee in the receipt': receipt.l1Fee !== undefined && BigInt(receipt.l1Fee) > 0n,
    'operatorFeeConstant in the receipt': receipt.operatorFeeConstant !== undefined,
    "types of the block's transactions": own.transactions.map(({ type }) => type).join(),
    "extraData is the chain's": own.extraData === forked.extraData,
    'L1Block moves on': first !== (await sequence()),
    'base fee after 31 empty blocks': Number(last.baseFeePerGas),
  }
}

test('forks of a layer 2 by anvil, Hardhat and tickchain', async () => {
  const looks = {
    anvil: await look(await startAnvil()),
    Hardhat: await look(await startHardhat()),
    tickchain: await look(await startTickchain()),
  }
  const paid = {
    'the L1 fee vault gains': true,
    'the operator fee vault gains': 1000n,
    'the sender pays all of it': true,
    'l1Fee in the receipt': true,
    'operatorFeeConstant in the receipt': true,
  }
  const frozen = {
    "types of the block's transactions": '0x2',
    "extraData is the chain's": false,
    'L1Block moves on': false,
  }
  expect(looks).toEqual({
    anvil: {
      ...paid,
      ...frozen,
      'l1Fee in the receipt': false,
      'operatorFeeConstant in the receipt': false,
      'base fee after 31 empty blocks': 4_398_171,
    },
    Hardhat: { ...paid, ...frozen, 'base fee after 31 empty blocks': 4_398_188 },
    tickchain: {
      ...paid,
      "types of the block's transactions": '0x7e,0x2',
      "extraData is the chain's": true,
      'L1Block moves on': true,
      // That of the system configuration, below which it does not sink.
      'base fee after 31 empty blocks': 5_000_000,
    },
  })
})
