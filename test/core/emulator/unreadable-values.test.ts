// Values that throw when they are read: revoked proxies, and objects with getters that throw. Whoever reads them
// answers with a TickchainError, and nothing has changed.

import { createEmulator, type Emulator, TickchainError } from 'tickchain'
import { describe, expect, test } from 'vitest'
import { METHODS } from '../../../src/core/rpc/registry.ts'

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

function fail(): never {
  throw new RangeError('a getter of the test')
}

const throwing = new Proxy({}, { get: fail })
const withKeys = new Proxy({}, { get: fail, ownKeys: () => [], getPrototypeOf: () => Uint8Array.prototype })
const list: unknown[] = [1, 2]
Object.defineProperty(list, 0, { get: fail })

const values = [
  ['a revoked proxy', revoked({})],
  ['a revoked proxy of an array', revoked([])],
  ['a revoked proxy of a function', revoked(() => undefined)],
  ['an object whose getters throw', throwing],
  ['one that has the prototype of bytes', withKeys],
  ['a proxy of bytes', new Proxy(new Uint8Array(65), {})],
  ['an object that seems to be bytes', Object.create(Uint8Array.prototype)],
  ['an array with a getter that throws', list],
] as const

const account = `0x${'ab'.repeat(20)}`
const word = `0x${'cd'.repeat(32)}`
const chain = await createEmulator()
const names = Object.keys(chain).filter(
  (name) => !['dispose', 'fetch'].includes(name) && typeof chain[name as keyof Emulator] === 'function',
)

async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  return undefined
}

async function expectOwn(call: () => unknown, what?: string): Promise<void> {
  expect(await errorOf(call), what).toSatisfy(
    (error) => error === undefined || (error instanceof TickchainError && error.kind !== 'internal'),
  )
}

/** Calls every function of the emulator with each list of arguments. */
async function expectRefusedByFunctions(lists: readonly (readonly unknown[])[]): Promise<void> {
  for (const name of names) {
    const call = chain[name as keyof Emulator] as (...given: readonly unknown[]) => unknown
    for (const args of lists) await expectOwn(() => call(...args), name)
  }
}

/** Sends every method the value instead of its parameters, and instead of each of them. */
async function expectRefusedByMethods(value: unknown): Promise<void> {
  for (const [name, { params, example }] of Object.entries(METHODS)) {
    const lists = [...params.keys()].map((position) => {
      const given: unknown[] = [...example.params]
      given[position] = value
      return given
    })
    for (const given of [value, ...lists])
      await expectOwn(() => chain.clone().request(name, given as never), name)
  }
}

describe.each(values)('%s', (name, value) => {
  const isFirst = name === values[0][0]

  test('is refused by every function, or not looked at', { tags: 'gate' }, async () => {
    await expectRefusedByFunctions([
      [value],
      [account, value],
      [word, value],
      [1, value],
      ['0x', value],
      [value, value],
    ])
  })

  test('is refused by every method', { tags: isFirst ? [] : ['gate'] }, () => expectRefusedByMethods(value))

  test('is refused as a request, in a batch too', async () => {
    const error = { code: -32600 }
    if (typeof value !== 'function') expect(await chain.handle(value)).toBeDefined()
    expect(await chain.handle([value])).toMatchObject([{ id: null, error }])
    await expectOwn(() => chain.request(value as never))
  })

  test('is refused as options', async () => {
    await expectOwn(() => createEmulator(value as never))
    const names = [
      'genesis',
      'rollup',
      'accounts',
      'predeploys',
      'limits',
      'abis',
      'state',
      'seed',
      'hardfork',
    ]
    for (const name of names) await expectOwn(() => createEmulator({ [name]: value }))
    for (const name of ['stack', 'fork', 'eip1559', 'systemConfig', 'l1', 'maxSequencerDriftS']) {
      await expectOwn(() => createEmulator({ rollup: { stack: 'op', [name]: value } as never }))
    }
  })
})

const fieldsThatThrow: readonly (readonly [string, readonly unknown[]])[] = [
  ['reorg', [{ depth: 1, blocks: [throwing] }]],
  ['reorg', [Object.defineProperty({}, 'depth', { get: fail, enumerable: true })]],
  [
    'deal',
    [
      {
        to: account,
        get amount() {
          return fail()
        },
      },
    ],
  ],
  [
    'setAllowance',
    [
      {
        get token() {
          return fail()
        },
      },
    ],
  ],
  ['importAccount', [throwing, '']],
  ['setCode', [account, withKeys]],
  ['impersonateSignature', [throwing, account]],
  ['dropPreconfirmed', [[throwing]]],
]

test.each(fieldsThatThrow)('%s names the argument that cannot be read', async (name, args) => {
  const call = chain[name as keyof Emulator] as (...given: readonly unknown[]) => unknown
  expect(await errorOf(() => call(...args))).toMatchObject({ kind: 'invalidCall' })
})

test('what a getter throws is the cause, and in the message', async () => {
  const amount = {
    to: account,
    get amount() {
      return fail()
    },
  }
  expect(await errorOf(() => chain.deal(amount as never))).toMatchObject({
    kind: 'invalidCall',
    message: expect.stringContaining(
      'invalid call deal: options: cannot be read: RangeError: a getter of the test; for example: ',
    ),
    cause: { message: 'a getter of the test' },
  })
  await expect(chain.request('eth_call', [throwing as never])).rejects.toMatchObject({
    kind: 'invalidParameter',
    message: 'invalid argument 0: cannot be read: RangeError: a getter of the test',
  })
})

test('the request of a batch that can be read is answered', async () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'eth_chainId' }
  const fresh = await createEmulator()
  expect(await fresh.handle([throwing, request])).toMatchObject([{ id: null }, { id: 1, result: '0x7a69' }])
})

test('a request with faults is refused alike', async () => {
  const faulty = await createEmulator()
  await faulty.fault({ method: 'eth_call', delayMs: 1, params: () => true })
  await expect(faulty.request('eth_call', revoked([]) as never)).rejects.toMatchObject({ code: -32602 })
})

describe('an array of 2^32 - 1 holes', () => {
  const holes = new Array(2 ** 32 - 1)

  test('is refused by every function at once', () =>
    expectRefusedByFunctions([[holes], [account, holes], [{ depth: 1, blocks: holes }], [[word, holes]]]))

  test('is refused by every method at once', () => expectRefusedByMethods(holes))

  test('is refused in options at once', async () => {
    for (const name of ['accounts', 'predeploys', 'abis']) {
      await expect(createEmulator({ [name]: holes }), name).rejects.toMatchObject({ kind: 'invalidOption' })
    }
  })
})
