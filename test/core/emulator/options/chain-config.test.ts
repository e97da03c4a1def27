// geth's chain configuration: valid ones, and refusals by geth's rules (params/config.go, CheckConfigForkOrder and the
// validation of blob schedules) and of unknown forks.
import { createEmulator } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { FORKS_BY_NUMBER as blocks } from '../../../forks.ts'

const merged = { ...blocks, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 }

function startWith(config: Readonly<Record<string, unknown>>) {
  return createEmulator({ genesis: { timestamp: 1000, config: { chainId: 1337, ...config } } })
}

async function refusalOf(config: Readonly<Record<string, unknown>>): Promise<string> {
  const refusal: unknown = await startWith(config).then(
    () => 'it was taken',
    (error: unknown) => error,
  )
  expect(refusal).toMatchObject({ kind: 'invalidOption', code: -32602 })
  return (refusal as Error).message
}

describe('a fork', () => {
  test.each([1004, '1004', '0x3ec', 1004n])('may be given as %s', async (osakaTime) => {
    const chain = await startWith({ ...merged, osakaTime })
    expect(await chain.request('eth_config')).toMatchObject({ next: { activationTime: 1004 } })
    await chain.advance(4000)
    expect(await chain.request('eth_config')).toMatchObject({ current: { activationTime: 1004 }, next: null })
  })

  test.each([-1, 1.5, '-1', '1.5', 'soon', '', true, {}, [], Number.NaN, 2n ** 64n])(
    'may not be given as %s',
    async (osakaTime) => {
      expect(await refusalOf({ ...merged, osakaTime })).toMatch(
        /^invalid option genesis\.config\.osakaTime: expected a whole number from 0 to /,
      )
    },
  )

  test.each([null, undefined])('that is %s is not set', async (osakaTime) => {
    const chain = await startWith({ ...merged, osakaTime })
    expect(await chain.request('eth_config')).toMatchObject({ next: null })
  })

  test.each(['amsterdamTime', 'verkleTime', 'bpo6Time', 'osakatime', 'ewasmBlock', 'regolithTime'])(
    'that is not known is refused: %s',
    async (name) => {
      expect(await refusalOf({ ...merged, [name]: 0 })).toMatch(
        new RegExp(`^invalid option genesis\\.config\\.${name}: expected a fork that is supported, one of `),
      )
      await startWith({ ...merged, [name]: null })
    },
  )

  test('by number is active in its block, and what is said about the next block follows it', async () => {
    const chain = await startWith({ ...blocks, londonBlock: 2 })
    // EIP-1559: there is no base fee before london.
    await expect(chain.setNextBlockBaseFee(7n)).rejects.toMatchObject({ kind: 'needsBaseFee' })
    await chain.seal()
    await chain.setNextBlockBaseFee(7n)
    await chain.seal()
    const fees = [1, 2].map(async (number) => {
      const block = await chain.request('eth_getBlockByNumber', [`0x${number}`, false])
      return block?.baseFeePerGas
    })
    expect(await Promise.all(fees)).toEqual([undefined, '0x7'])
  })

  test('of Verkle trees is refused', async () => {
    expect(await refusalOf({ ...merged, enableVerkleAtGenesis: true })).toContain('enableVerkleAtGenesis')
  })

  test('fields that geth does not know are ignored', async () => {
    const unknown = { ethash: {}, terminalTotalDifficultyPassed: true, nickname: 'devnet' }
    const genesisOf = async (config: Readonly<Record<string, unknown>>) =>
      (await (await startWith(config)).request('eth_getBlockByNumber', ['earliest', false]))?.hash
    expect(await genesisOf({ ...merged, ...unknown })).toBe(await genesisOf(merged))
  })
})

describe('the order of forks', () => {
  test.each<[what: string, config: Readonly<Record<string, unknown>>, message: string]>([
    [
      'london before berlin',
      { ...blocks, berlinBlock: 5, londonBlock: 4 },
      'londonBlock: expected at least 5, which is berlinBlock, got 4',
    ],
    [
      'cancun after prague',
      { ...merged, cancunTime: 2000, pragueTime: 1500 },
      'pragueTime: expected at least 2000, which is cancunTime, got 1500',
    ],
    [
      'a fork is left out',
      { ...blocks, istanbulBlock: undefined },
      'berlinBlock: expected istanbulBlock to be set before it, got 0',
    ],
    [
      'times without london',
      { ...merged, londonBlock: undefined },
      'shanghaiTime: expected londonBlock to be set before it, got 0',
    ],
    [
      'the halves of spurious dragon apart',
      { homesteadBlock: 0, eip150Block: 0, eip155Block: 0, eip158Block: 1 },
      'eip158Block: expected 0, which is eip155Block, got 1',
    ],
  ])('%s is refused', async (_, config, message) => {
    expect(await refusalOf(config)).toBe(`invalid option genesis.config.${message}`)
  })

  test('bombs and blob parameters may be left out, and times may be below block numbers', async () => {
    const bombs = { muirGlacierBlock: undefined, arrowGlacierBlock: 7_000 }
    const early = await startWith({ ...blocks, ...bombs, shanghaiTime: 10 })
    expect(await early.request('eth_getBlockByNumber', ['latest', false])).toHaveProperty('withdrawals', [])
    const late = await startWith({ ...merged, osakaTime: 2000, bpo2Time: 3000 })
    expect(await late.request('eth_config')).toMatchObject({
      next: { activationTime: 2000 },
      last: { activationTime: 3000 },
    })
  })
})

