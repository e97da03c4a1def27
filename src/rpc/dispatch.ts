// From a method name and raw parameters to an answer.

import { failure, TickchainError } from '../primitives/errors.ts'
import { describe } from './codecs/codec.ts'
import type { Method } from './method.ts'
import { findMethod } from './registry.ts'
import { readContext, type Session } from './session.ts'

function decodeParams({ params }: Method, given: unknown): unknown[] {
  const values = given ?? []
  if (!Array.isArray(values)) {
    throw failure('invalidParameter', { path: 'params', reason: `expected an array, got ${describe(given)}` })
  }
  if (values.length > params.length) throw failure('tooManyParameters', { most: params.length })
  return params.map(({ name, codec, isRequired, fallback }, index) => {
    const value = values[index]
    if (value !== undefined && value !== null) return codec.decode(value, `${index}`)
    if (isRequired) throw failure('missingParameter', { index, name })
    return fallback
  })
}

/** Answers one request; rejects with a TickchainError, whatever happens. */
export async function dispatch(session: Session, name: unknown, params: unknown): Promise<unknown> {
  if (typeof name !== 'string') throw failure('invalidRequest', { reason: 'method must be a string' })
  const method = findMethod(name)
  if (method === undefined) throw failure('methodNotFound', { method: name })
  const values = decodeParams(method, params)
  try {
    if (method.kind === 'command') return await method.handle(session, ...values)
    return await session.node.read((state) => method.handle(readContext(session, state), ...values))
  } catch (error) {
    if (error instanceof TickchainError) throw error
    throw Object.assign(failure('internal', { reason: (error as Error).message }), { cause: error })
  }
}
