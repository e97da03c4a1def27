// Invalid input to every codec and every method of the registry: refused with a table error that names the argument, or
// valid after all. The chain does not change. Each codec gets all hostile values once; each method gets those that its
// codecs accept, and enough others to show which codec stands at which position.

import { serialize } from 'node:v8'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { ERROR_TABLE } from '../../../src/core/primitives/errors.ts'
import type { Hash } from '../../../src/core/primitives/hex.ts'
import type { Codec } from '../../../src/core/rpc/codecs/codec.ts'
import type { Method } from '../../../src/core/rpc/method.ts'
import { METHODS } from '../../../src/core/rpc/registry.ts'
import { createEmulator, type Emulator, TickchainError } from '../../../src/index.ts'
import { sampled, scaled } from '../../size.ts'
import {
  type Hostile,
  hostileEntries,
  hostileValues,
  knownFields,
  legalFor,
  legalForField,
} from './hostile-values.ts'

const seed = 20261121
const [alice, bob] = [
  '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
] as const
const methods = Object.entries(METHODS) as unknown as readonly (readonly [string, Method])[]

/** Each method under the first of its names. */
const definitions = methods.filter(([, method], i) => methods.findIndex(([, it]) => it === method) === i)

let chain: Emulator
/** The visible state of a chain that got no bad input, now and later. */
let untouched: { readonly now: unknown; readonly later: unknown }
/** Hashes of a transaction that is sealed, one that is pre-confirmed and one that waits behind a gap. */
const hashes: Hash[] = []

beforeAll(async () => {
  // Small limits, so that valid values do not take long.
  chain = await createEmulator({ genesis: { gasLimit: 1_000_000 }, limits: { stepsPerCall: 60 } })
  const send = async (nonce: number): Promise<void> => {
    const request = { from: bob, to: alice, value: '0x1', nonce } as const
    hashes.push((await chain.request('eth_sendTransaction', [request])) as Hash)
  }
  await send(0)
  await chain.advance(2000)
  await send(1)
  await chain.advance(200)
  await send(9)
  untouched = { now: await look(chain), later: await lookLater(chain.clone()) }
})

/** The chain as a user sees it. */
async function look(seen: Emulator): Promise<unknown> {
  return {
    now: seen.now,
    number: await seen.request('eth_blockNumber'),
    latest: await seen.request('eth_getBlockByNumber', ['latest', true]),
    pending: await seen.request('eth_getBlockByNumber', ['pending', true]),
    nonces: await Promise.all(
      [alice, bob].map((it) => seen.request('eth_getTransactionCount', [it, 'pending'])),
    ),
    transactions: await Promise.all(hashes.map((it) => seen.request('eth_getTransactionByHash', [it]))),
  }
}

/** The eventual effects: state that only shows later, such as a requested timestamp. */
async function lookLater(seen: Emulator): Promise<unknown> {
  const id = await seen.request('evm_snapshot')
  const shifted = await seen.request('evm_increaseTime', [1])
  await seen.request('eth_sendTransaction', [{ from: alice, to: bob, value: '0x1' }])
  await seen.advance(4000)
  return { id, shifted, ...((await look(seen)) as object) }
}

async function expectUntouched(victim: Emulator): Promise<void> {
  expect(await look(victim)).toEqual(untouched.now)
  expect(await lookLater(victim)).toEqual(untouched.later)
}

const accepted = 'accepted'

/** A transaction whose wait timed out is nevertheless accepted. */
function outcomeOf(error: unknown): unknown {
  return error instanceof TickchainError && error.kind === 'confirmationTimeout' ? accepted : error
}

/** Requests, and lets time pass for a command that waits for it. */
async function attempt(asked: Emulator, name: string, { kind }: Method, params: unknown): Promise<unknown> {
  const answer = asked.request(name, params).then(() => accepted, outcomeOf)
  if (kind === 'read') return answer
  const turn = asked.request('eth_blockNumber').then(() => asked.request('eth_blockNumber'))
  const first = await Promise.race([answer, turn])
  if (first instanceof TickchainError || first === accepted) return first
  await asked.advance(6000)
  return answer
}

