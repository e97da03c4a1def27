// Rendering of docs/rpc.md and docs/errors.md from the library's tables. Pure, except for the chains that answer the
// examples; a test compares its output with the files.

/**
 * @typedef {{ name: string, codec: { name: string }, isRequired: boolean, fallback: unknown }} Parameter
 * @typedef {{
 *   kind: 'read' | 'command',
 *   summary: string,
 *   params: readonly Parameter[],
 *   result: string,
 *   example: { params: readonly unknown[], error?: string },
 * }} Method
 * @typedef {Readonly<Record<string, Method>>} Methods
 * @typedef {{
 *   request: (request: { method: string, params: readonly unknown[] }) => Promise<unknown>,
 *   advance: (ms: number) => Promise<void>,
 * }} Chain
 * @typedef {() => Promise<Chain>} StartChain
 * @typedef {{ kind?: string, code?: number, message: string }} Refusal
 * @typedef {{ transaction: unknown, receipt: unknown, block: unknown }} Shapes
 * @typedef {Readonly<Record<string, { code: number, message: (detail: never) => string }>>} ErrorTable
 */

export const PREFACE = '<!-- Written by `npm run docs`. Do not edit. -->'

/** Longer hex in an answer is abbreviated. */
const LONGEST_HEX = 140
const LONGEST_LINE = 100

/**
 * Runs an example on a fresh chain. It must give its declared error or, without one, succeed.
 * @param {string} name
 * @param {Method} method
 * @param {StartChain} startChain
 */
export async function answerExample(name, { example }, startChain) {
  const chain = await startChain()
  const answered = await chain.request({ method: name, params: example.params }).then(
    (result) => ({ result, kind: undefined }),
    (/** @type {Refusal} */ { kind = 'an error without a kind', code, message }) => ({
      result: { error: { code, message } },
      kind,
    }),
  )
  if (answered.kind !== example.error) {
    const [expected, actual] = [example.error ?? 'a result', answered.kind ?? 'a result']
    throw new Error(`the example of ${name} is answered with ${actual}, and says ${expected}`)
  }
  return answered.result
}

/**
 * @param {Methods} methods
 * @param {StartChain} startChain
 * @returns {Promise<Map<string, unknown>>}
 */
export async function answerExamples(methods, startChain) {
  const answers = new Map()
  for (const [name, method] of Object.entries(methods)) {
    answers.set(name, await answerExample(name, method, startChain))
  }
  return answers
}

/** Stores 42, logs it under topic 1 and returns no code: the smallest transaction with something to show. */
const LOGGING_INIT_CODE = '0x602a600052600160206000a100'

/**
 * A transaction, its receipt with a log and its block, sealed.
 * @param {StartChain} startChain
 * @returns {Promise<Shapes>}
 */
export async function sampleShapes(startChain) {
  const chain = await startChain()
  const [from] = /** @type {string[]} */ (await chain.request({ method: 'eth_accounts', params: [] }))
  const sent = { method: 'eth_sendTransaction', params: [{ from, data: LOGGING_INIT_CODE }] }
  const hash = await chain.request(sent)
  await chain.advance(2000)
  return {
    transaction: await chain.request({ method: 'eth_getTransactionByHash', params: [hash] }),
    receipt: await chain.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
    block: await chain.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
  }
}

/** @param {unknown} value */
function json(value) {
  const flat = JSON.stringify(value)
  return flat.length <= LONGEST_LINE ? flat : JSON.stringify(value, null, 2)
}

/** @param {unknown} answer */
function cutLongHex(answer) {
  const text = json(answer)
  return text.replace(/0x[0-9a-f]+/g, (hex) =>
    hex.length > LONGEST_HEX ? `${hex.slice(0, 34)}…${hex.slice(-8)}` : hex,
  )
}

/** @param {string} text */
function fence(text) {
  return `\`\`\`json\n${text}\n\`\`\``
}

/** @param {string} text */
export function cell(text) {
  return text.replaceAll('|', '\\|')
}

