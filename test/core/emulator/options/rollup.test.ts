import { base, createEmulator, type EmulatorOptions, opMainnet, TickchainError, unichain } from 'tickchain'
import { toHex } from 'viem'
import { describe, expect, test } from 'vitest'

async function refusal(options: unknown): Promise<string> {
  const error: unknown = await createEmulator(options as EmulatorOptions).then(
    () => 'accepted',
    (reason: unknown) => reason,
  )
  if (!(error instanceof TickchainError)) throw new Error(`not refused: ${String(error)}`)
  expect({ kind: error.kind, code: error.code }).toEqual({ kind: 'invalidOption', code: -32602 })
  return error.message.replace(/^invalid option /, '')
}

function rollupWith(parts: Record<string, unknown>): unknown {
  return { rollup: { stack: 'op', ...parts } }
}

describe('an invalid part is refused, and the error names it', () => {
  const forks =
    'bedrock, regolith, canyon, ecotone, fjord, granite, holocene, isthmus, jovian, karst, azul, beryl, cobalt, denim'
  test.each([
    [{}, /^rollup\.stack: expected one of op, got /],
    [{ stack: 'arbitrum' }, 'rollup.stack: expected one of op, got "arbitrum"'],
    [{ stack: 'op', forks: 'jovian' }, 'rollup.forks: unknown field, did you mean fork?'],
    [{ stack: 'op', fork: 'prague' }, `rollup.fork: expected one of ${forks}, got "prague"`],
    [{ stack: 'op', fork: null }, `rollup.fork: expected one of ${forks}, got null`],
    [{ stack: 'op', fork: { jovain: 0 } }, 'rollup.fork.jovain: unknown field, did you mean jovian?'],
    [
      { stack: 'op', fork: { regolith: 1.5 } },
      'rollup.fork.regolith: expected a whole number from 0 to 253402300799, got 1.5',
    ],
    [
      { stack: 'op', eip1559: { denominator: 8 } },
      /^rollup\.eip1559\.elasticity: expected a whole number from 1/,
    ],
    [{ stack: 'op', eip1559: { denominator: 0, elasticity: 1 } }, /^rollup\.eip1559\.denominator: expected/],
    [
      { stack: 'op', systemConfig: { minbasefee: 1 } },
      /^rollup\.systemConfig\.minbasefee: .*did you mean minBaseFee/,
    ],
    [
      { stack: 'op', systemConfig: { baseFeeScalar: 2 ** 32 } },
      /^rollup\.systemConfig\.baseFeeScalar: expected/,
    ],
    [
      { stack: 'op', systemConfig: { daFootprintGasScalar: 65_536 } },
      /daFootprintGasScalar: expected .* to 65535/,
    ],
    [
      { stack: 'op', systemConfig: { operatorFeeConstant: -1n } },
      /operatorFeeConstant: expected .* to 2\^64 - 1/,
    ],
    [
      { stack: 'op', systemConfig: { batcher: '0x01' } },
      /^rollup\.systemConfig\.batcher: expected an address/,
    ],
    [
      { stack: 'op', systemConfig: { gasLimit: 30_000_000 } },
      /^rollup\.systemConfig\.gasLimit: expected genesis\.gasLimit in its place/,
    ],
    [
      { stack: 'op', l1: { blockTimeS: 0 } },
      'rollup.l1.blockTimeS: expected a whole number from 1 to 86400, got 0',
    ],
    [
      { stack: 'op', l1: { timestamp: 1_704_067_201 } },
      'rollup.l1.timestamp: expected at most 1704067200, that of the first block, got 1704067201',
    ],
    [
      { stack: 'op', maxSequencerDriftS: '600' },
      /^rollup\.maxSequencerDriftS: expected a whole number from 1/,
    ],
  ])('%o', async (rollup, message) => {
    const said = await refusal({ rollup })
    if (typeof message === 'string') expect(said).toBe(message)
    else expect(said).toMatch(message)
  })

  test('a fork order that cannot be, in the words of geth', async () => {
    expect(await refusal(rollupWith({ fork: { regolith: 0, canyon: 9, ecotone: 5 } }))).toBe(
      'rollup.fork: unsupported fork ordering: canyon enabled at timestamp 9, but ecotone enabled at timestamp 5',
    )
    expect(await refusal(rollupWith({ fork: { regolith: 0, ecotone: 5 } }))).toBe(
      'rollup.fork: unsupported fork ordering: canyon not enabled, but ecotone enabled at timestamp 5',
    )
  })

  test('options beside it that it decides', async () => {
    const rollup = { stack: 'op' }
    expect(await refusal({ rollup, hardfork: 'prague' })).toBe(
      'hardfork: expected no hardfork beside rollup, whose fork decides it, got "prague"',
    )
    expect(await refusal({ rollup, blobTransactions: 'accepted' })).toMatch(/^blobTransactions: expected no/)
    expect(await refusal({ rollup, genesis: { config: { chainId: 1 } } })).toMatch(
      /^rollup: expected no rollup beside/,
    )
    expect(await refusal({ rollup, genesis: { extraData: '0x01' } })).toMatch(
      /^genesis\.extraData: expected none/,
    )
    expect(await refusal({ rollup, genesis: { gasLimit: 20_999_999 } })).toBe(
      'genesis.gasLimit: expected at least 21000000, for the deposits of an L1 block, got 20999999n',
    )
  })
})

