// Workload with everything that a fork allows: all transaction types, deployments, logs, failures, storage and
// accounts that are created and deleted, several partial blocks in a block.

import {
  concat,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  pad,
  toHex,
} from 'viem'
import { SELECTABLE_HARDFORKS, type SelectableHardfork } from '../../../src/core/rollup/hardforks.ts'
import { createEmulator, type Emulator, type EmulatorOptions } from '../../../src/index.ts'
import { Environment, Lifecycle, Logger, Reverter, Token } from '../../contracts/generated.ts'
import {
  type Draft,
  makeWallets,
  privateKeys,
  type TransactionType,
  type Wallet,
  type Wallets,
} from './wallet.ts'

/**
 * Code for every fork: stores the second word of the calldata in the slot that the first one names, logs it
 * with the slot as topic, and reverts if it was sent value.
 */
export const LEDGER_CODE: Hex = '0x6020356000355560203560005260003560206000a134601a57005b60006000fd'
/** Init code that deploys exactly `LEDGER_CODE`. */
export const LEDGER_INIT_CODE: Hex = `0x7f${LEDGER_CODE.slice(2)}60005260206000f3`
/** Init code of a contract that destroys itself in favour of its caller. */
const MORTAL_INIT_CODE: Hex = '0x6133ff6000526002601ef3'
/** Init code that destroys the contract during its creation. */
const STILLBORN_INIT_CODE: Hex = '0x33ff'
/** Init code that reverts without data. */
const REVERTING_INIT_CODE: Hex = '0x60006000fd'

/** The addresses of EIP-4788 and EIP-2935. */
export const BEACON_ROOTS: Hex = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
export const BLOCK_HASHES: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935'

export function ledgerCall(slot: bigint, value: bigint): Hex {
  return concat([toHex(slot, { size: 32 }), toHex(value, { size: 32 })])
}

export function isSince(hardfork: SelectableHardfork, since: SelectableHardfork): boolean {
  return SELECTABLE_HARDFORKS.indexOf(hardfork) >= SELECTABLE_HARDFORKS.indexOf(since)
}

export interface Workload {
  readonly chain: Emulator
  readonly wallets: Wallets
  readonly ledger: Hex
  /** Every account that the workload can have touched, except those of protocol and genesis. */
  readonly touched: ReadonlySet<Hex>
  /** The slots that a contract can have written. */
  readonly slots: ReadonlyMap<Hex, readonly Hex[]>
}

export const WORKLOAD_OPTIONS = {
  accounts: { privateKeys },
  partialBlockTimeMs: 500,
  allowUnprotectedTransactions: true,
  genesis: { coinbase: `0x${'fe'.repeat(20)}` as Hex },
} satisfies EmulatorOptions

/** All accounts that may exist: those of the workload, genesis and the protocol. */
export function candidates({ wallets, touched }: Workload): Hex[] {
  const { coinbase } = WORKLOAD_OPTIONS.genesis
  return [...wallets.map(({ address }) => address), coinbase, BEACON_ROOTS, BLOCK_HASHES, ...touched]
}

/** An address without a known key. */
export function stranger(number: number): Hex {
  return pad(toHex(0xabc000 + number), { size: 20 })
}

interface Stage {
  readonly chain: Emulator
  readonly hardfork: SelectableHardfork
  readonly wallets: Wallets
  readonly touched: Set<Hex>
  readonly slots: Map<Hex, Hex[]>
}

const CALL_GAS = 200_000n
const DEPLOYMENT_GAS = 2_000_000n

function nameContract(stage: Stage, from: Hex, nonce: number): Hex {
  const address = getContractAddress({ from, nonce: BigInt(nonce) }).toLowerCase() as Hex
  stage.touched.add(address)
  return address
}

/** Submits a creation and returns the address of the contract. */
async function deploy(stage: Stage, wallet: Wallet, data: Hex, value = 0n): Promise<Hex> {
  const address = nameContract(stage, wallet.address, wallet.nonce)
  await wallet.send({ ...oldType(stage), data, value, gas: DEPLOYMENT_GAS })
  return address
}

/** A transaction type of the fork. */
function oldType({ hardfork }: Stage): { readonly type: TransactionType } {
  return { type: isSince(hardfork, 'london') ? 'eip1559' : 'legacy' }
}

async function sendValue(stage: Stage, wallet: Wallet, draft: Draft): Promise<void> {
  if (draft.to !== undefined) stage.touched.add(draft.to)
  await wallet.send({ ...oldType(stage), ...draft })
}

