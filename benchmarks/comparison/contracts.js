// @ts-check
// Contracts of the comparison, compiled on use for paris, which every emulator supports.

import { readFileSync } from 'node:fs'
import solc from 'solc'

/** @typedef {`0x${string}`} Hex */

const SOURCES = {
  Token: new URL('../../test/contracts/Token.sol', import.meta.url),
  Work: new URL('Work.sol', import.meta.url),
}

/** Creation code by contract. @returns {Record<keyof typeof SOURCES, Hex>} */
export function compileWork() {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(
      Object.entries(SOURCES).map(([name, file]) => [name, { content: readFileSync(file, 'utf8') }]),
    ),
    settings: {
      evmVersion: 'paris',
      optimizer: { enabled: true, runs: 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['evm.bytecode.object'] } },
    },
  }
  const { contracts = {}, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)))
  const fatal = errors.filter((/** @type {{ severity: string }} */ { severity }) => severity === 'error')
  if (fatal.length > 0) throw new Error(JSON.stringify(fatal, null, 2))
  const codeOf = (/** @type {string} */ name) =>
    /** @type {Hex} */ (`0x${contracts[name][name].evm.bytecode.object}`)
  return { Token: codeOf('Token'), Work: codeOf('Work') }
}