describe('the profiles of OP Mainnet and Unichain', () => {
  test.each([opMainnet, unichain])('are of karst, and may be of jovian', async (profile) => {
    const send = async (options: Parameters<typeof profile>[0]): Promise<unknown> => {
      const chain = await createEmulator(profile(options))
      const [from] = await chain.request('eth_accounts')
      return chain.request('eth_sendTransaction', [
        { from: from as string, to: from as string, gas: '0x1000001' },
      ])
    }
    // EIP-7825 comes with karst.
    await expect(send({})).rejects.toThrow(/16777216/)
    await expect(send({ fork: 'karst' })).rejects.toThrow(/16777216/)
    expect(await send({ fork: 'jovian' })).toMatch(/^0x/)
    expect(() => profile({ fork: 'beryl' as never })).toThrow(
      'invalid option fork: expected one of jovian, karst, got "beryl"',
    )
  })
})

describe('the profile of Base', () => {
  test.each([
    [null, 'options: expected an object, got null'],
    [5, 'options: expected an object, got 5'],
    [{ rollup: null }, 'rollup: expected an object, got null'],
    [{ rollup: 'op' }, 'rollup: expected an object, got "op"'],
    [{ rollup: { systemConfig: null } }, 'rollup.systemConfig: expected an object, got null'],
    [{ rollup: { l1: 1 } }, 'rollup.l1: expected an object, got 1'],
    [{ genesis: null }, 'genesis: expected an object, got null'],
    [{ rollup: { forks: 'jovian' } }, 'rollup.forks: unknown field, did you mean fork?'],
    [{ fork: 'karst' }, 'fork: expected one of jovian, azul, beryl, cobalt, denim, got "karst"'],
    [
      { fork: 'denin' },
      'fork: expected one of jovian, azul, beryl, cobalt, denim, got "denin", did you mean denim?',
    ],
    [
      { rollup: { stack: 'op', fork: { bedrock: 0 } } },
      'rollup.fork.bedrock: expected one of regolith, canyon, ecotone, fjord, granite, holocene, isthmus, jovian, karst, azul, beryl, cobalt, denim, got an unknown field',
    ],
    [{ fork: 7 }, 'fork: expected one of jovian, azul, beryl, cobalt, denim, got 7'],
    [{ fork: { denim: 5, cobalt: 9 } }, 'fork.denim: unknown field, did you mean rollup.fork.denim?'],
    [
      { fork: 'azul', rollup: { stack: 'op', features: ['b20Asset'] } },
      'rollup.features: expected none on a chain that never comes to beryl, got "b20Asset"',
    ],
    [
      { rollup: { stack: 'op', features: ['b20_asset'] } },
      'rollup.features[0]: expected one of b20Asset, b20Stablecoin, policyRegistry, got "b20_asset", did you mean b20Asset?',
    ],
  ])('refuses what createEmulator refuses: %o', async (options, message) => {
    const create = async (): Promise<unknown> => createEmulator(base(options as never))
    await expect(create()).rejects.toMatchObject({
      ...{ kind: 'invalidOption', code: -32602 },
      message: `invalid option ${message}`,
    })
  })

  test('a URL in place of a fork is refused with how one forks by it', () => {
    expect(() => base({ fork: 'https://mainnet.base.org' as never })).toThrow(
      'invalid option fork: expected a fork\'s name, or { upstream: httpUpstream(url) } of tickchain/upstream, got "https://mainnet.base.org"',
    )
  })

  test('refuses what cannot be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(() => base(proxy)).toThrow(/^invalid option options: cannot be read: TypeError/)
    expect(() => base({ rollup: proxy as never })).toThrow(/^invalid option options: cannot be read/)
  })

  test('has its parameters', async () => {
    const chain = await createEmulator(base({ fork: 'cobalt' }))
    expect(chain.settings).toMatchObject({ chainId: 8453, blockTimeMs: 2000, partialBlockTimeMs: 200 })
    await chain.advance(2000)
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      // 400 million, denominator 125, elasticity 6, at least 5,000,000 wei (docs.base.org, configuration changelog).
      gasLimit: '0x17d78400',
      extraData: '0x010000007d0000000600000000004c4b40',
      baseFeePerGas: '0x4c4b40',
      miner: '0x4200000000000000000000000000000000000011',
    })
    expect(await chain.request('eth_chainId')).toBe('0x2105')
  })

  test('has a tenth of the gas in a tenth of the time under denim, which is live', async () => {
    const chain = await createEmulator(base())
    expect(chain.settings).toMatchObject({ chainId: 8453, blockTimeMs: 200, partialBlockTimeMs: 200 })
    await chain.advance(200)
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      // 40 million, denominator 1250, elasticity 6, at least 5,000,000 wei.
      gasLimit: '0x2625a00',
      extraData: '0x01000004e20000000600000000004c4b40',
    })
  })

  test.each([
    // The registry of the superchain, and the notices of flashblocks of OP Mainnet (250 ms) and Unichain (200 ms).
    ['OP Mainnet', opMainnet, 10, 2000, 250],
    ['Unichain', unichain, 130, 1000, 200],
  ] as const)('%s has its own', async (_, preset, chainId, blockTimeMs, partialBlockTimeMs) => {
    const chain = await createEmulator(preset({ genesis: { timestamp: 1000 } }))
    expect(chain.settings).toMatchObject({ chainId, blockTimeMs, partialBlockTimeMs })
    await chain.advance(blockTimeMs)
    expect(await chain.request('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      // 30 million, denominator 250, elasticity 6, no least base fee.
      gasLimit: '0x1c9c380',
      extraData: '0x01000000fa000000060000000000000000',
    })
  })

  test('gives way to what is given, part by part', async () => {
    const chain = await createEmulator(
      base({
        chainId: 84_532,
        genesis: { timestamp: 1000 },
        rollup: { stack: 'op', fork: 'isthmus', systemConfig: { operatorFeeConstant: 7 }, l1: { number: 5 } },
      }),
    )
    expect(chain.settings.chainId).toBe(84_532)
    await chain.seal()
    const block = await chain.request('eth_getBlockByNumber', ['latest', true])
    expect(block).toMatchObject({
      gasLimit: '0x17d78400',
      timestamp: toHex(1002),
      extraData: '0x000000007d00000006',
    })
    // Both scalars of Base, 2269 and 1055762, at the offsets 4 and 8; the constant at 168.
    const input = (
      block as unknown as { transactions: readonly { input: string }[] }
    ).transactions[0]!.input.slice(2)
    expect(input.slice(8, 24)).toBe('000008dd00101c12')
    expect(input.slice(2 * 168, 2 * 176)).toBe('0000000000000007')
  })
})

test('the sequencer has its vault in the flavor hardhat, too', async () => {
  const chain = await createEmulator({ flavor: 'hardhat', rollup: { stack: 'op' } })
  await chain.seal()
  for (const block of ['0x0', '0x1'] as const)
    expect(await chain.request('eth_getBlockByNumber', [block, false])).toMatchObject({
      miner: '0x4200000000000000000000000000000000000011',
    })
})
