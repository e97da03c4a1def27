// Compiles test/contracts/*.sol into test/contracts/generated.ts, and some for the playground: `npm run contracts`.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const folder = new URL('../test/contracts/', import.meta.url)

export const generatedFile = new URL('generated.ts', folder)

const examples = new URL('../site/examples/', import.meta.url)

/** What the playground's examples deploy. */
const EXAMPLE_SOURCES = ['Counter.sol', 'Token.sol']
/** The tests that one of them runs. */
const EXAMPLE_TESTS = ['Counter.t.sol']

/** @typedef {{ abi: object[], evm: { bytecode: { object: string }, deployedBytecode: { object: string } } }} Contract */

/**
 * The compiler's input and output. Without metadata, so that it is reproducible from the sources and solc.
 *
 * @param {readonly string[]} files @param {Record<string, string[]>} outputs of contracts (`*`) and of files (``)
 * @param {object} optimizer
 */
async function compile(files, outputs, optimizer) {
  const sources = Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [file, { content: await readFile(new URL(file, folder), 'utf8') }]),
    ),
  )
  const input = {
    language: 'Solidity',
    sources,
    settings: {
      evmVersion: 'cancun',
      optimizer,
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': outputs },
    },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input)))
  const errors = (output.errors ?? []).filter(
    (/** @type {{ severity: string }} */ e) => e.severity === 'error',
  )
  if (errors.length > 0) {
    throw new Error(
      errors.map((/** @type {{ formattedMessage: string }} */ e) => e.formattedMessage).join('\n'),
    )
  }
  return { input, output }
}

/** The text of generated.ts. */
export async function compileContracts() {
  const files = (await readdir(folder)).filter((file) => /^\w+\.sol$/.test(file)).sort()
  const outputs = { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] }
  const { output } = await compile(files, outputs, { enabled: true, runs: 200 })
  /** @type {[string, Contract][]} */
  const all = files.flatMap((file) => Object.entries(output.contracts[file]))
  // Interfaces have no code.
  const contracts = all.filter(([, { evm }]) => evm.bytecode.object !== '')
  return [
    '// Written by scripts/compile-contracts.js from the contracts beside it. Do not edit.\n',
    ...contracts.map(([name, contract]) => formatContract(name, contract)),
  ].join('\n')
}

/** @type {(name: string, contract: Contract) => string} */
function formatContract(name, { abi, evm }) {
  return `export const ${name} = {
  abi: [
${abi.map((item) => `    ${JSON.stringify(item)},\n`).join('')}  ] as const,
  bytecode: '0x${evm.bytecode.object}' as \`0x\${string}\`,
  deployedBytecode: '0x${evm.deployedBytecode.object}' as \`0x\${string}\`,
}
`
}

/** A comment with a source, without its licence. @param {string} text */
function commented(text) {
  const [, source = text] = text.split(/^\/\/ SPDX.*\n/)
  return source.trimEnd().replace(/^/gm, '// ').replace(/ +$/gm, '')
}

/** Modules of the playground: contracts as its examples deploy them, and what `chain.addContracts` takes. */
export async function compileExamples() {
  const outputs = {
    '*': ['abi', ...['bytecode', 'deployedBytecode'].flatMap(linesOf), 'evm.methodIdentifiers'],
    '': ['ast'],
  }
  // The optimizer would join similar ends of functions, and a stack trace would name one of them.
  const { input, output } = await compile([...EXAMPLE_SOURCES, ...EXAMPLE_TESTS], outputs, {
    enabled: false,
  })
  const head = '// Written by scripts/compile-contracts.js from test/contracts. Do not edit.\n'
  const contracts = EXAMPLE_SOURCES.flatMap((file) => [
    `${commented(input.sources[file].content)}\n`,
    ...Object.entries(output.contracts[file]).map(([name, contract]) => formatExample(name, contract)),
  ])
  return {
    'contracts.js': [head, ...contracts].join('\n'),
    'compilation.js': `${head}
/** Standard JSON of solc: the sources of contracts.js and their tests, and what they compile to. */
export const compilation = JSON.parse(${quote(JSON.stringify({ input, output }))})
`,
  }
}

/** The outputs by which a stack trace has lines. @param {string} code */
function linesOf(code) {
  const parts = ['object', 'sourceMap', 'linkReferences']
  if (code === 'deployedBytecode') parts.push('immutableReferences')
  return parts.map((part) => `evm.${code}.${part}`)
}

/** A literal. @param {string} text */
function quote(text) {
  return `'${text.replace(/['\\]/g, (character) => `\\${character}`)}'`
}

/** @type {(name: string, contract: Contract) => string} */
function formatExample(name, { abi, evm }) {
  return `export const ${name} = {
  abi: /** @type {const} */ ([
${abi.map((item) => `    ${JSON.stringify(item)},\n`).join('')}  ]),
  bytecode: /** @type {\`0x\${string}\`} */ ('0x${evm.bytecode.object}'),
}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compileContracts())
  for (const [file, text] of Object.entries(await compileExamples())) {
    await writeFile(new URL(file, examples), text)
  }
}