/** @param {Parameter} parameter */
function presence({ isRequired, fallback }) {
  if (isRequired) return 'required'
  if (fallback === undefined) return 'optional'
  return `optional, \`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``
}

/** @param {readonly Parameter[]} params */
function renderParams(params) {
  if (params.length === 0) return 'No parameters.'
  const rows = params.map(
    (parameter, index) =>
      `| ${index} | ${parameter.name} | ${cell(parameter.codec.name)} | ${cell(presence(parameter))} |`,
  )
  return ['| position | name | type | presence |', '|---|---|---|---|', ...rows].join('\n')
}

/**
 * @param {string} name
 * @param {Method} method
 * @param {unknown} answer
 */
function renderMethod(name, method, answer) {
  const effect =
    method.kind === 'read' ? 'A read: it changes nothing.' : 'A command: it may change the chain.'
  return [
    `### ${name}`,
    `${method.summary} ${effect}`,
    renderParams(method.params),
    `Result: ${method.result}.`,
    fence(json({ method: name, params: method.example.params })),
    fence(cutLongHex(answer)),
  ].join('\n\n')
}

const NAMESPACES = /** @type {Readonly<Record<string, string>>} */ ({
  eth: 'the chain',
  net: 'the network',
  web3: 'the client',
  personal: 'accounts',
  evm: 'time, blocks and snapshots',
  wallet: 'a wallet',
  txpool: 'what waits',
  debug: 'bytes',
  testing: 'tests of clients',
  rpc: 'the interface',
})

/** @param {string} name */
function namespaceOf(name) {
  return name.slice(0, name.indexOf('_'))
}

/** @param {string} namespace */
function headingOf(namespace) {
  const topic = NAMESPACES[namespace]
  return topic === undefined ? `${namespace}_` : `${namespace}_ (${topic})`
}

/**
 * @param {readonly string[]} names
 * @param {Methods} methods
 */
function renderOverview(names, methods) {
  const rows = names.map(
    (name) => `| [\`${name}\`](#${name.toLowerCase()}) | ${cell(methods[name]?.summary ?? '')} |`,
  )
  return ['| method | |', '|---|---|', ...rows].join('\n')
}

/** @param {Shapes} shapes */
function renderShapes({ transaction, receipt, block }) {
  return [
    '## Shapes',
    'What the longer results look like: a contract creation that emits one log, then its receipt and its block, ' +
      'read two seconds later, after the seal. Which fields come with which fork or transaction type is in ' +
      '[compliance.md](compliance.md).',
    '### Transaction',
    fence(cutLongHex(transaction)),
    '### Receipt, with a log',
    fence(cutLongHex(receipt)),
    '### Block',
    fence(cutLongHex(block)),
  ].join('\n\n')
}

const RPC_INTRODUCTION = `# JSON-RPC methods

${PREFACE}

What \`chain.request({ method, params })\` answers. Each entry is taken from the method's own definition in
\`src/core/rpc/methods\`, and each answer is the one that a fresh \`createEmulator()\` gave when this page was written;
a test asks again. Hex longer than 70 bytes is cut and marked with \`…\`.

Parameters are positional. An optional one may be absent or \`null\`, and the table shows what it stands for then;
a parameter too many is refused. Refusals are in [errors.md](errors.md). A read works on the state that it finds
when its turn comes; a command may replace it ([ARCHITECTURE.md](ARCHITECTURE.md#state-commands-reads)).

- A **quantity** is a hex number without leading zeros in answers; in requests leading zeros and JSON numbers are
  taken too. **Data**, a **hash** (32 bytes) and an **address** (20 bytes) are hex with two digits a byte, lower
  case in answers, any case in requests.
- A **block** is a number, one of \`latest\`, \`pending\`, \`safe\`, \`finalized\` and \`earliest\`, or, where the table says
  so, an object with \`blockHash\` or \`blockNumber\` (EIP-1898). \`pending\` is the block being built, with what is
  pre-confirmed so far.
- A **transaction object** has \`from\`, \`to\`, \`gas\`, \`gasPrice\` or \`maxFeePerGas\` and \`maxPriorityFeePerGas\`, \`value\`,
  \`nonce\`, \`input\` (or \`data\`), \`chainId\`, \`type\`, \`accessList\` and \`authorizationList\`, all optional.
- A **filter** has \`fromBlock\` and \`toBlock\`, or \`blockHash\`; \`address\`, one or several; and \`topics\`, up to four
  positions, each \`null\`, a hash, or several.`

