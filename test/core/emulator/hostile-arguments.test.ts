// Invalid arguments to every function of an emulator: each is refused with a TickchainError, or has no effect.

import { base, createEmulator, type Emulator, TickchainError } from 'tickchain'
import { expect, test } from 'vitest'
import { unwritableNumbers } from '../rpc/hostile-values.ts'

const bare = Object.create(null)
const values = [
  ['an object without a prototype', bare],
  ['an array of one', [bare]],
  ['one in an array in an array', [[bare]]],
  ['a symbol', Symbol('none')],
  ['a function without a prototype', Object.setPrototypeOf(() => undefined, null)],
  ['an object that is full of them', new Proxy({}, { get: () => bare, ownKeys: () => [] })],
  ...unwritableNumbers.map(({ name, value }) => [name, value] as const),
  ['-0', -0],
  ['a fraction', 1.5],
  ['a bigint of 2^53 in text', '9007199254740992'],
] as const

const chain = await createEmulator()
// `fetch` rejects with a TypeError, as the platform's does.
const others = ['dispose', 'fetch']
const names = Object.keys(chain).filter(
  (name) => !others.includes(name) && typeof chain[name as keyof Emulator] === 'function',
)

/** What a call throws, at once or later. */
async function errorOf(name: string, args: readonly unknown[]): Promise<unknown> {
  try {
    await (chain[name as keyof Emulator] as (...given: readonly unknown[]) => unknown)(...args)
  } catch (error) {
    return error
  }
  return undefined
}

test.each(values)('%s is refused by every function, or valid', { tags: 'gate' }, async (_, value) => {
  for (const name of names) {
    for (const args of [[value], ['0x01', value], [value, value, value]]) {
      expect(await errorOf(name, args), name).toSatisfy(
        (error) => error === undefined || error instanceof TickchainError,
      )
    }
  }
})

const account = `0x${'ab'.repeat(20)}`
const word = `0x${'cd'.repeat(32)}`

/** Every argument that is a number, by the call that has it: counts and times, and amounts, which may be bigints. */
const counts: Readonly<Record<string, (n: unknown) => readonly [name: string, args: readonly unknown[]]>> = {
  advance: (n) => ['advance', [n]],
  jump: (n) => ['jump', [n]],
  'depth of reorg': (n) => ['reorg', [{ depth: n }]],
  'depth of rollback': (n) => ['rollback', [n]],
  'marks of importBlocks': (n) => ['importBlocks', ['0x', { safe: n }]],
  increaseTime: (n) => ['increaseTime', [{ seconds: n }]],
  setTime: (n) => ['setTime', [n]],
  setNextBlockTimestamp: (n) => ['setNextBlockTimestamp', [n]],
  setBlockTimestampInterval: (n) => ['setBlockTimestampInterval', [{ seconds: n }]],
  mine: (n) => ['mine', [n]],
  'timestamp of mine': (n) => ['mine', [1, { timestamp: n }]],
  'interval of mine': (n) => ['mine', [1, { intervalSeconds: n }]],
  mineDetailed: (n) => ['mineDetailed', [n]],
  setIntervalMining: (n) => ['setIntervalMining', [{ ms: n }]],
  setChainId: (n) => ['setChainId', [n]],
  setPoolLimit: (n) => ['setPoolLimit', [n]],
  'delay of a transaction': (n) => ['delayTransaction', [word, { partials: n }]],
  'delay of a fault': (n) => ['fault', [{ method: '*', delayMs: n }]],
  'stale fault': (n) => ['fault', [{ method: '*', blocksBehind: n }]],
  'probability of a fault': (n) => ['fault', [{ method: '*', lost: 'answer', probability: n }]],
  'period of a fault': (n) => ['fault', [{ method: '*', lost: 'answer', every: n }]],
  'times of a fault': (n) => ['fault', [{ method: '*', lost: 'answer', times: n }]],
  'code of a fault': (n) => ['fault', [{ method: '*', error: { code: n, message: '' } }]],
  'seconds of unlockAccount': (n) => ['unlockAccount', [account, '', { seconds: n }]],
}
const amounts: typeof counts = {
  setBalance: (n) => ['setBalance', [account, n]],
  addBalance: (n) => ['addBalance', [account, n]],
  setNonce: (n) => ['setNonce', [account, n]],
  'slot of setStorageAt': (n) => ['setStorageAt', [account, n, 1]],
  'value of setStorageAt': (n) => ['setStorageAt', [account, 1, n]],
  deal: (n) => ['deal', [{ to: account, amount: n }]],
  setAllowance: (n) => ['setAllowance', [{ token: account, owner: account, spender: account, amount: n }]],
  setBlockGasLimit: (n) => ['setBlockGasLimit', [n]],
  setNextBlockBaseFee: (n) => ['setNextBlockBaseFee', [n]],
  setMinimumTip: (n) => ['setMinimumTip', [n]],
  setMinGasPrice: (n) => ['setMinGasPrice', [n]],
}
/** In no range of a number, however wide. */
const outOfRange = [
  ...unwritableNumbers.filter(({ value }) => typeof value !== 'bigint' || value < 0n || value >= 2n ** 256n),
  { name: '-1.5', value: -1.5 },
  { name: '2^53', value: 2 ** 53 },
]
const smallBigInts = unwritableNumbers.filter(({ value }) => value === 0n || value === 1n)

