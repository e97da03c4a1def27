// Upgrade transactions, held to the values that the specification prints (network upgrade automation transactions).

import { getCreate2Address, type Hex, keccak256, pad, slice, zeroHash } from 'viem'
import { serializeTransaction } from 'viem/op-stack'
import { beforeAll, expect, test } from 'vitest'
import { loadCrypto } from '../../../../src/core/primitives/crypto.ts'
import { bytesToHex } from '../../../../src/core/primitives/hex.ts'
import { type Deposit, encodeDeposit } from '../../../../src/core/rollup/deposit.ts'
import { OP_FORK_ROWS, OP_FORKS, type OpFork, opForksUpTo } from '../../../../src/core/rollup/op/forks.ts'
import type { StackFork } from '../../../../src/core/rollup/stack.ts'
import { createEmulator, type Emulator } from '../../../../src/index.ts'
import { ALICE, DEPOSITOR, encodeCall, opChain, read, send } from './op-chain.ts'

const L1_BLOCK = '0x4200000000000000000000000000000000000015'
const ORACLE = '0x420000000000000000000000000000000000000f'
const OPERATOR_VAULT = '0x420000000000000000000000000000000000001b'
const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02'
const HISTORY_STORAGE = '0x0000f90827f1c53a10cb7a02335b175320002935'
const ZERO = '0x0000000000000000000000000000000000000000'

beforeAll(loadCrypto)

const deployer = (index: number): Hex => `0x421000000000000000000000000000000000000${index}`
const upgradeTo = (implementation: string): Hex => `0x3659cfe6${'0'.repeat(24)}${implementation}`

/** Sender, recipient, gas limit, source hash; and the data, but of deployments. */
type Row = readonly [Hex, Hex | undefined, bigint, Hex, Hex?]

