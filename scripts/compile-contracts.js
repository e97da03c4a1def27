// Compiles test/contracts/*.sol into test/contracts/generated.ts: `npm run contracts`.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import solc from 'solc'

const folder = new URL('../test/contracts/', import.meta.url)

export const generatedFile = new URL('generated.ts', folder)

/** @typedef {{ abi: object[], evm: { bytecode: { object: string }, deployedBytecode: { object: string } } }} Contract */

/** The text of generated.ts. Without metadata, so that it is reproducible from the sources and solc. */
export async function compileContracts() {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sol')).sort()
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
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(generatedFile, await compileContracts())
}
