// How calls of native contracts behave: kinds of calls, checks, features, versions, and what observers see.

import { concat, type Hex, pad, parseAbi, toHex, zeroAddress, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { base, createEmulator, type Emulator } from '../../../../src/index.ts'
import {
  ACTIVATION,
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
} from './b20-chain.ts'

/** Code that passes its input on by an opcode, and returns whether that succeeded and what came back. */
function forwarder(opcode: number, target: Hex, value = 0): Hex {
  const hasValue = opcode === 0xf1 || opcode === 0xf2
  return concat([
    // The input is copied to 0.
    '0x36600060003760006000366000',
    hasValue ? concat(['0x60', toHex(value, { size: 1 })]) : '0x',
    ...(['0x73', target, '0x5a', toHex(opcode, { size: 1 })] as const),
    // The result at 0, and the output behind it.
    '0x6000523d600060203e3d602001600060f3'.replace('60f3', 'f3') as Hex,
  ])
}

const RELAY = '0x00000000000000000000000000000000000e1a40'

async function relayed(chain: Emulator, opcode: number, to: Hex, input: Hex, value = 0): Promise<Hex> {
  await chain.setCode(RELAY, forwarder(opcode, to, value))
  await chain.setBalance(RELAY, 10n)
  return chain.request('eth_call', [{ from: ALICE, to: RELAY, input }, 'latest'])
}

async function failureOf(
  chain: Emulator,
  from: Hex,
  to: Hex,
  input: Hex,
  value: Hex = '0x0',
): Promise<string> {
  const call = { from, to, input, value }
  return chain.request('eth_call', [call, 'latest']).then(
    (output) => `no failure: ${output}`,
    (error: { message: string }) => error.message,
  )
}

const SUCCESS = pad('0x01')

test.each(INTERPRETERS)(
  'only plain calls without value run a native contract, on %s',
  async (interpreter) => {
    const chain = await b20Chain('beryl', interpreter)
    const token = await createAsset(chain)
    const input = encode(token, 'decimals')
    const decimals = concat([SUCCESS, pad(toHex(18))])
    expect(await relayed(chain, 0xf1, token, input)).toBe(decimals)
    expect(await relayed(chain, 0xfa, token, input)).toBe(decimals)
    const refused = concat([zeroHash, '0x0d89438e'])
    expect(await relayed(chain, 0xf4, token, input)).toBe(refused)
    expect(await relayed(chain, 0xf2, token, input)).toBe(refused)
    expect((await relayed(chain, 0xf1, token, input, 1)).slice(0, 66)).toBe(zeroHash)
    expect(await failureOf(chain, ALICE, token, input, '0x1')).toBe('execution reverted: NonPayable()')
    // Writes are refused under STATICCALL.
    await execute(chain, ALICE, token, 'grantRole', await read(chain, token, 'MINT_ROLE'), RELAY)
    const mint = encode(token, 'mint', BOB, 1n)
    expect(await relayed(chain, 0xf1, token, mint)).toBe(SUCCESS)
    expect((await relayed(chain, 0xfa, token, mint)).slice(0, 66)).toBe(zeroHash)
  },
)

test.each(INTERPRETERS)('what is not there fails as on Base, on %s', async (interpreter) => {
  const chain = await b20Chain('beryl', interpreter)
  const token = await createAsset(chain)
  const nobody = `${token.slice(0, -2)}00` as Hex
  expect(await relayed(chain, 0xf1, nobody, encode(token, 'decimals'))).toBe(zeroHash)
  // The selector of the unknown function is what comes back.
  expect(await relayed(chain, 0xf1, token, '0x12345678')).toContain('12345678')
  expect(await failureOf(chain, BOB, token, encode(token, 'transfer', zeroAddress, 0n))).toBe(
    `execution reverted: InvalidReceiver(${zeroAddress})`,
  )
  expect(await failureOf(chain, BOB, token, encode(token, 'transfer', CAROL, 5n))).toMatch(
    /^execution reverted: InsufficientBalance\(0x7099.*, 0, 5\)$/i,
  )
  // Version 2 has functions that version 1 does not have.
  const seize = encode(token, 'seizeWithMemo', BOB, CAROL, 0n, zeroHash)
  expect(await relayed(chain, 0xf1, token, seize)).toContain(seize.slice(2, 10))
  const later = await b20Chain('cobalt', interpreter)
  const newer = await createAsset(later)
  expect(await failureOf(later, BOB, newer, seize)).toMatch(/AccessControlUnauthorizedAccount/)
})

// base-std, changelog/03_Denim_B20_token_receiver.md: a token refuses to credit itself, and no other account.
test.each(INTERPRETERS)('from denim on a token takes nothing of itself, on %s', async (interpreter) => {
  const creditsOn = async (fork: 'cobalt' | 'denim') => {
    const chain = await b20Chain(fork, interpreter)
    const token = await createAsset(chain)
    const other = await createAsset(chain, { salt: pad('0x03') })
    for (const role of ['MINT_ROLE', 'SEIZE_ROLE'])
      await execute(chain, ALICE, token, 'grantRole', await read(chain, token, role), ALICE)
    const creditTo = async (to: Hex) => {
      const failures = [
        await failureOf(chain, ALICE, token, encode(token, 'transfer', to, 0n)),
        await failureOf(chain, ALICE, token, encode(token, 'transferFrom', ALICE, to, 0n)),
        await failureOf(chain, ALICE, token, encode(token, 'mint', to, 0n)),
        await failureOf(chain, ALICE, token, encode(token, 'batchMint', [to], [0n])),
        await failureOf(chain, ALICE, token, encode(token, 'seizeWithMemo', BOB, to, 0n, zeroHash)),
      ]
      return failures.map((each) => /no failure|InvalidReceiver|AccountNotSeizable/.exec(each)?.[0])
    }
    return { own: await creditTo(token), other: await creditTo(other) }
  }
  // Nobody can be seized while the policy is unset.
  const taken = [...Array.from({ length: 4 }, () => 'no failure'), 'AccountNotSeizable']
  expect(await creditsOn('cobalt')).toEqual({ own: taken, other: taken })
  const own = Array.from({ length: 5 }, () => 'InvalidReceiver')
  expect(await creditsOn('denim')).toEqual({ own, other: taken })
})

test.each(INTERPRETERS)('a creation is undone with its initial calls, on %s', async (interpreter) => {
  const chain = await b20Chain('beryl', interpreter)
  const token = await createAsset(chain, {
    calls: [encode('0xb200000000000000000000000000000000000001', 'mint', BOB, 7n)],
  })
  expect(await read<bigint>(chain, token, 'balanceOf', BOB)).toBe(7n)
  const bad = [encode(token, 'transfer', zeroAddress, 1n)]
  const salt = pad('0x02')
  const create = encode(FACTORY, 'createB20', 0, salt, assetParameters(), bad)
  expect(await failureOf(chain, ALICE, FACTORY, create)).toMatch(/InvalidReceiver/)
  expect((await send(chain, ALICE, FACTORY, create)).status).toBe('0x0')
  const other = await read<Hex>(chain, FACTORY, 'getB20Address', 0, ALICE, salt)
  expect(await chain.request('eth_getCode', [other, 'latest'])).toBe('0x')
})

test.each(INTERPRETERS)('policies decide about transfers, on %s', async (interpreter) => {
  const chain = await b20Chain('cobalt', interpreter)
  const token = await createAsset(chain)
  await chain.deal({ token, to: ALICE, amount: 100n })
  await execute(chain, ALICE, POLICIES, 'createPolicyWithAccounts', ALICE, 0, [BOB])
  const blocked = 2n
  await execute(
    chain,
    ALICE,
    token,
    'updatePolicy',
    await read(chain, token, 'TRANSFER_RECEIVER_POLICY'),
    blocked,
  )
  expect(await failureOf(chain, ALICE, token, encode(token, 'transfer', BOB, 1n))).toMatch(/PolicyForbids/)
  await execute(chain, ALICE, token, 'transfer', CAROL, 1n)
  await execute(chain, ALICE, POLICIES, 'updateBlocklist', blocked, false, [BOB])
  await execute(chain, ALICE, token, 'transfer', BOB, 2n)
  expect(await read<bigint>(chain, token, 'balanceOf', BOB)).toBe(2n)
  expect(await read<bigint>(chain, token, 'balanceOf', ALICE)).toBe(97n)
})

test('features are switched by the chain, by their admin and by an option', async () => {
  const chain = await createEmulator(
    base({ fork: 'beryl', production: 'auto', rollup: { stack: 'op', features: ['b20Asset'] } }),
  )
  const create = encode(FACTORY, 'createB20', 1, zeroHash, '0x', [])
  expect(await failureOf(chain, ALICE, FACTORY, create)).toMatch(/FeatureNotActivated/)
  await createAsset(chain)
  await chain.setFeature('b20Stablecoin')
  expect(await failureOf(chain, ALICE, FACTORY, create)).not.toMatch(/FeatureNotActivated/)
  await chain.setFeature('b20Asset', false)
  const asset = encode(FACTORY, 'createB20', 0, zeroHash, assetParameters(), [])
  expect(await failureOf(chain, ALICE, FACTORY, asset)).toMatch(/FeatureNotActivated/)
  const admin = await read<Hex>(chain, ACTIVATION, 'admin')
  await chain.setBalance(admin, 10n ** 18n)
  await chain.impersonate(admin)
  const feature = '0xcdcc772fe4cbdb1029f822861176d09e646db96723d4c1e82ddfdeb8163ef54c'
  expect(await failureOf(chain, BOB, ACTIVATION, encode(ACTIVATION, 'activate', feature))).toMatch(
    /Unauthorized/,
  )
  await execute(chain, admin, ACTIVATION, 'activate', feature)
  expect(await failureOf(chain, ALICE, FACTORY, asset)).toMatch(/TokenAlreadyExists/)
  const plain = await createEmulator(base({ fork: 'azul' }))
  await expect(plain.setFeature('b20Asset')).rejects.toThrow('setFeature')
})

test.each(INTERPRETERS)('native contracts begin and grow within a chain, on %s', async (interpreter) => {
  const before = ['regolith', 'canyon', 'ecotone', 'fjord', 'granite', 'holocene', 'isthmus', 'jovian']
  const fork = {
    ...Object.fromEntries([...before, 'azul'].map((name) => [name, 0])),
    ...{ beryl: 1_704_067_300, cobalt: 1_704_067_400 },
  }
  const chain = await createEmulator({ rollup: { stack: 'op', fork }, interpreter })
  const admin = encode(ACTIVATION, 'admin')
  expect(await chain.request('eth_call', [{ to: ACTIVATION, input: admin }, 'latest'])).toBe('0x')
  await chain.jump(120_000)
  expect(
    await read<boolean>(
      chain,
      ACTIVATION,
      'isActivated',
      '0xcdcc772fe4cbdb1029f822861176d09e646db96723d4c1e82ddfdeb8163ef54c',
    ),
  ).toBe(true)
  const union = encode(POLICIES, 'createCompositePolicy', ALICE, 2, [0n, 0n])
  expect(await failureOf(chain, ALICE, POLICIES, union)).toMatch(/execution reverted$/)
  await chain.jump(120_000)
  expect(await failureOf(chain, ALICE, POLICIES, union)).not.toMatch(/execution reverted$/)
})

test.each(INTERPRETERS)(
  'traces, logs, access lists and estimates see a transfer, on %s',
  async (interpreter) => {
    const chain = await b20Chain('beryl', interpreter)
    const token = await createAsset(chain)
    await chain.deal({ token, to: ALICE, amount: 100n })
    const input = encode(token, 'transfer', BOB, 3n)
    const call = { from: ALICE, to: token, input }
    const list = await chain.request('eth_createAccessList', [call, 'latest'])
    expect(list.accessList.map(({ address, storageKeys }) => [address, storageKeys.length])).toEqual([
      [token, 4],
    ])
    const gas = await chain.request('eth_estimateGas', [call, 'latest'])
    const receipt = await send(chain, ALICE, token, input, gas)
    expect(receipt.status).toBe('0x1')
    expect((await send(chain, ALICE, token, input, toHex(BigInt(gas) - 20_000n))).status).toBe('0x0')
    const [transfer] = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 amount)'])
    expect(transfer.name).toBe('Transfer')
    expect(receipt.logs.map(({ address, topics, data }) => [address, topics[1], topics[2], data])).toEqual([
      [token, pad(ALICE), pad(BOB), pad('0x03')],
    ])
    const trace = await chain.request('debug_traceTransaction', [
      receipt.transactionHash,
      { tracer: 'callTracer', tracerConfig: { withLog: true } },
    ])
    expect(trace).toMatchObject({ type: 'CALL', to: token, output: pad('0x01'), logs: [{ address: token }] })
    const changes = await chain.request('debug_traceTransaction', [
      receipt.transactionHash,
      { tracer: 'prestateTracer', tracerConfig: { diffMode: true } },
    ])
    expect(changes).toMatchObject({ post: { [token]: { storage: {} } } })
  },
)