const SPECIFIED: Readonly<Record<string, readonly Row[]>> = {
  ecotone: [
    [deployer(0), undefined, 375_000n, '0x877a6077205782ea15a6dc8699fa5ebcec5e0f4389f09cb8eda09488231346f8'],
    [
      deployer(1),
      undefined,
      1_000_000n,
      '0xa312b4510adf943510f05fcc8f15f86995a5066bd83ce11384688ae20e6ecf42',
    ],
    [
      ZERO,
      L1_BLOCK,
      50_000n,
      '0x18acb38c5ff1c238a7460ebc1b421fa49ec4874bdf1e0a530d234104e5e67dbc',
      upgradeTo('07dbe8500fc591d1852b76fee44d5a05e13097ff'),
    ],
    [
      ZERO,
      ORACLE,
      50_000n,
      '0xee4f9385eceef498af0be7ec5862229f426dec41c8d42397c7257a5117d9230a',
      upgradeTo('b528d11cc114e026f138fe568744c6d45ce6da7a'),
    ],
    [
      DEPOSITOR,
      ORACLE,
      80_000n,
      '0x0c1cb38e99dbc9cbfab3bb80863380b0905290b37eb3d6ab18dc01c1f3e75f93',
      '0x22b90ab3',
    ],
    [
      '0x0b799c86a49deeb90402691f1041aa3af2d3c875',
      undefined,
      0x3d090n,
      '0x69b763c48478b9dc2f65ada09b3d92133ec592ea715ec65ad6e7f3dc519dc00c',
      '0x60618060095f395ff33373fffffffffffffffffffffffffffffffffffffffe14604d57602036146024575f5ffd5b5f35801560495762001fff810690815414603c575f5ffd5b62001fff01545f5260205ff35b5f5ffd5b62001fff42064281555f359062001fff015500',
    ],
  ],
  fjord: [
    [
      deployer(2),
      undefined,
      1_450_000n,
      '0x86122c533fdcb89b16d8713174625e44578a89751d96c098ec19ab40a51a8ea3',
    ],
    [
      ZERO,
      ORACLE,
      50_000n,
      '0x1e6bb0c28bfab3dc9b36ffb0f721f00d6937f33577606325692db0965a7d58c6',
      upgradeTo('a919894851548179a0750865e7974da599c0fac7'),
    ],
    [
      DEPOSITOR,
      ORACLE,
      90_000n,
      '0xbac7bb0d5961cad209a345408b0280a0d4686b1b20665e1b0f9cdafd73b19b6b',
      '0x8e98b106',
    ],
  ],
  isthmus: [
    [deployer(3), undefined, 425_000n, '0x3b2d0821ca2411ad5cd3595804d1213d15737188ae4cbd58aa19c821a6c211bf'],
    [
      deployer(4),
      undefined,
      1_625_000n,
      '0xfc70b48424763fa3fab9844253b4f8d508f91eb1f7cb11a247c9baec0afb8035',
    ],
    [deployer(5), undefined, 500_000n, '0x107a570d3db75e6110817eb024f09f3172657e920634111ce9875d08a16daa96'],
    [
      ZERO,
      L1_BLOCK,
      50_000n,
      '0xebe8b5cb10ca47e0d8bda8f5355f2d66711a54ddeb0ef1d30e29418c9bf17a0e',
      upgradeTo('ff256497d61dcd71a9e9ff43967c13fde1f72d12'),
    ],
    [
      ZERO,
      ORACLE,
      50_000n,
      '0xecf2d9161d26c54eda6b7bfdd9142719b1e1199a6e5641468d1bf705bc531ab0',
      upgradeTo('93e57a196454cb919193fa9946f14943cf733845'),
    ],
    [
      ZERO,
      OPERATOR_VAULT,
      50_000n,
      '0xad74e1adb877ccbe176b8fa1cc559388a16e090ddbe8b512f5b37d07d887a927',
      upgradeTo('4fa2be8cd41504037f1838bce3bcc93bc68ff537'),
    ],
    [
      DEPOSITOR,
      ORACLE,
      90_000n,
      '0x3ddf4b1302548dd92939826e970f260ba36167f4c25f18390a5e8b194b295319',
      '0x291b0383',
    ],
    [
      '0x3462413af4609098e1e27a490f554f260213d685',
      undefined,
      250_000n,
      '0xbfb734dae514c5974ddf803e54c1bc43d5cdb4a48ae27e1d9b875a5a150b553a',
      '0x60538060095f395ff33373fffffffffffffffffffffffffffffffffffffffe14604657602036036042575f35600143038111604257611fff81430311604257611fff9006545f5260205ff35b5f5ffd5b5f35611fff60014303065500',
    ],
  ],
  jovian: [
    [deployer(6), undefined, 447_315n, '0x98faf23b9795967bc0b1c543144739d50dba3ea40420e77ad6ca9848dbfb62e8'],
    [
      ZERO,
      L1_BLOCK,
      50_000n,
      '0x08447273a4fbce97bc8c515f97ac74efc461f6a4001553712f31ebc11288bad2',
      upgradeTo('3ba4007f5c922fbb33c454b41ea7a1f11e83df2c'),
    ],
    [
      deployer(7),
      undefined,
      1_756_783n,
      '0xd939cca6eca7bd0ee0c7e89f7e5b5cf7bf6f7afe7b6966bb45dfb95344b31545',
    ],
    [
      ZERO,
      ORACLE,
      50_000n,
      '0x46b597e2d8346ed7749b46734074361e0b41a0ab9af7afda5bb4e367e072bcb8',
      upgradeTo('4f1db3c6abd250ba86e0928471a8f7db3afd88f1'),
    ],
    [
      DEPOSITOR,
      ORACLE,
      90_000n,
      '0xe836db6a959371756f8941be3e962d000f7e12a32e49e2c9ca42ba177a92716c',
      '0xb3d72079',
    ],
  ],
}

async function upgradeTransactions(fork: OpFork): Promise<readonly Deposit[]> {
  const { upgrade }: StackFork = OP_FORK_ROWS[fork]
  return (await upgrade?.()) ?? []
}

test.each(Object.keys(SPECIFIED) as OpFork[])(
  '%s: the transactions of the specification, in order',
  async (fork) => {
    const rows = (await upgradeTransactions(fork)).map(
      ({ from, to, gasLimit, sourceHash, data }, index): Row => {
        const isPrinted = SPECIFIED[fork]?.[index]?.[4] !== undefined
        return [from, to, gasLimit, sourceHash, ...(isPrinted ? [bytesToHex(data)] : [])] as unknown as Row
      },
    )
    expect(rows).toEqual(SPECIFIED[fork])
    for (const { mint, value, isSystem } of await upgradeTransactions(fork)) {
      expect({ mint, value, isSystem }).toEqual({ mint: 0n, value: 0n, isSystem: false })
    }
  },
)

