// @ts-check
// solc of npm with the arguments of the native compiler that forge uses.
import { readFileSync } from 'node:fs'
import solc from 'solc'

if (process.argv.includes('--version')) {
  // forge knows the names of native builds only.
  console.log(
    `solc, the solidity compiler\nVersion: ${solc.version().replace('.Emscripten.clang', '.Linux.g++')}`,
  )
} else process.stdout.write(solc.compile(readFileSync(0, 'utf8')))
