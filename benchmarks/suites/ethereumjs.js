// @ts-check
// Benchmark of the same transfers on plain @ethereumjs/vm: MerkleStateManager, runTx for each transaction within one
// checkpoint, and the state root at the end. It does less than a chain: no pool, no receipts, no other tries.

import { Common, Mainnet } from '@ethereumjs/common'
import { Caches, MerkleStateManager } from '@ethereumjs/statemanager'
import { createTxFromRLP } from '@ethereumjs/tx'
import { createAccount, createAddressFromString, hexToBytes } from '@ethereumjs/util'
import { createVM, runTx } from '@ethereumjs/vm'
import { toEvmBlock } from '../../dist/core/execution/evm/pooled-evm.js'
import { evmCrypto as customCrypto } from '../../dist/core/execution/evm/reference-evm.js'
import { collectGarbage, timeOf, toRow } from '../measure.js'
import { CHAIN_ID, createTransferSource, makeAllocation } from '../workload.js'

const ACCOUNTS = 1000
const BATCH = 100
const HARDFORK = 'prague'

const block = toEvmBlock({
  number: 1,
  timestamp: 1_704_067_202,
  parentHash: `0x${'00'.repeat(32)}`,
  coinbase: `0x42${'00'.repeat(18)}11`,
  gasLimit: 60_000_000n,
  baseFeePerGas: 1_000_000_000n,
  prevRandao: `0x${'11'.repeat(32)}`,
  extraData: new Uint8Array(0),
  parentBeaconBlockRoot: `0x${'00'.repeat(32)}`,
  excessBlobGas: 0n,
  blobBaseFee: 1n,
  difficulty: 0n,
})

/** @param {Common} common @param {Caches} [caches] */
async function createPlainVm(common, caches) {
  const stateManager = new MerkleStateManager({ common, ...(caches === undefined ? {} : { caches }) })
  await stateManager.checkpoint()
  for (const [hex, account] of Object.entries(makeAllocation(ACCOUNTS))) {
    const address = createAddressFromString(hex)
    await stateManager.putAccount(address, createAccount({ balance: BigInt(account.balance ?? 0) }))
    if (account.code !== undefined) await stateManager.putCode(address, hexToBytes(account.code))
    for (const [slot, value] of Object.entries(account.storage ?? {})) {
      await stateManager.putStorage(
        address,
        hexToBytes(/** @type {`0x${string}`} */ (slot)),
        hexToBytes(value),
      )
    }
  }
  await stateManager.commit()
  return createVM({ common, stateManager })
}

/** @param {Awaited<ReturnType<typeof createPlainVm>>} vm @param {readonly `0x${string}`[]} batch */
async function runBatch(vm, batch) {
  await vm.stateManager.checkpoint()
  for (const raw of batch) {
    const tx = createTxFromRLP(hexToBytes(raw), { common: vm.common })
    const result = await runTx(vm, { tx, block: /** @type {never} */ (block), skipHardForkValidation: true })
    if (result.execResult.exceptionError !== undefined) throw new Error('a transfer failed')
  }
  await vm.stateManager.commit()
  await vm.stateManager.getStateRoot()
}

/** @type {import('../measure.js').Suite} */
export const ethereumjs = {
  title: `A transaction, ${BATCH} in its block, on plain @ethereumjs/vm`,
  async run(report, progress) {
    const chain = { ...Mainnet, chainId: CHAIN_ID }
    const plain = { chain, hardfork: HARDFORK }
    const kinds = {
      'as it comes': () => createPlainVm(new Common(plain)),
      'with its caches': () => createPlainVm(new Common(plain), new Caches()),
      'with its caches and fast crypto': () =>
        createPlainVm(new Common({ ...plain, customCrypto }), new Caches()),
    }
    for (const asset of /** @type {const} */ (['ether', 'token'])) {
      for (const [kind, makeVm] of Object.entries(kinds)) {
        progress(`${asset}, ${kind}`)
        const vm = await makeVm()
        const source = createTransferSource({ asset, accounts: ACCOUNTS })
        const batches = Array.from({ length: 14 }, () => source.take(BATCH))
        collectGarbage()
        const times = []
        for (const batch of batches) times.push((await timeOf(() => runBatch(vm, batch))) / BATCH)
        const more = { unit: 'transaction', compareWith: `${asset}, 100 a block` }
        report(toRow(`${asset}, ${kind}`, times.slice(5), more))
      }
    }
  },
}