test('other forks have none', async () => {
  for (const fork of OP_FORKS)
    if (!(fork in SPECIFIED) && fork !== 'karst') expect(await upgradeTransactions(fork), fork).toEqual([])
})

test('those of karst are not there: it activates in no running chain', async () => {
  await expect(upgradeTransactions('karst')).rejects.toMatchObject({ kind: 'upgradeUnknown', code: -32000 })
  const forks = Object.fromEntries(
    opForksUpTo('jovian')
      .slice(1)
      .map((fork) => [fork, 0]),
  )
  const rollup = { stack: 'op', fork: { ...forks, karst: 22 } } as const
  const chain = await createEmulator({ genesis: { timestamp: 16 }, rollup })
  await chain.advance(2000)
  await expect(chain.advance(2000)).rejects.toMatchObject({ kind: 'upgradeUnknown' })
  const begun = await createEmulator({ genesis: { timestamp: 16 }, rollup: { stack: 'op', fork: 'karst' } })
  await begun.advance(4000)
  expect(await begun.request('eth_blockNumber')).toBe('0x2')
})

test('they encode as viem encodes deposits', async () => {
  const deposits = await Promise.all((Object.keys(SPECIFIED) as OpFork[]).map(upgradeTransactions))
  for (const deposit of deposits.flat()) {
    const { sourceHash, from, to, gasLimit: gas, data } = deposit
    const transaction = {
      type: 'deposit',
      sourceHash,
      from,
      to: to ?? null,
      gas,
      data: bytesToHex(data),
    } as const
    expect(bytesToHex(encodeDeposit(deposit))).toBe(serializeTransaction(transaction as never))
  }
})

/** A chain in the state before a fork, with the fork's EVM, on which its transactions have run with their gas. */
async function upgraded(before: OpFork, fork: OpFork): Promise<Emulator> {
  const chain = await opChain(before, {}, fork)
  // The plain chain has the system contracts from its genesis on.
  for (const system of [BEACON_ROOTS, HISTORY_STORAGE] as const) {
    await chain.setCode(system, '0x')
    await chain.setNonce(system, 0n)
  }
  for (const { from, to, gasLimit, data } of await upgradeTransactions(fork)) {
    const recipient = to === undefined ? {} : { to }
    const receipt = await send(chain, { from, gas: gasLimit, data: bytesToHex(data), ...recipient })
    expect(receipt, `${from} ${to}`).toMatchObject({ status: '0x1' })
  }
  return chain
}

/** Where the proxy points to, and the hash of the code there. */
async function behind(chain: Emulator, proxy: Hex): Promise<readonly [Hex, Hex]> {
  const slot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'
  const implementation = slice(
    await chain.request({ method: 'eth_getStorageAt', params: [proxy, slot, 'latest'] }),
    12,
  )
  return [implementation, keccak256(await chain.request({ method: 'eth_getCode', params: [implementation] }))]
}

const flag = (chain: Emulator, name: string) => read(chain, ORACLE, `${name}() view returns (bool)`)
const codeOf = (chain: Emulator, address: Hex) => chain.request({ method: 'eth_getCode', params: [address] })

test('ecotone deploys the code that the specification names', async () => {
  const chain = await upgraded('canyon', 'ecotone')
  expect(await behind(chain, L1_BLOCK)).toEqual([
    '0x07dbe8500fc591d1852b76fee44d5a05e13097ff',
    '0xc88a313aa75dc4fbf0b6850d9f9ae41e04243b7008cf3eadb29256d4a71c1dfd',
  ])
  expect(await behind(chain, ORACLE)).toEqual([
    '0xb528d11cc114e026f138fe568744c6d45ce6da7a',
    '0x8b71360ea773b4cfaf1ae6d2bd15464a4e1e2e360f786e475f63aeaed8da0ae5',
  ])
  expect(await flag(chain, 'isEcotone')).toBe(true)
  // EIP-4788: the code that runs, after the nine bytes that return it.
  expect(await codeOf(chain, BEACON_ROOTS)).toBe(slice(SPECIFIED['ecotone']![5]![4]!, 9))
})