/** One block with a transfer of every type, one of them from before EIP-155, and the ledger's deployment. */
async function transferAndDeploy(stage: Stage): Promise<Hex> {
  const { chain, hardfork, wallets } = stage
  const [a, b, c, d, e] = wallets
  await sendValue(stage, a, { type: 'legacy', to: stranger(1), value: 1n })
  const unprotected = await b.account.signTransaction({
    type: 'legacy',
    to: stranger(2),
    nonce: b.nonce++,
    gas: 21_000n,
    gasPrice: 10n ** 10n,
    value: 2n,
  })
  stage.touched.add(stranger(2))
  await chain.request({ method: 'eth_sendRawTransaction', params: [unprotected] })
  const ledger = await deploy(stage, e, LEDGER_INIT_CODE)
  await chain.advance(500)
  if (isSince(hardfork, 'berlin')) {
    const accessList = [
      { address: ledger, storageKeys: [pad('0x1', { size: 32 }), pad('0x2', { size: 32 })] },
      { address: stranger(3), storageKeys: [] },
    ]
    await sendValue(stage, c, { type: 'eip2930', to: stranger(3), value: 3n, gas: 50_000n, accessList })
  }
  if (isSince(hardfork, 'london')) await sendValue(stage, d, { to: stranger(4), value: 10n ** 20n })
  await chain.advance(500)
  // A transfer to oneself, and one of zero wei: neither creates an account.
  await sendValue(stage, a, { to: a.address, value: 5n })
  await sendValue(stage, b, { to: stranger(5), value: 0n })
  await sendValue(stage, c, { to: `0x${'00'.repeat(20)}`, value: 0n, gas: 30_000n, data: '0x00ff' })
  await chain.advance(1000)
  return ledger
}

/** Two blocks of writes, clears, reverts and failures, then an empty one. */
async function writeAndFail(stage: Stage, ledger: Hex): Promise<void> {
  const { chain, wallets } = stage
  const [a, b, c, d] = wallets
  const call = (wallet: Wallet, slot: bigint, value: bigint, draft: Draft = {}): Promise<void> =>
    sendValue(stage, wallet, { to: ledger, data: ledgerCall(slot, value), gas: CALL_GAS, ...draft })
  await call(a, 1n, 5n)
  await call(b, 2n, 2n ** 255n)
  await call(c, 3n, 0xdeadn, { value: 1n })
  await chain.advance(500)
  await call(a, 4n, 0x80n)
  await call(b, 5n, 1n, { gas: 30_000n })
  await chain.advance(500)
  const mortal = await deploy(stage, d, MORTAL_INIT_CODE, 7n)
  await deploy(stage, d, STILLBORN_INIT_CODE, 9n)
  await deploy(stage, d, REVERTING_INIT_CODE)
  await deploy(stage, d, '0x')
  await chain.advance(1000)
  await call(a, 1n, 0n)
  await call(b, 2n, 2n ** 255n)
  await sendValue(stage, c, { to: mortal, value: 11n, gas: CALL_GAS })
  await chain.advance(500)
  await call(a, 4n, 0n)
  await call(a, 4n, 0xffn)
  await sendValue(stage, d, { to: mortal, value: 13n, gas: CALL_GAS })
  await chain.advance(1500)
  await chain.advance(2000)
  stage.slots.set(
    ledger,
    [1, 2, 3, 4, 5].map((slot) => pad(toHex(slot), { size: 32 })),
  )
}

/** The slot of a key in a Solidity mapping at slot 0. */
export function mappingSlot(key: Hex): Hex {
  return keccak256(concat([pad(key, { size: 32 }), pad('0x', { size: 32 })]))
}

/** Compiled Solidity contracts, which need cancun: logs, tokens, panics, children, storage loops. */
async function runContracts(stage: Stage): Promise<void> {
  const { chain, wallets } = stage
  const [a, b, c, d, e] = wallets
  const token = await deploy(
    stage,
    a,
    encodeDeployData({ abi: Token.abi, bytecode: Token.bytecode, args: [10n ** 24n] }),
  )
  const logger = await deploy(stage, b, Logger.bytecode)
  const reverter = await deploy(stage, c, Reverter.bytecode)
  const lifecycle = await deploy(stage, d, Lifecycle.bytecode)
  const environment = await deploy(stage, e, Environment.bytecode)
  await chain.advance(500)
  const call = (wallet: Wallet, to: Hex, data: Hex, value = 0n, gas = 1_000_000n): Promise<void> =>
    sendValue(stage, wallet, { to, data, value, gas })
  await call(
    a,
    token,
    encodeFunctionData({ abi: Token.abi, functionName: 'transfer', args: [stranger(9), 5n] }),
  )
  await call(b, logger, encodeFunctionData({ abi: Logger.abi, functionName: 'emitMany', args: [7n] }))
  const topic = (number: number): Hex => toHex(number, { size: 32 })
  await call(b, logger, encodeFunctionData({ abi: Logger.abi, functionName: 'log0', args: ['0x'] }))
  await call(
    c,
    logger,
    encodeFunctionData({
      abi: Logger.abi,
      functionName: 'log4',
      args: [toHex('x'.repeat(100)), topic(1), topic(2), topic(3), topic(4)],
    }),
  )
  await chain.advance(500)
  await call(
    c,
    reverter,
    encodeFunctionData({ abi: Reverter.abi, functionName: 'writeThenRevert', args: [3n] }),
  )
  await call(c, reverter, encodeFunctionData({ abi: Reverter.abi, functionName: 'panicAssert' }))
  await call(c, reverter, encodeFunctionData({ abi: Reverter.abi, functionName: 'invalidOpcode' }))
  await call(c, reverter, encodeFunctionData({ abi: Reverter.abi, functionName: 'deposit' }), 17n)
  await call(e, environment, encodeFunctionData({ abi: Environment.abi, functionName: 'record' }))
  await call(d, lifecycle, encodeFunctionData({ abi: Lifecycle.abi, functionName: 'fill', args: [0n, 20n] }))
  await chain.advance(1000)
  await runLifecycle(stage, d, lifecycle)
  stage.slots.set(token, [mappingSlot(a.address), mappingSlot(stranger(9))])
  stage.slots.set(reverter, [pad('0x', { size: 32 })])
  stage.slots.set(
    environment,
    [0, 1, 2, 3].map((slot) => pad(toHex(slot), { size: 32 })),
  )
}