test.each([
  ...Object.entries(counts).map((it) => [...it, [...outOfRange, ...smallBigInts]] as const),
  ...Object.entries(amounts).map((it) => [...it, outOfRange] as const),
])('%s refuses a number out of its range', { tags: 'gate' }, async (_, callWith, numbers) => {
  for (const { name: what, value } of numbers) {
    const [name, args] = callWith(value)
    expect(await errorOf(name, args), what).toMatchObject({ kind: 'invalidCall' })
  }
})

test('so do the options', async () => {
  const options = (n: unknown): readonly object[] => [
    ...['chainId', 'blockTimeMs', 'partialBlockTimeMs', 'safeLag', 'finalizedLag', 'stateHistory'].map(
      (name) => ({ [name]: n }),
    ),
    { seed: n },
    { defaultTransactionGasLimit: n },
    { accounts: { count: n } },
    { accounts: { balance: n } },
    ...['timestamp', 'gasLimit', 'baseFeePerGas', 'difficulty', 'nonce'].map((name) => ({
      genesis: { [name]: n },
    })),
    { genesis: { alloc: { [account]: { balance: n } } } },
    ...['stepsPerCall', 'poolTransactions', 'minimumTip', 'transactionFee', 'syncTimeoutMs'].map((name) => ({
      limits: { [name]: n },
    })),
  ]
  for (const { name, value } of outOfRange) {
    for (const given of options(value)) {
      const what = `${name}: ${Object.keys(given)[0]}`
      await expect(createEmulator(given), what).rejects.toMatchObject({ kind: 'invalidOption' })
    }
  }
})

test.each(['advance', 'jump'])('%s names the value that it got instead of milliseconds', async (name) => {
  const refused = (given: string) => ({
    kind: 'invalidCall',
    message: expect.stringMatching(new RegExp(`whole number of milliseconds, not negative.*${given}`)),
  })
  expect(await errorOf(name, [bare])).toMatchObject(refused('object'))
  expect(await errorOf(name, [-1])).toMatchObject(refused('-1'))
  expect(await errorOf(name, [Symbol('x')])).toMatchObject(refused('Symbol'))
})