/**
 * docs/rpc.md.
 * @param {Methods} methods
 * @param {ReadonlyMap<string, unknown>} answers
 * @param {Shapes} shapes
 */
export function renderRpcDocs(methods, answers, shapes) {
  // Sorted, because the order of a module's names depends on the loader.
  const names = Object.keys(methods).sort()
  const namespaces = [...new Set(names.map(namespaceOf))]
  const sections = namespaces.flatMap((namespace) => [
    `## ${headingOf(namespace)}`,
    ...names
      .filter((name) => namespaceOf(name) === namespace)
      .map((name) => renderMethod(name, /** @type {Method} */ (methods[name]), answers.get(name))),
  ])
  return `${[RPC_INTRODUCTION, renderOverview(names, methods), ...sections, renderShapes(shapes)].join('\n\n')}\n`
}

/**
 * A placeholder for an error's detail: `{name}` as text, a number in arithmetic.
 * @param {string} name
 * @param {bigint | number} number
 */
function placeholder(name, number) {
  return new Proxy(
    {},
    {
      get: (_, key) =>
        key === Symbol.toPrimitive
          ? (/** @type {string} */ hint) => (hint === 'string' ? `{${name}}` : number)
          : () => `{${name}}`,
    },
  )
}

/**
 * An error's message for details that are all multiples of `unit`.
 * @param {(detail: never) => string} message
 * @param {bigint} unit
 * @param {(number: bigint) => bigint | number} convert
 */
function wordsAbout(message, unit, convert) {
  let count = 0n
  const details = new Proxy(
    {},
    {
      get(_, name) {
        count++
        return placeholder(String(name), convert(count * count * unit))
      },
    },
  )
  // Some messages consist of a single detail.
  return `${message(/** @type {never} */ (details))}`
}

const ETHER = 10n ** 18n

/**
 * An error's message with `{name}` for its details, and `{…}` for values computed from them: the parts that differ
 * between two cases.
 * @param {(detail: never) => string} message
 */
export function messagePattern(message) {
  const parts = (/** @type {bigint} */ unit) => {
    try {
      return wordsAbout(message, unit, (number) => number).split(/(-?[\d.]*\d)/)
    } catch {
      // Its arithmetic is on JavaScript numbers, not bigints.
      return wordsAbout(message, unit, Number).split(/(-?[\d.]*\d)/)
    }
  }
  const other = parts(3n * ETHER)
  return parts(ETHER)
    .map((part, index) => (part === other[index] ? part : '{…}'))
    .join('')
}

const ERRORS_INTRODUCTION = `# Errors

${PREFACE}

Whatever goes wrong because of a request, an option or a call rejects with a \`TickchainError\`. Its \`kind\` is stable
and made to be tested against; \`code\` is the JSON-RPC code; \`message\` is in the words of the interface
specification where it has some, and of geth where it has none, so that viem and ethers recognise it. A revert
also has \`data\`, the bytes that were returned. \`internal\` is a bug in the library: please
report it; its \`cause\` is what was thrown.

\`{name}\` stands for a detail of the case, \`{…}\` for something computed from details.`

/**
 * docs/errors.md.
 * @param {ErrorTable} table
 */
export function renderErrorDocs(table) {
  const rows = Object.entries(table).map(
    ([kind, { code, message }]) => `| \`${kind}\` | ${code} | ${cell(messagePattern(message))} |`,
  )
  return `${ERRORS_INTRODUCTION}\n\n${['| kind | code | message |', '|---|---|---|', ...rows].join('\n')}\n`
}