/** Checks a refusal; `position` is the argument at fault, if it is one alone. */
function checkRefusal(error: unknown, position?: number): void {
  if (!(error instanceof TickchainError)) throw error
  const { kind, code, message } = error
  expect(error).toBeInstanceOf(Error)
  expect(kind, message).not.toBe('internal')
  expect(code).toBe(ERROR_TABLE[kind].code)
  expect(message.length).toBeGreaterThan(5)
  expect(message.length).toBeLessThan(500)
  if (position === undefined) return
  if (kind === 'missingParameter') expect(message).toContain(`required argument ${position}: `)
  if (kind === 'invalidParameter')
    expect(message).toMatch(new RegExp(`^invalid argument ${position}(?:[:.[]| key: )`))
}

interface Case {
  readonly name: string
  readonly params: unknown
  readonly position?: number
  /** Whether the value is valid for the parameter's type; absent if that is not known here. */
  readonly isLegal?: boolean | undefined
}

/** Tries all cases on a clone, which must be unchanged in the end. */
async function tryAll(name: string, method: Method, cases: Iterable<Case>): Promise<void> {
  let victim = chain.clone()
  for (const each of cases) {
    const outcome = await attempt(victim, name, method, each.params)
    try {
      if (outcome === accepted) expect(each.isLegal, 'accepted, but not legal').not.toBe(false)
      else checkRefusal(outcome, each.position)
      if (each.isLegal && outcome !== accepted) {
        expect((outcome as TickchainError).kind).not.toBe('invalidParameter')
        expect((outcome as TickchainError).kind).not.toBe('missingParameter')
      }
    } catch (error) {
      throw new Error(`${name} with ${each.name}: ${(error as Error).message}`, { cause: error })
    }
    // A valid value may have changed the chain, so the next one gets another clone.
    if (outcome === accepted && method.kind === 'command') victim = chain.clone()
  }
  await expectUntouched(victim)
}

/** Valid parameters, except for one. */
function withParameter(params: readonly unknown[], position: number, value: unknown): unknown[] {
  const changed: unknown[] = Array.from(
    { length: Math.max(params.length, position + 1) },
    (_, i) => params[i],
  )
  changed[position] = value
  return changed
}

interface Given {
  readonly name: string
  readonly value: unknown
  /** Whether it is valid for the type; absent if that is not known here. */
  readonly isLegal?: boolean | undefined
}

function* valuesFor(codec: Codec<unknown>): Iterable<Given> {
  for (const { name, value } of hostileValues) {
    const isUnwritable = typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))
    const isLegal = isUnwritable ? false : legalFor[codec.name]?.(value)
    if (value !== null) yield { name, value, isLegal }
  }
}

const fewValues = hostileValues.filter((_, i) => i % 4 === 0 || i > hostileValues.length - 35)

