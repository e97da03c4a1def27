// A chain with the layer 1's contracts in its genesis state, and a plain chain in the place of the layer 2.

import { createEmulator, type Emulator, type EmulatorOptions } from 'tickchain'
import {
  type Chain,
  createPublicClient,
  createWalletClient,
  custom,
  defineChain,
  getAddress,
  keccak256,
  toHex,
} from 'viem'
import { foundry } from 'viem/chains'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { type Address, bytesToHex, type Hex, toWord } from '../../../src/core/primitives/hex.ts'
import { l2Contract } from '../../../src/core/rollup/op/l2-contracts.ts'
import type { SystemConfig } from '../../../src/core/rollup/stack.ts'
import type { Account } from '../../../src/core/state/world-state.ts'
import { ERRORS } from '../../../src/tools/pair/generated-l1-errors.ts'
import { l1GenesisAccounts } from '../../../src/tools/pair/genesis-l1.ts'
import {
  type RollupAddresses,
  rollupAddresses,
  superchainAddresses,
} from '../../../src/tools/pair/l1-addresses.ts'
import { batchInboxOf, L1_DEFAULTS, type RollupOnL1 } from '../../../src/tools/pair/l1-genesis-options.ts'

// The first accounts of the "test … junk" mnemonic.
export const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'
export const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
export const PROPOSER = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
export const CHALLENGER = '0x90f79bf6eb2c4f870365e785982e1f101e93b906'
export const GUARDIAN = '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65'

export const L2_CHAIN_ID = 901
export const MESSAGE_PASSER = '0x4200000000000000000000000000000000000016'

export const GENESIS_TIMESTAMP = 1_704_067_200

/** Accounts as in a genesis file. */
function allocOf(accounts: readonly (readonly [Address, Account])[]) {
  return Object.fromEntries(
    accounts.map(([address, { nonce, balance, code, storage }]) => [
      address,
      {
        nonce,
        balance,
        code: bytesToHex(code.bytes),
        storage: Object.fromEntries(
          [...storage.entries()].map(([slot, value]) => [slot, toWord(BigInt(bytesToHex(value)))]),
        ),
      },
    ]),
  )
}

export const SYSTEM: SystemConfig = {
  batcherHash: toWord(0x9965507d1a55bcc2695c58ba16fb37d819b0a4dcn),
  overhead: 0n,
  scalar: 0n,
  baseFeeScalar: 1368,
  blobBaseFeeScalar: 810_949,
  gasLimit: 60_000_000n,
  eip1559: { denominator: 250, elasticity: 6 },
  operatorFeeScalar: 0,
  operatorFeeConstant: 0n,
  minBaseFee: 0n,
  daFootprintGasScalar: 0,
}

export function rollupOnL1(settings: Partial<RollupOnL1> = {}): RollupOnL1 {
  return {
    ...L1_DEFAULTS,
    chainId: L2_CHAIN_ID,
    addresses: rollupAddresses(L2_CHAIN_ID),
    system: SYSTEM,
    owner: OWNER,
    unsafeBlockSigner: OWNER,
    batchInbox: batchInboxOf(L2_CHAIN_ID),
    proposer: PROPOSER,
    challenger: CHALLENGER,
    anchor: { outputRoot: `0x${'ab'.repeat(32)}`, blockNumber: 0 },
    ...settings,
  }
}

export function viemChain(id: number, addresses: RollupAddresses) {
  const at = (address: Address) => ({ [foundry.id]: { address: getAddress(address) } })
  return defineChain({
    ...foundry,
    id,
    contracts: {
      portal: at(addresses.optimismPortal),
      l1StandardBridge: at(addresses.l1StandardBridge),
      disputeGameFactory: at(addresses.disputeGameFactory),
    },
  })
}

/** What viem asks for several games at once. */
const L1_CHAIN = defineChain({
  ...foundry,
  contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
})

export function clientsOf(chain: Emulator, definition: Chain = L1_CHAIN) {
  const settings = {
    chain: definition,
    transport: custom(chain, { retryCount: 0 }),
    cacheTime: 0,
    pollingInterval: 5,
  }
  return { reader: createPublicClient(settings), wallet: createWalletClient(settings) }
}

export async function startL1(
  settings: Partial<RollupOnL1> = {},
  options: EmulatorOptions = {},
  others: readonly RollupOnL1[] = [],
) {
  await loadCrypto()
  const rollup = rollupOnL1(settings)
  const accounts = l1GenesisAccounts({
    block: { number: 0, timestamp: GENESIS_TIMESTAMP },
    superchain: { addresses: superchainAddresses(), owner: OWNER, guardian: GUARDIAN },
    rollups: [rollup, ...others],
  })
  const chain = await createEmulator({
    production: 'auto',
    blockTimeMs: 12_000,
    predeploys: ['multicall3'],
    abis: ERRORS,
    genesis: { alloc: allocOf(accounts) },
    ...options,
  })
  return { chain, rollup, addresses: rollup.addresses, ...clientsOf(chain) }
}

/** A plain chain whose only part of a layer 2 is the contract that takes withdrawals. */
export async function startL2(addresses: RollupAddresses) {
  const { bytes } = l2Contract('L2ToL1MessagePasser')
  const chain = await createEmulator({
    chainId: L2_CHAIN_ID,
    production: 'auto',
    genesis: { alloc: { [MESSAGE_PASSER]: { balance: 0n, code: bytesToHex(bytes) } } },
  })
  return { chain, ...clientsOf(chain, viemChain(L2_CHAIN_ID, addresses)) }
}

/** An output by hand (OP specs, Proposals): version 0, state root, storage root of the message passer, block hash. */
export async function outputOf(chain: Emulator, blockNumber: number) {
  const number = toHex(blockNumber)
  const block = await chain.request({ method: 'eth_getBlockByNumber', params: [number, false] })
  const { storageHash } = await chain.request({
    method: 'eth_getProof',
    params: [MESSAGE_PASSER, [], number],
  })
  const parts = [toWord(0), block?.stateRoot as Hex, storageHash, block?.hash as Hex] as const
  const [version, stateRoot, messagePasserStorageRoot, latestBlockhash] = parts
  const root = keccak256(`0x${parts.map((part) => part.slice(2)).join('')}`)
  return { root, proof: { version, stateRoot, messagePasserStorageRoot, latestBlockhash } }
}