test('fjord deploys the code that the specification names', async () => {
  const chain = await upgraded('ecotone', 'fjord')
  expect(await behind(chain, ORACLE)).toEqual([
    '0xa919894851548179a0750865e7974da599c0fac7',
    '0xa88fa50a2745b15e6794247614b5298483070661adacb8d32d716434ed24c6b2',
  ])
  expect(await flag(chain, 'isFjord')).toBe(true)
})

/** The code behind a proxy in the genesis state of a fork. */
async function codeAtGenesis(fork: OpFork, proxy: Hex): Promise<Hex> {
  const [, hash] = await behind(await opChain(fork), proxy)
  return hash
}

test('isthmus deploys the code of a genesis with isthmus', async () => {
  const chain = await upgraded('holocene', 'isthmus')
  for (const [proxy, implementation] of [
    [L1_BLOCK, '0xff256497d61dcd71a9e9ff43967c13fde1f72d12'],
    [ORACLE, '0x93e57a196454cb919193fa9946f14943cf733845'],
    [OPERATOR_VAULT, '0x4fa2be8cd41504037f1838bce3bcc93bc68ff537'],
  ] as const) {
    expect(await behind(chain, proxy)).toEqual([implementation, await codeAtGenesis('isthmus', proxy)])
  }
  expect(await flag(chain, 'isIsthmus')).toBe(true)
  expect(await codeOf(chain, HISTORY_STORAGE)).toBe(slice(SPECIFIED['isthmus']![7]![4]!, 9))
})

test('jovian deploys the code of a genesis with jovian', async () => {
  const chain = await upgraded('isthmus', 'jovian')
  for (const [proxy, implementation] of [
    [L1_BLOCK, '0x3ba4007f5c922fbb33c454b41ea7a1f11e83df2c'],
    [ORACLE, '0x4f1db3c6abd250ba86e0928471a8f7db3afd88f1'],
  ] as const) {
    expect(await behind(chain, proxy)).toEqual([implementation, await codeAtGenesis('jovian', proxy)])
  }
  expect(await flag(chain, 'isJovian')).toBe(true)
})

// op-geth, consensus/misc/create2deployer.go: it sets the code, whatever the account has.
test('the first block of canyon sets the code of the CREATE2 deployer, and nothing else', async () => {
  const address = '0x13b0d85ccb8bf860b6b79af3029fca081ae9bef2'
  const hash = '0xb0550b5b431e30d38000efb7107aaa0ade03d48a7198a140edda9d27134468b2'
  const timestamp = 1_704_067_200
  const options = {
    production: 'manual',
    genesis: { timestamp, alloc: { [address]: { balance: 7n } } },
    rollup: { stack: 'op', fork: { regolith: timestamp, canyon: timestamp + 2 } },
  } as const
  const chain = await createEmulator(options)
  const accountAt = (block: Hex) => chain.request('eth_getProof', [address, [], block])
  await chain.mine(1)
  const call = {
    from: ALICE,
    to: address,
    data: encodeCall('computeAddress(bytes32,bytes32)', zeroHash, zeroHash),
  }
  const sent = await chain.request('eth_sendTransaction', [{ ...call, gas: '0x30d40' }])
  await chain.mine(2)
  expect(await accountAt('0x1')).toMatchObject({ nonce: '0x0', balance: '0x7', codeHash: keccak256('0x') })
  for (const block of ['0x2', '0x3'] as const)
    expect(await accountAt(block)).toMatchObject({ nonce: '0x0', balance: '0x7', codeHash: hash })

  // Another chain comes to the same blocks, and a transaction of the first traced there finds the contract.
  const other = await createEmulator(options)
  await other.importBlocks(await chain.exportBlocks())
  expect((await other.request('eth_getBlockByNumber', ['latest', false]))?.hash).toBe(
    (await chain.request('eth_getBlockByNumber', ['0x3', false]))?.hash,
  )
  const computed = getCreate2Address({ from: address, salt: zeroHash, bytecodeHash: zeroHash })
  expect(await other.request('debug_traceTransaction', [sent, { tracer: 'callTracer' }])).toMatchObject({
    output: pad(computed.toLowerCase() as Hex),
  })
})
