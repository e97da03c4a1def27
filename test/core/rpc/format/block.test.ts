import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { hexToBytes, ZERO_ADDRESS, ZERO_HASH } from '../../../../src/core/primitives/hex.ts'
import { makeRules } from '../../../../src/core/rollup/rules.ts'
import { formatUncle } from '../../../../src/core/rpc/format/block.ts'

beforeAll(loadCrypto)

const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421'
const noUncles = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'
const stateRoot = '0xd7f8974fb5ac78d9ac099b9ad5018bedc2ce0a72dad1827a1709da30580f0544'
const extraData = '0x11bbe8db4e347b4e8c937c1c8370e4b5ed33adb3db69cbdb7a38e1e50b1b82fa'
const logsBloom = `0x${'00'.repeat(256)}` as const

test('an uncle is a header with a hash and the size of an empty block', () => {
  // The genesis of Ethereum's mainnet, which is a header alone too: hash and size as every node shows them.
  const header = {
    number: 0,
    timestamp: 0,
    parentHash: ZERO_HASH,
    coinbase: ZERO_ADDRESS,
    gasLimit: 5000n,
    baseFeePerGas: 0n,
    prevRandao: ZERO_HASH,
    extraData: hexToBytes(extraData),
    parentBeaconBlockRoot: ZERO_HASH,
    excessBlobGas: 0n,
    blobBaseFee: 1n,
    difficulty: 17_179_869_184n,
    unclesHash: noUncles,
    stateRoot,
    transactionsRoot: emptyRoot,
    receiptsRoot: emptyRoot,
    logsBloom: hexToBytes(logsBloom),
    gasUsed: 0n,
    blobGasUsed: 0n,
    nonce: '0x0000000000000042',
    withdrawalsRoot: emptyRoot,
    requestsHash: ZERO_HASH,
  } as const
  expect(formatUncle({ rules: makeRules(1, 'chainstart'), header })).toEqual({
    number: '0x0',
    hash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
    parentHash: ZERO_HASH,
    nonce: '0x0000000000000042',
    sha3Uncles: noUncles,
    logsBloom,
    transactionsRoot: emptyRoot,
    stateRoot,
    receiptsRoot: emptyRoot,
    miner: ZERO_ADDRESS,
    difficulty: '0x400000000',
    mixHash: ZERO_HASH,
    extraData,
    size: '0x21c',
    gasLimit: '0x1388',
    gasUsed: '0x0',
    timestamp: '0x0',
    uncles: [],
  })
})