async function runLifecycle(stage: Stage, wallet: Wallet, lifecycle: Hex): Promise<void> {
  const { chain } = stage
  const { abi } = Lifecycle
  const call = (data: Hex, value = 0n): Promise<void> =>
    sendValue(stage, wallet, { to: lifecycle, data, value, gas: 2_000_000n })
  await call(encodeFunctionData({ abi, functionName: 'clear', args: [0n, 12n] }))
  await call(encodeFunctionData({ abi, functionName: 'addTransient', args: [3n] }))
  await chain.advance(500)
  await call(encodeFunctionData({ abi, functionName: 'createChild' }), 21n)
  const child = nameContract(stage, lifecycle, 1)
  await call(encodeFunctionData({ abi, functionName: 'createAndDestroy', args: [stranger(8)] }), 22n)
  nameContract(stage, lifecycle, 2)
  stage.touched.add(stranger(8))
  const salt = pad('0x5a', { size: 32 })
  await call(encodeFunctionData({ abi, functionName: 'deploy', args: [salt, LEDGER_INIT_CODE] }))
  const created = getContractAddress({ opcode: 'CREATE2', from: lifecycle, salt, bytecode: LEDGER_INIT_CODE })
  stage.touched.add(created.toLowerCase() as Hex)
  // A second creation fails, because the address is in use.
  await call(encodeFunctionData({ abi, functionName: 'deploy', args: [salt, LEDGER_INIT_CODE] }))
  await chain.advance(1500)
  stage.slots.set(child, [pad('0x', { size: 32 })])
  stage.slots.set(
    lifecycle,
    Array.from({ length: 20 }, (_, i) => mappingSlot(toHex(i))),
  )
}

/** EIP-7702: accounts delegate themselves and each other, run the code, and clear the delegations. */
async function delegate(stage: Stage, ledger: Hex): Promise<void> {
  const { chain, wallets } = stage
  const [a, , , , e, f] = wallets
  const send = (wallet: Wallet, draft: Draft): Promise<Hex> =>
    wallet.send({ type: 'eip7702', gas: 300_000n, ...draft })
  // a's transaction delegates f, with a valid authorization after a stale one.
  const good = await f.authorize(ledger, f.nonce++)
  const stale = await f.authorize(stranger(6), 77)
  await send(a, { to: f.address, data: ledgerCall(1n, 6n), authorizationList: [stale, good] })
  // e delegates itself: its nonce counts the transaction first.
  const own = await e.authorize(ledger, e.nonce + 1)
  await send(e, { to: e.address, data: ledgerCall(2n, 8n), authorizationList: [own] })
  e.nonce++
  await chain.advance(500)
  await a.send({ to: f.address, data: ledgerCall(1n, 0n), gas: CALL_GAS })
  await chain.advance(1500)
  const back = await f.authorize(`0x${'00'.repeat(20)}`, f.nonce++)
  await send(a, { to: stranger(7), value: 4n, authorizationList: [back] })
  stage.touched.add(stranger(7))
  await chain.advance(2000)
  stage.slots.set(f.address, [pad('0x1', { size: 32 })])
  stage.slots.set(e.address, [pad('0x2', { size: 32 })])
}

/** Runs everything that the fork allows, and seals the last block. */
export async function runWorkload(
  hardfork: SelectableHardfork,
  options: EmulatorOptions = {},
): Promise<Workload> {
  const chain = await createEmulator({ ...WORKLOAD_OPTIONS, hardfork, ...options })
  const wallets = makeWallets(chain, options.chainId)
  const stage: Stage = { chain, hardfork, wallets, touched: new Set(), slots: new Map() }
  const ledger = await transferAndDeploy(stage)
  await writeAndFail(stage, ledger)
  if (isSince(hardfork, 'cancun')) await runContracts(stage)
  if (isSince(hardfork, 'prague')) await delegate(stage, ledger)
  return { chain, wallets, ledger, touched: stage.touched, slots: stage.slots }
}
