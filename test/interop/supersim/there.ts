// supersim, installed from npm: processes of anvil for both layers, which relay deposits. Nobody proposes output roots
// there, so that is done here, by impersonation of the proposer.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { delimiter, dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Address, encodeAbiParameters, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { peersFolder } from '../../../benchmarks/comparison/peers.js'
import { anvilProgram, requestOver } from '../../../benchmarks/comparison/subjects.js'
import { outputRoot } from './output-root.ts'
import { connect, type Request, type Side } from './sides.ts'

/** The package has the executable of one platform. */
export const isAvailable = process.platform === 'linux' && process.arch === 'x64'

// supersim prints them, but for the factory and the lockbox, which the portal names.
const CONTRACTS = {
  portal: '0x75CEb25776D0402972B736F6E13Fd0616BE98f22',
  disputeGameFactory: '0x51095EaC6e2b6DA9811C6fEBBdd67adD79135ce0',
  l1StandardBridge: '0x52AF4Dff31d13449b70993E21eb599C615a66541',
  l1CrossDomainMessenger: '0xc8c71093ffc2092D61A72369d81940B839Bb12b4',
} as const
const LOCKBOX = '0xE8c7aaA7d0a32dd27C3edd265504c9e05A5933cb'
const PERMISSIONED = 1

const ABI = parseAbi([
  'function proposer() view returns (address)',
  'function gameImpls(uint32) view returns (address)',
  'function create(uint32, bytes32, bytes) payable returns (address)',
  'function gameCount() view returns (uint256)',
  'function gameAtIndex(uint256) view returns (uint32, uint64, address)',
  'function maxClockDuration() view returns (uint64)',
  'function proofMaturityDelaySeconds() view returns (uint256)',
  'function disputeGameFinalityDelaySeconds() view returns (uint256)',
  'function resolveClaim(uint256, uint256)',
  'function resolve() returns (uint8)',
])

/** The addresses of both layers, which supersim prints when it is ready. What it prints later is read and dropped. */
async function printedAddresses(running: ReturnType<typeof spawn>): Promise<readonly [string, string]> {
  let printed = ''
  running.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  while (running.exitCode === null) {
    const l1 = /ChainID: 900 +RPC: (http[\w:/.]+)/.exec(printed)?.[1]
    const l2 = /ChainID: 901 +RPC: (http[\w:/.]+)/.exec(printed)?.[1]
    if (l1 !== undefined && l2 !== undefined) return [l1, l2]
    await setTimeout(50)
  }
  throw new Error(`supersim did not start: ${printed}`)
}

async function start() {
  const { resolve } = createRequire(new URL('package.json', peersFolder))
  // 0 for any free port.
  const ports = ['--l1.port', '0', '--l2.starting.port', '0', '--admin.port', '0', '--l2.count', '1']
  const env = { ...process.env, PATH: [dirname(anvilProgram()), process.env['PATH']].join(delimiter) }
  const running = spawn(resolve('supersim/bin/supersim'), ports, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [l1, l2] = await printedAddresses(running)
  return { running, l1: requestOver(l1), l2: requestOver(l2) }
}

/** A transaction of an account without a key here, in a block of its own. */
async function sendAs(request: Request, from: Address, to: Address, data: Hex): Promise<void> {
  await request('anvil_impersonateAccount', [from])
  await request('anvil_setBalance', [from, '0xde0b6b3a7640000'])
  const hash = await request('eth_sendTransaction', [{ from, to, data }])
  await request('evm_mine')
  const receipt = (await request('eth_getTransactionReceipt', [hash])) as { status: string }
  if (receipt.status !== '0x1') throw new Error(`a transaction of ${from} to ${to} failed`)
}

export async function startSupersim(): Promise<Side> {
  const { running, l1, l2 } = await start()
  // Blocks come with step() alone: anvil can take a transaction into two blocks that are mined at the same time.
  for (const request of [l1, l2]) await request('evm_setIntervalMining', [0])
  const [below, above] = [connect('l1', 900, l1), connect('l2', 901, l2)]
  const read = { abi: ABI, address: CONTRACTS.disputeGameFactory } as const
  const implementation = await below.readContract({
    ...read,
    functionName: 'gameImpls',
    args: [PERMISSIONED],
  })
  const proposer = await below.readContract({ abi: ABI, address: implementation, functionName: 'proposer' })

  const newestGame = async () => {
    const count = await below.readContract({ ...read, functionName: 'gameCount' })
    const [, , game] = await below.readContract({ ...read, functionName: 'gameAtIndex', args: [count - 1n] })
    return game
  }
  const pass = async (seconds: bigint) => {
    await l1('evm_increaseTime', [Number(seconds)])
    await l1('evm_mine')
  }

  return {
    l1: below,
    l2: above,
    contracts: CONTRACTS,
    locked: [CONTRACTS.portal, LOCKBOX],
    async step() {
      await l1('evm_mine')
      await setTimeout(20)
      await l2('evm_mine')
    },
    async propose() {
      const { root, number } = await outputRoot(above)
      const extraData = encodeAbiParameters([{ type: 'uint256' }], [number])
      const args = [PERMISSIONED, root, extraData] as const
      await sendAs(
        l1,
        proposer,
        CONTRACTS.disputeGameFactory,
        encodeFunctionData({ abi: ABI, functionName: 'create', args }),
      )
      // A proof must be younger than the game.
      await pass(1n)
    },
    async mature() {
      const game = await newestGame()
      const clock = await below.readContract({ abi: ABI, address: game, functionName: 'maxClockDuration' })
      await pass(clock + 1n)
      const resolveClaim = encodeFunctionData({ abi: ABI, functionName: 'resolveClaim', args: [0n, 0n] })
      await sendAs(l1, proposer, game, resolveClaim)
      await sendAs(l1, proposer, game, encodeFunctionData({ abi: ABI, functionName: 'resolve' }))
      const portal = { abi: ABI, address: CONTRACTS.portal } as const
      const maturity = await below.readContract({ ...portal, functionName: 'proofMaturityDelaySeconds' })
      const finality = await below.readContract({
        ...portal,
        functionName: 'disputeGameFinalityDelaySeconds',
      })
      await pass(maturity + finality + 1n)
    },
    async close() {
      running.kill()
      await once(running, 'exit')
    },
  }
}
