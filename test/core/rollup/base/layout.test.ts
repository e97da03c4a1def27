// Addresses, identifiers and slots of B20, computed by others (base/base, base/base-std).

import { type Address, encodePacked, type Hex, keccak256, toHex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import {
  ALICE,
  assetParameters,
  BOB,
  b20Chain,
  CAROL,
  createAsset,
  encode,
  execute,
  FACTORY,
  INTERPRETERS,
  POLICIES,
  read,
  send,
  tablesOf,
} from './b20-chain.ts'

const ASSET = '0xb200000000000000000000723077b8a1b173adc3'
const STABLECOIN = `0xb200000000000000000001${'00'.repeat(9)}` as Address

/** The identifiers of docs.base.org and base/base, by the contract: selectors, topics and selectors of errors. */
const IDENTIFIERS: readonly (readonly [Address, string])[] = [
  [
    ASSET,
    `95777d59 929c2539 e44f0b12 38f23b0b 40c10f19 42966c68 ec0cf3dc 8f770ad0 e5a97f07 91d14854 248a9ca3 2f2ff15d d547741f
    36568abe 6f79e3d7 1e4e0091 a217fddf e9a9c850 b930908f 32ad9be8 389ed267 309756fb 38841782 de9997e3 bc61e733 a290249c
    8b93dd63 db3de624 adf9c4ea d116fc21 210f521b 724e9c53 6e5b013d 84da92a7 537f5312 e8a3d485 7e5b1e24 3644e515 7ecebe00
    d505accf 84b0196e f5b541a6 664808a8 595135dd c0da474e 1b3ed722 04f04c99 0ca06c44 1da24f3e 5ffe6146 68573107 4ddf9da0
    b2851ef5 f916d81b 3c7e9ba5 feb346ec b31da27f 628e600f 2c97a0f0 dc767007 97a4064f a60bf13d 3248d4ff 65cd9b3c 437a9958
    9bea6429 785c0cf0 01ffc9a7 06fdde03 95d89b41 313ce567 18160ddd 70a08231 dd62ed3e a9059cbb 23b872dd 095ea7b3`,
  ],
  [STABLECOIN, 'e5a6b10f'],
  [FACTORY, '62975e6a 8c30260f fa19b927 6a45ba98'],
  [
    POLICIES,
    `ca5d55f6 a2d3044f 3388fb5b 5c4e51b8 1d7ae695 33031a9c efdb7fa3 55a1179e 330f5637 09dd0a47 017548b7 6fdd1491 bfe142c0
    7c40df74 b3ae29f7 54309870 6b468933`,
  ],
  ['0x8453000000000000000000000000000000000001', 'ba87af80 de5bfd9b 59db6e85 22eee84c f851a440'],
]

const ERRORS: readonly (readonly [Address, string])[] = [
  [
    ASSET,
    `e2517d3f 82b42900 fd8c4245 192b9e4e db42144d 4c14f64c 9cfea583 8bc146c4 4e15efda 2c5211c6 4861ff45 0a3780ce 4b344b11
    a43fec12 cccad523 cdd98a4a 64a5cb46 bd2a913c 7ba5ffb5 361513e7 2a98e73b 6697b232 d10b3c9e 86ea3abb 6f12f3dc ab8b67c6
    c2e5347d 5c5f0829 4e2f143e b288a127 91dbbc8d 14119cf6 1ce214fa 4481a68e a7d6a5ca 0d89438e 6fb1b0e9`,
  ],
  [FACTORY, 'c0d8b4e0 ca950391 15ef3a57 4a43ae87 997c1de8 f10e8e43 4eae0860 0d89438e 6fb1b0e9 b9b2a425'],
  [POLICIES, '82b42900 720caa4f f1011ef5 d92e233d 083e2f67 b4539afa 697ec868 46508ef6'],
  ['0x8453000000000000000000000000000000000001', '8e4a23d6 866b0041 b9b2a425 beaba5b7'],
]

const TOPICS: readonly (readonly [Address, string, Hex])[] = [
  [ASSET, 'Memo', '0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8'],
  [ASSET, 'BurnedBlocked', '0x0b552e96653fd6842da37c477005d3b5c08a8c7d3631b1f43787b2dc9a1006a3'],
  [ASSET, 'Paused', '0x3e849708b13f20dd0b87a503523c305e7604cd7e8f855e7a5ebe21397dfd7146'],
  [ASSET, 'Unpaused', '0x086a815e5123cf1af5cb7a82f8b052bf96c622204c98b2f4f9782bf77f753c57'],
  [ASSET, 'PolicyUpdated', '0x8b4790f7ff717fc8f60f07ae099e47ef318dc04b37ae98056b50a22b79056626'],
  [ASSET, 'SupplyCapUpdated', '0x6d14f44808ce024f263432bc38d019a9951fbe674e9898b54844dbc8dc09c23a'],
  [ASSET, 'NameUpdated', '0x74321da206c1b9fa34367f7ece59ca49371dcd13820b9a5c3767ae1ecceed51a'],
  [ASSET, 'SymbolUpdated', '0x64e8b5c6dcea43dd79766bb3b8af7c45968d12b68c960cf2da23856f34d598d4'],
  [ASSET, 'ContractURIUpdated', '0xa5d4097edda6d87cb9329af83fb3712ef77eeb13738ffe43cc35a4ce305ad962'],
  [ASSET, 'EIP712DomainChanged', '0x0a6387c9ea3628b88a633bb4f3b151770f70085117a15f9bf3787cda53f13d31'],
  [ASSET, 'LastAdminRenounced', '0xe8d3a9872e7ca325571ff1e4c51ddd69090a0345240cc605ccde365ec867cc67'],
  [ASSET, 'MultiplierUpdated', '0x4dbe4840d7465bd162f67814cea0b519567a2e0e578bcde61e7f4ced361e5a3d'],
  [ASSET, 'ExtraMetadataUpdated', '0xd7bb345be29e78d635203d40fe0567e7ef19d5cd5cc5fcd25f768b8063e82aa1'],
  [ASSET, 'Announcement', '0xccebf8218a62875909564adef86a6f4df81503cb617221e793357d62f8e813f7'],
  [ASSET, 'EndAnnouncement', '0x96d64dafe2c790596430196b982ad1da3221cb3b0f4e6e2df77f2e4f71a90037'],
  [ASSET, 'Seized', '0xa9aec5d8b86e2fa2fd6ac3af62f2622e3dfdab1967d4cbbb56a5df7d74cb887c'],
  [ASSET, 'UIMultiplierUpdated', '0x2205df4534432b2f60654a3fdb48737ffdaf3e9edb1a498bd985bc026b15b055'],
  [
    ASSET,
    'UIMultiplierUpdateCancelled',
    '0x883856335ba5f60c18b9817c4505d3c7d3f6223dcf39516b30c508c46a5e1cad',
  ],
  [FACTORY, 'B20Created', '0xfd9bf2730513a1709722ff379a0844dfd8f997d600693c2bcc659e188bbdba0d'],
  [POLICIES, 'PolicyCreated', '0x718d87917f0c4cfd1263707ef0e77c656ed8d8bfaca06152bdb0b8094142ec27'],
  [POLICIES, 'PolicyAdminStaged', '0xdbf3b34a4c956c56ca05cd4b8f9293a4347ad61994445a4b89817d4a19561136'],
  [POLICIES, 'PolicyAdminUpdated', '0x98925cfb1bc09c5b43dd0dd56d3d95aa04fb3300927580cc588c3f5dd58c15e1'],
  [POLICIES, 'AllowlistUpdated', '0x18c46532f90187ba11e436e21da087b684801d7f0787f2043f26f079c91e9ef0'],
  [POLICIES, 'BlocklistUpdated', '0x2ff63c102b1b9fd7f5d39f83039c5d6aaf50a414a4f2def2704e41be2628f1e3'],
  [POLICIES, 'CompositePolicyUpdated', '0x4ff6adaab31b0df87aa7b8b7320c52b8b3b5eede3bf28a6baaaa8b8b7e1d6363'],
]

test('functions, errors and events have the identifiers of Base', () => {
  for (const [address, selectors] of IDENTIFIERS) {
    const { functions } = tablesOf(address)
    for (const selector of selectors.split(/\s+/))
      expect([selector, functions.has(Number(`0x${selector}`))]).toEqual([selector, true])
  }
  for (const [address, selectors] of ERRORS) {
    const { errors } = tablesOf(address)
    const known = [...errors.values()].map(({ head }) => toHex(head).slice(2))
    expect(known).toEqual(expect.arrayContaining(selectors.split(/\s+/)))
  }
  for (const [address, name, topic] of TOPICS)
    expect([name, toHex(tablesOf(address).events.get(name)?.topic ?? '')]).toEqual([name, topic])
})

test('roles and scopes have the hashes of Base', async () => {
  const chain = await b20Chain('cobalt')
  const token = await createAsset(chain)
  const hashes = {
    MINT_ROLE: '0x154c00819833dac601ee5ddded6fda79d9d8b506b911b3dbd54cdb95fe6c3686',
    BURN_ROLE: '0xe97b137254058bd94f28d2f3eb79e2d34074ffb488d042e3bc958e0a57d2fa22',
    BURN_BLOCKED_ROLE: '0x7408fdc0d31c7bcb349eab611f5d1168acd4303574993f8cdc98b1cd18c41cae',
    PAUSE_ROLE: '0x139c2898040ef16910dc9f44dc697df79363da767d8bc92f2e310312b816e46d',
    UNPAUSE_ROLE: '0x265b220c5a8891efdd9e1b1b7fa72f257bd5169f8d87e319cf3dad6ff52b94ae',
    METADATA_ROLE: '0x6bd6b5318a46e5fff572d5e4258a20774aab40cc35ac7680654b9081fcc82f80',
    OPERATOR_ROLE: '0x97667070c54ef182b0f5858b034beac1b6f3089aa2d3188bb1e8929f4fa9b929',
    SEIZE_ROLE: '0x3469b8b0d89e9604f8510ed143f74a8336d22955d4f83e23bf53d9414e27f432',
    TRANSFER_SENDER_POLICY: '0xb81736c875ab819dd97f59f2a6542cfb731ad52b4ae15a6f24df2fb02b0327f5',
    TRANSFER_RECEIVER_POLICY: '0x8a4b3fa2d8b921852bc0089c6ef0958aa6961897be36fd731330fe2cd23f8363',
    TRANSFER_EXECUTOR_POLICY: '0x10be5173aff2a44e748bd9acd8b19fe34689581398a9db7ba2fb671e786ff7d8',
    MINT_RECEIVER_POLICY: '0xa0d5ae037e66a09119acf080a1d807abb9b6d03b6b9130eb19f7c1e6bdb8ffc8',
    SEIZE_EXEMPT_POLICY: '0xedb5da348cfb67af08746d3afd1be81034b50d5c8576f31aff688f39dfd540ed',
    SEIZE_RECEIVER_POLICY: '0xbf15b19caf5c77422c038bc25f26b8b815c3a14f6d04c6616076b81bcfe07b3d',
  }
  for (const [name, hash] of Object.entries(hashes))
    expect([name, await read(chain, token, name)]).toEqual([name, hash])
})

test.each(INTERPRETERS)('a token is where and what Base says, on %s', async (interpreter) => {
  const chain = await b20Chain('beryl', interpreter)
  const sender = '0x5555555555555555555555555555555555555555'
  const salt: Hex = `0x${'aa'.repeat(32)}`
  const addresses = [0, 1].map((variant) => read(chain, FACTORY, 'getB20Address', variant, sender, salt))
  expect((await Promise.all(addresses)).map((each: string) => each.toLowerCase())).toEqual([
    '0xb20000000000000000000037ae0df3ca4e1e4865',
    '0xb20000000000000000000137ae0df3ca4e1e4865',
  ])
  expect((await createAsset(chain)).toLowerCase()).toBe(ASSET)
  expect(await chain.request('eth_getCode', [ASSET, 'latest'])).toBe('0xef')
  expect(keccak256('0xef')).toBe('0x309b8896ee4c1ff7ec1966155373dee42663b6b40c3fedc70ba501684848d2a3')
  expect(await chain.request('eth_getTransactionCount', [ASSET, 'latest'])).toBe('0x0')
  expect(await read(chain, ASSET, 'DOMAIN_SEPARATOR')).toBe(
    '0x18112390fdd5bb487359da2217c91a29dd3447e8b8c6c08752f8f245fcdde48c',
  )
})

/** Slots of the reference in Solidity, MockB20Storage.sol. */
const SLOTS = {
  balance: '0xba55482ba11603b79047acb6e601dbab0cad35f5083c779d802faf696e2ab324',
  allowance: '0x1d7681cbff74833ad03d01d63ceb1ba86ec1fc872a6bd65880ace8bf4928ae3c',
  minter: '0x6ae0a9001413ac0251bb24217a9390546d1c851ced4c79eb81c72d64d07c45e9',
  policy: '0x05dad749dd3e31176c68f62006855c482fdffe3c5efdd1edb1d3bfce788fb61d',
  member: '0x499492d3ffb584f49c87872750152697e7310ccbef89fdd292137bbb5535e0e1',
  metadata: '0x05641427cf4b1f4d16e5dd53827b5e7093a2979dc327979757f5d9dff31625a2',
} as const

test.each(INTERPRETERS)('values are in the slots of Base, on %s', async (interpreter) => {
  const chain = await b20Chain('beryl', interpreter)
  const minter = '0x154c00819833dac601ee5ddded6fda79d9d8b506b911b3dbd54cdb95fe6c3686'
  const token = await createAsset(chain, {
    calls: [
      encode(ASSET, 'mint', ALICE, 5n),
      encode(ASSET, 'grantRole', minter, ALICE),
      encode(ASSET, 'updateExtraMetadata', 'category', 'fund'),
    ],
  })
  await execute(chain, ALICE, token, 'approve', BOB, 7n)
  await execute(chain, ALICE, POLICIES, 'createPolicyWithAccounts', CAROL, 1, [ALICE])
  const at = async (address: Address, slot: Hex): Promise<bigint> =>
    BigInt(await chain.request('eth_getStorageAt', [address, slot, 'latest']))
  expect(await at(token, SLOTS.balance)).toBe(5n)
  expect(await at(token, SLOTS.allowance)).toBe(7n)
  expect(await at(token, SLOTS.minter)).toBe(1n)
  expect(await at(token, SLOTS.metadata)).toBe((BigInt(toHex('fund')) << 224n) | 8n)
  expect(await at(POLICIES, SLOTS.policy)).toBe((1n << 255n) | BigInt(CAROL))
  expect(await at(POLICIES, SLOTS.member)).toBe(1n)
  await chain.deal({ token, to: BOB, amount: 12n, adjustTotalSupply: true })
  expect([await read(chain, token, 'balanceOf', BOB), await read(chain, token, 'totalSupply')]).toEqual([
    12n,
    17n,
  ])
})

test('a creation logs as Base does, and a second one is refused', async () => {
  const chain = await b20Chain('beryl')
  const input = encode(FACTORY, 'createB20', 0, zeroHash, assetParameters(), [])
  const { logs } = await send(chain, ALICE, FACTORY, input)
  expect(logs.map(({ address, topics }) => [address, topics[0]])).toEqual([
    [FACTORY, '0xfd9bf2730513a1709722ff379a0844dfd8f997d600693c2bcc659e188bbdba0d'],
    [ASSET, keccak256(encodePacked(['string'], ['RoleGranted(bytes32,address,address)']))],
  ])
  const again = await send(chain, ALICE, FACTORY, input)
  expect(again.status).toBe('0x0')
})