describe('the fork of the DAO', () => {
  const later = Object.fromEntries(Object.keys(blocks).map((name) => [name, 10]))

  test('is refused if it would move balances (EIP-779)', async () => {
    const config = { ...later, homesteadBlock: 0, daoForkBlock: 5, daoForkSupport: true }
    expect(await refusalOf(config)).toBe(
      'invalid option genesis.config.daoForkSupport: expected false: the move of the DAO is not supported, got true',
    )
  })

  test('may be without support, or at genesis, where there is nothing to move', async () => {
    const without = await startWith({ ...later, homesteadBlock: 0, daoForkBlock: 5, daoForkSupport: false })
    const atGenesis = await startWith({ ...blocks, daoForkBlock: 0, daoForkSupport: true })
    for (const chain of [without, atGenesis]) expect(await chain.request('eth_blockNumber')).toBe('0x0')
  })

  test('has support that is true or false', async () => {
    expect(await refusalOf({ ...blocks, daoForkSupport: 1 })).toContain(
      'daoForkSupport: expected true or false',
    )
  })
})

describe('the blob schedule', () => {
  const right = { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 }

  test.each<[what: string, entry: unknown, message: string]>([
    ['a target that is no number', { ...right, target: 'x' }, 'cancun.target: expected a whole number'],
    [
      'a target above the most',
      { ...right, target: 7 },
      'cancun.target: expected a whole number from 0 to 6, got 7',
    ],
    [
      'no most',
      { ...right, max: undefined },
      'cancun.max: expected a whole number from 1 to 9007199254740991, got nothing',
    ],
    ['no blob at all', { ...right, max: 0 }, 'cancun.max: expected a whole number from 1'],
    ['a fraction of zero', { ...right, baseFeeUpdateFraction: 0 }, 'cancun.baseFeeUpdateFraction: expected'],
    ['half a target', { ...right, target: 1.5 }, 'cancun.target: expected a whole number'],
    ['an entry that is a number', 6, 'cancun: expected an object with target, max and baseFeeUpdateFraction'],
  ])('%s is refused', async (_, cancun, message) => {
    expect(await refusalOf({ ...merged, blobSchedule: { cancun } })).toContain(
      `invalid option genesis.config.blobSchedule.${message}`,
    )
  })

  test.each([5, 'cancun', [], true])('of %s is refused', async (blobSchedule) => {
    expect(await refusalOf({ ...merged, blobSchedule })).toContain(
      'genesis.config.blobSchedule: expected an object',
    )
  })

  test('may be null, and its entries too', async () => {
    await startWith({ ...merged, blobSchedule: null })
    const chain = await startWith({ ...merged, blobSchedule: { prague: { ...right, max: 8 }, osaka: null } })
    expect(await chain.request('eth_config')).toMatchObject({ current: { blobSchedule: { max: 8 } } })
  })
})

describe('the terminal total difficulty', () => {
  // JSON has that of mainnet as a number.
  test.each([0, '0x0', 58_750_000_000_000_000_000_000, '58750000000000000000000', null])(
    'may be %s',
    async (terminalTotalDifficulty) => {
      const chain = await startWith({ ...blocks, terminalTotalDifficulty })
      expect(await chain.request('eth_blockNumber')).toBe('0x0')
    },
  )

  test.each([-1, 1.5, 'x', {}, true])('may not be %s', async (terminalTotalDifficulty) => {
    expect(await refusalOf({ ...blocks, terminalTotalDifficulty })).toMatch(
      /^invalid option genesis\.config\.terminalTotalDifficulty: expected a whole number/,
    )
  })
})

test('the deposit contract is an address', async () => {
  expect(await refusalOf({ ...merged, depositContractAddress: '0x12' })).toContain('an address')
})