test('traces name native contracts, their functions, events and errors by themselves', async () => {
  const chain = await b20Chain('beryl')
  const token = await createAsset(chain)
  await chain.deal({ token, to: ALICE, amount: 100n })
  const sent = await send(chain, ALICE, token, encode(token, 'transfer', BOB, 3n))
  const { call } = await chain.trace(sent.transactionHash)
  expect(call).toMatchObject({ name: 'B20Asset', functionName: 'transfer', results: [{ value: true }] })
  expect(call.entries).toMatchObject([{ type: 'event', name: 'Transfer', args: [{}, {}, { value: 3n }] }])
  const failed = await send(chain, BOB, token, encode(token, 'mint', BOB, 3n))
  const outcome = await chain.outcome(failed.transactionHash)
  expect(outcome?.failure).toMatch(/AccessControlUnauthorizedAccount/)
  const traced = await chain.trace(failed.transactionHash)
  expect(traced.call.error?.name).toBe('AccessControlUnauthorizedAccount')
  // A function that the token does not have comes back as its selector: seizeWithMemo comes with cobalt.
  const later = { to: token, input: concat(['0xf916d81b', pad(ALICE), pad(BOB), pad('0x01'), zeroHash]) }
  expect((await chain.trace(later)).call.error).toMatchObject({
    message: 'execution reverted',
    text: 'execution reverted: no such function, or other arguments',
  })
})