test('invalid results and errors of callbacks are refused, too', async () => {
  const chain = await createEmulator()
  await chain.request('eth_sendTransaction', [
    { from: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', to: `0x${'11'.repeat(20)}` },
  ])
  await chain.setScheduler(() => [bare])
  await expect(chain.advance(200)).rejects.toMatchObject({ kind: 'invalidSchedule' })
  await chain.setScheduler(() => {
    throw bare
  })
  await expect(chain.advance(200)).rejects.toMatchObject({ kind: 'callbackFailed' })
})

test.each<[name: string, args: readonly unknown[], words: string]>([
  ['reorg', [{ depth: 1, repol: false }], 'options.repol: unknown field, did you mean repool?'],
  ['rollback', [1, { repol: false }], 'options.repol: unknown field, did you mean repool?'],
  ['mine', [1, { timeStamp: 1 }], 'options.timeStamp: unknown field, did you mean timestamp?'],
  ['deal', [{ to: account, amount: 1, tokn: word }], 'options.tokn: unknown field, did you mean token?'],
  ['setAllowance', [{ tken: account }], 'options.tken: unknown field, did you mean token?'],
  ['increaseTime', [{ second: 1 }], 'duration.second: unknown field, did you mean seconds?'],
  ['setIntervalMining', [{ milliseconds: 1 }], 'period.milliseconds: unknown field, did you mean ms?'],
  ['delayTransaction', [word, { block: 1 }], 'delay.block: unknown field, did you mean blocks?'],
  ['dropPreconfirmed', [word, { repol: true }], 'options.repol: unknown field, did you mean repool?'],
  ['unlockAccount', [account, '', { sconds: 1 }], 'options.sconds: unknown field, did you mean seconds?'],
])('%s refuses a misspelt field', async (name, args, words) => {
  expect(await errorOf(name, args)).toMatchObject({
    kind: 'invalidCall',
    message: expect.stringContaining(words),
  })
})

test.each([
  ['blok', 'sealedBlock'],
  ['block', 'sealedBlock'],
  ['pending', 'pendingTransaction'],
  ['sealedblock', 'sealedBlock'],
])('on refuses %j, and names %s', async (event, right) => {
  const message = expect.stringContaining(`expected an event, such as ${right}, got "${event}"`)
  expect(await errorOf('on', [event, () => {}])).toMatchObject({ kind: 'invalidCall', message })
})

test('options that are a promise are refused', async () => {
  await expect(createEmulator(Promise.resolve({ chainId: 5 }) as never)).rejects.toThrow(
    'invalid option options: expected an object, got a promise, without await',
  )
  await expect(createEmulator({ fork: 'https://node.example' as never })).rejects.toThrow(
    'option fork: expected an object such as { upstream: httpUpstream(url) }, got "https://node.example"',
  )
})

test('trace without a target says what it takes', async () => {
  expect(await errorOf('trace', [])).toMatchObject({
    kind: 'invalidCall',
    message: expect.stringContaining('expected the hash of a transaction, a call, or an error, got nothing'),
  })
})

test('options of Base beside those of a fork are refused with the way to have both', async () => {
  const options = { ...base(), fork: { upstream: await createEmulator() } }
  await expect(createEmulator(options)).rejects.toThrow(
    'option genesis: expected no genesis beside fork (base({ fork }) leaves its own out), got an object',
  )
  await createEmulator(base({ fork: options.fork }))
})

test('an argument that is a promise says so', async () => {
  const message = expect.stringContaining('got a promise, without await')
  expect(await errorOf('setBalance', [Promise.resolve(account), 1n])).toMatchObject({ message })
})

test('a message shows an address or a hash whole, a text as a text, and cuts with an ellipsis', async () => {
  const shown = async (name: string, args: readonly unknown[]) =>
    ((await errorOf(name, args)) as Error).message
  expect(await shown('advance', ['200'])).toMatch(/, got "200";/)
  expect(await shown('jump', [200n])).toMatch(/, got 200n;/)
  expect(await shown('setNonce', [account, word])).toMatch(`got "${word}"`)
  expect(await shown('setAutomine', [account])).toMatch(`got "${account}"`)
  expect(await shown('setAutomine', [`${word}00`])).toMatch(`got "${word.slice(0, 65)}…"`)
})
