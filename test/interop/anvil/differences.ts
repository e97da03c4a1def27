// What differs from anvil on purpose, and why. Each is applied to one of the two answers, which are then equal.

type Json = unknown
type Fields = Readonly<Record<string, Json>>

function isObject(value: Json): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value with each object in it replaced, the inner ones first. */
function mapObjects(value: Json, replace: (fields: Fields) => Json): Json {
  if (Array.isArray(value)) return value.map((each) => mapObjects(each, replace))
  if (!isObject(value)) return value
  const inner = Object.entries(value).map(([key, each]) => [key, mapObjects(each, replace)])
  return replace(Object.fromEntries(inner))
}

/** Block hashes and times: of each chain's own. */
export function withoutHashes(value: Json): Json {
  return mapObjects(value, ({ blockHash, ...fields }) => fields)
}

/** anvil prints names of its EVM where OpenEthereum has words. */
const WORDS: Readonly<Record<string, string>> = {
  StateChangeDuringStaticCall: 'Mutable Call In Static Context',
  CreateContractStartingWithEF: 'Invalid code',
  StackUnderflow: 'Stack underflow',
}

export function inWordsOfOpenEthereum(there: Json): Json {
  return mapObjects(there, (fields) => {
    const { error } = fields
    return typeof error === 'string' ? { ...fields, error: WORDS[error] ?? error } : fields
  })
}

/** anvil shows an account that a transfer makes as one that changed; OpenEthereum and Erigon show it as new. */
export function withNewAccountsChanged(here: Json): Json {
  return mapObjects(here, (fields) => {
    const { balance, code } = fields
    const isNew = isObject(balance) && '+' in balance && isObject(code) && code['+'] === '0x'
    if (!isNew) return fields
    return { ...fields, balance: { '*': { from: '0x0', to: balance['+'] } }, code: '=', nonce: '=' }
  })
}

const CREATIONS: ReadonlySet<Json> = new Set(['CREATE', 'CREATE2'])
const MESSAGES: ReadonlySet<Json> = new Set([...CREATIONS, 'CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL'])

/**
 * What both say of the operations: anvil has the gas before an operation in `used`, all of the memory before it in
 * `mem`, no `store`, no `push` of a message, no init code, and effects of operations that failed, at the gas that was
 * left. OpenEthereum has the gas after it, what it wrote, and null for one that failed.
 */
export function comparableOperations(value: Json, failed: 'hasEffects' | 'isNull'): Json {
  const visit = (trace: Json): Json => {
    if (!isObject(trace)) return null
    const ops = trace['ops'] as readonly Fields[]
    return ops.map(({ pc, op, cost, ex, sub }, index) => {
      const isLast = index === ops.length - 1
      const hasFailed = failed === 'isNull' ? ex === null : isLast && !ENDS.has(op)
      const push = hasFailed || MESSAGES.has(op) ? undefined : (ex as Fields)['push']
      const inner = visit(sub)
      return { pc, op, cost: hasFailed ? undefined : cost, push, sub: isEmpty(inner) ? null : inner }
    })
  }
  return visit(value)
}

/** Operations that end a frame without a failure. */
const ENDS: ReadonlySet<Json> = new Set(['STOP', 'RETURN', 'REVERT', 'SELFDESTRUCT'])

/** A frame without operations is null in anvil, and empty in Erigon. */
function isEmpty(ops: Json): boolean {
  return Array.isArray(ops) && ops.length === 0
}

/** Otterscan's entries: anvil leaves out creations and self-destructs, and gives value zero to calls without one. */
export function entriesOfAnvil(here: Json): Json {
  return (here as readonly Fields[])
    .filter(({ type }) => !CREATIONS.has(type) && type !== 'SELFDESTRUCT')
    .map((entry) => ({ ...entry, value: entry['value'] ?? '0x0' }))
}

/** Operations inside a transaction: anvil counts the transaction itself, too. */
export function innerOperations(there: Json, sender: string): Json {
  return (there as readonly Fields[]).filter(({ from }) => from !== sender)
}
