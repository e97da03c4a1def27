// The corpus of standard examples, on both interpreters.

import { beforeAll, describe, expect, test } from 'vitest'
import { createRunner, runCase } from '../../../scripts/fuzz/execute.js'
import { type Case, type CaseAccount, CONTRACTS, toWord } from '../../../scripts/fuzz/world.js'
import { loadCrypto } from '../../../src/core/primitives/crypto.ts'
import { type Hex, hexToBytes } from '../../../src/core/primitives/hex.ts'
import { CORPUS, type CorpusCase } from './corpus.ts'
import { library } from './library.ts'

const contract = CONTRACTS[0] as Hex
const sender: Hex = `0x${'5e'.repeat(20)}`

function accountOf(at: Hex, code: string, fields: Partial<CaseAccount> = {}): CaseAccount {
  return {
    ...{ address: at, nonce: 1n, balance: 10n ** 18n, storage: [] },
    code: [[{ bytes: hexToBytes(`0x${code}`) }]],
    ...fields,
  }
}

function caseOf({ fork, code, original = 0, isWarm, others = {}, at }: CorpusCase): Case {
  const address = at ?? contract
  return {
    ...{ seed: 0, number: 0, fork, kind: 'message', isDeep: false },
    ...{ precompiles: 'own', steps: 'unwatched' },
    accounts: [
      accountOf(address, code, { storage: [[0n, BigInt(original)]] }),
      accountOf(sender, '', { nonce: 0n }),
      ...Object.entries(others).map(([byte, theirs]) =>
        accountOf(`0x${Number(byte).toString(16).repeat(20)}`, theirs),
      ),
    ],
    message: {
      ...{ from: sender, to: address, value: 0n, code: [], input: Uint8Array.of() },
      ...{ gasLimit: 1_000_000n, gasPrice: 10n, blobVersionedHashes: [] },
      accessList: isWarm ? [{ address, storageKeys: [toWord(0n)] }] : [],
    },
    block: {
      ...{ number: 300, timestamp: 1_700_000_000, coinbase: sender, prevRandao: toWord(1n) },
      ...{ difficulty: 0n, blobBaseFee: 1n },
    },
  }
}

/** A transaction, and an address and a slot in its access list (EIP-2930). */
const INTRINSIC = 21_000n
const ACCESS_LIST = 2400n + 1900n

beforeAll(loadCrypto)

describe.each(['reference', 'wasm'] as const)('the %s interpreter', (interpreter) => {
  const runner = createRunner(library, interpreter)

  test.each(CORPUS.map((row) => [`${row.name} (${row.fork})`, row] as const))('%s', async (_, row) => {
    const { told } = await runCase(runner, caseOf(row))
    if (row.halts) expect(told).toMatchObject({ outcome: 'failure', peakGas: 1_000_000n })
    else expect(told['failure']).toBe(row.failure)
    if (row.returns !== undefined) expect(told['returnData']).toEqual(hexToBytes(row.returns))
    if (row.refund !== undefined) expect(told['gasRefund']).toBe(BigInt(row.refund))
    if (row.gas !== undefined) {
      const before = INTRINSIC + (row.isWarm ? ACCESS_LIST : 0n)
      expect((told['peakGas'] as bigint) - before).toBe(BigInt(row.gas))
    }
  })
})