/** A valid object, except for one field. */
function* objectsLike(sound: object, codec: Codec<unknown>, values: readonly Hostile[]): Iterable<Given> {
  const judges = legalForField[codec.name] ?? {}
  for (const field of new Set([...Object.keys(sound), ...knownFields])) {
    for (const { name, value } of values) {
      // A valid field does not make the object valid.
      const isIllegal = value !== null && judges[field]?.(value) === false
      const given = { name: `${field}: ${name}`, value: { ...sound, [field]: value } }
      yield isIllegal ? { ...given, isLegal: false } : given
    }
  }
  for (const { name, value } of hostileEntries) yield { name, value: { ...sound, ...(value as object) } }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value that a codec decodes, or the error with which it refuses. */
function decode(codec: Codec<unknown>, value: unknown, position: number): { value: unknown } | Error {
  try {
    return { value: codec.decode(value, `${position}`) }
  } catch (error) {
    return error as Error
  }
}

/** The first value of each JSON type that a codec refuses. */
function refusedBy(codec: Codec<unknown>, position: number): { value: unknown; error: Error }[] {
  const refused = new Map<string, { value: unknown; error: Error }>()
  for (const { value } of valuesFor(codec)) {
    const type = Array.isArray(value) ? 'array' : typeof value
    const error = refused.has(type) ? undefined : decode(codec, value, position)
    if (error instanceof Error) refused.set(type, { value, error })
  }
  return [...refused.values()]
}

/**
 * Each parameter in turn is left out, or is a hostile value that its codec accepts: values that the codec refuses do
 * not reach the method, and of equal decoded values one suffices.
 */
function* takenCases({ params, example }: Method): Iterable<Case> {
  for (const [position, { name, codec, isRequired }] of params.entries()) {
    const caseOf = (given: Given): Case => ({
      name: `${name}: ${given.name}`,
      params: withParameter(example.params, position, given.value),
      // A later one may be missing and be named first.
      ...(position < example.params.length ? { position } : {}),
      isLegal: given.isLegal === true && example.error !== undefined ? undefined : given.isLegal,
    })
    yield caseOf({ name: 'null', value: null, isLegal: !isRequired })
    const seen = new Set<string>()
    const sound = example.params[position]
    for (const given of [
      ...valuesFor(codec),
      ...(isObject(sound) ? objectsLike(sound, codec, fewValues) : []),
    ]) {
      const decoded = decode(codec, given.value, position)
      if (decoded instanceof Error) continue
      const key = serialize([given.isLegal, decoded.value]).toString('latin1')
      if (!seen.has(key)) yield caseOf(given)
      seen.add(key)
    }
  }
}

/** Each codec of the registry, with the arguments that examples have in its place. */
function allCodecs(): Map<Codec<unknown>, unknown[]> {
  const codecs = new Map<Codec<unknown>, unknown[]>()
  for (const [, { params, example }] of definitions) {
    for (const [position, { codec }] of params.entries()) {
      codecs.set(codec, [...(codecs.get(codec) ?? []), example.params[position]])
    }
  }
  return codecs
}

describe('a codec refuses or accepts hostile values:', () => {
  test.each(sampled([...allCodecs()]).map((it) => [it[0].name, ...it] as const))(
    '%s',
    (_, codec, examples) => {
      const sound = new Map(examples.filter(isObject).map((it) => [JSON.stringify(it), it]))
      const objects = [...sound.values()].flatMap((it) => [...objectsLike(it, codec, hostileValues)])
      for (const { name, value, isLegal } of [...valuesFor(codec), ...objects]) {
        const decoded = decode(codec, value, 3)
        try {
          if (!(decoded instanceof Error)) expect(isLegal, 'accepted, but not legal').not.toBe(false)
          else {
            checkRefusal(decoded, 3)
            expect(isLegal, 'refused, but legal').not.toBe(true)
          }
        } catch (error) {
          throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
        }
      }
      expect(refusedBy(codec, 0).length).toBeGreaterThan(1)
    },
  )
})

/** Runs a check of each method in turn; a failure names the method. */
async function checkEach(
  chosen: readonly (readonly [name: string, method: Method])[],
  check: (name: string, method: Method) => Promise<void>,
): Promise<void> {
  for (const [name, method] of chosen) {
    try {
      await check(name, method)
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
    }
  }
}

describe('every method', () => {
  test('refuses parameters that are no array', { tags: 'gate' }, () =>
    checkEach(methods, async (name, method) => {
      // EIP-747 sends its one parameter bare, as an object.
      const objects =
        'isParameterBare' in method && method.isParameterBare === true ? [] : [{}, { 0: alice, length: 1 }]
      for (const value of [5, 'text', '0x1', true, ...objects]) {
        const outcome = await attempt(chain.clone(), name, method, value)
        checkRefusal(outcome)
        expect(outcome).toMatchObject({ code: -32602, message: expect.stringContaining('params') })
      }
    }),
  )

  test('refuses too many', { tags: 'gate' }, () =>
    checkEach(methods, async (name, method) => {
      const { params, example } = method
      const most = params.length
      const given = Array.from({ length: most }, (_, i) => example.params[i] ?? null)
      for (const values of [
        [...given, null],
        [...given, ...given, {}],
        Array.from({ length: 50_000 }, () => 0),
      ]) {
        expect(await attempt(chain.clone(), name, method, values)).toMatchObject({
          code: -32602,
          kind: 'tooManyParameters',
          message: `too many arguments, want at most ${most}`,
        })
      }
    }),
  )

  test('refuses too few, and names the first', { tags: 'gate' }, () =>
    checkEach(methods, async (name, method) => {
      const { params, example } = method
      const required = params.filter(({ isRequired }) => isRequired).length
      for (let count = 0; count < required; count++) {
        const given = example.params.slice(0, count)
        for (const values of [given, [...given, null], count === 0 ? undefined : given]) {
          expect(await attempt(chain.clone(), name, method, values)).toMatchObject({
            code: -32602,
            message: `missing value for required argument ${count}: ${params[count]?.name}`,
          })
        }
      }
    }),
  )

  const parametrized = sampled(definitions.filter(([, { params }]) => params.length > 0))

  test(
    'has the codec of each parameter at its position, and a refusal changes nothing',
    { tags: 'gate' },
    () =>
      checkEach(parametrized, async (name, method) => {
        const { params, example } = method
        const victim = chain.clone()
        for (const [position, { codec }] of params.entries()) {
          for (const { value, error } of refusedBy(codec, position)) {
            const { kind, code, message } = error as TickchainError
            const refused = await attempt(
              victim,
              name,
              method,
              withParameter(example.params, position, value),
            )
            expect(refused).toMatchObject({ kind, code, message })
            checkRefusal(refused, position)
          }
        }
        await expectUntouched(victim)
      }),
  )

  test(
    'refuses or accepts hostile values that its codecs accept, and nothing else has changed',
    { tags: 'gate' },
    () => checkEach(parametrized, (name, method) => tryAll(name, method, takenCases(method))),
  )

  test('refuses or accepts any JSON', { tags: 'gate' }, () =>
    checkEach(parametrized, async (name, method) => {
      const { params, example } = method
      const json = fc.jsonValue({ maxDepth: 3 })
      const object = fc.dictionary(fc.constantFrom(...knownFields, 'extra'), json, { maxKeys: 4 })
      const value = fc.oneof(json, object)
      const many = fc.array(value, { minLength: 0, maxLength: params.length })
      const one = fc
        .tuple(fc.nat(params.length - 1), value)
        .map(([position, given]) => withParameter(example.params, position, given))
      const given = fc.sample(fc.oneof(one, many), { seed, numRuns: scaled(60) })
      await tryAll(
        name,
        method,
        given.map((values): Case => ({ name: JSON.stringify(values).slice(0, 200), params: values })),
      )
    }),
  )
})

describe('an unknown method', () => {
  const names: readonly Hostile[] = [
    'eth_noSuchMethod',
    'eth_',
    'eth_Call',
    'ETH_CALL',
    'eth_call ',
    ' eth_call',
    'ethcall',
    '',
    'toString',
    'constructor',
    '__proto__',
    'hasOwnProperty',
    'base_toString',
    'base___proto__',
    'base_',
    'base_call',
    'other_transactionStatus',
    '💥',
    'x'.repeat(100),
  ].map((value) => ({ name: value, value }))

  test.each(names)('"$name"', async ({ value }) => {
    for (const params of [undefined, [], [1], {}]) {
      const error: unknown = await chain.request(value as string, params).catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(TickchainError)
      expect((error as TickchainError).code).toBe(-32601)
      // What ethers recognises.
      expect((error as TickchainError).message).toMatch(/the method .* does not exist/i)
    }
  })

  test('an invalid request', async () => {
    const request = chain.request as (first: unknown, second?: unknown) => Promise<unknown>
    for (const first of [undefined, null, 5, true, [], {}, { method: 5 }, { method: null }, { params: [] }]) {
      await expect(request(first)).rejects.toMatchObject({ code: -32600, kind: 'invalidRequest' })
    }
  })
})

test('every basic type of parameter is tested with its values', () => {
  const names = new Set(methods.flatMap(([, { params }]) => params.map(({ codec }) => codec.name)))
  for (const name of [
    'address',
    'hash',
    'data',
    'boolean',
    'integer',
    'block number or tag',
    'storage key',
  ]) {
    expect(names).toContain(name)
    expect(Object.keys(legalFor)).toContain(name)
  }
})

test('a refused parameter is an error like all others, whoever refuses it', async () => {
  const refused = [
    ['eth_getBalance', [5]],
    ['evm_mine', [{ blocks: -1 }]],
    ['eth_sendTransaction', [{ from: alice, gasPrice: '0x1', maxFeePerGas: '0x1' }]],
  ] as const
  for (const [name, params] of refused) {
    const error = await chain
      .clone()
      .request(name, params as never)
      .catch((thrown: unknown) => thrown)
    expect(Object.getPrototypeOf(error), name).toBe(TickchainError.prototype)
  }
})
