// Writes docs/rpc.md, docs/errors.md and docs/cheatcodes.md from the built library, and docs/api.md from its doc comments: npm run docs.

import { writeFile } from 'node:fs/promises'
import { ERROR_TABLE } from '../dist/core/primitives/errors.js'
import { METHODS } from '../dist/core/rpc/registry.js'
import { createEmulator } from '../dist/index.js'
import { cheatcodeSignatures, REFUSALS } from '../dist/tools/cheatcodes/table.js'
import { readApi } from './read-api.js'
import { ENTRIES, renderApiDocs } from './render-api.js'
import { renderCheatcodes } from './render-cheatcodes.js'
import { answerExamples, renderErrorDocs, renderRpcDocs, sampleShapes } from './render-docs.js'

const folder = new URL('../docs/', import.meta.url)
const answers = await answerExamples(METHODS, createEmulator)
const shapes = await sampleShapes(createEmulator)
await writeFile(new URL('rpc.md', folder), renderRpcDocs(METHODS, answers, shapes))
await writeFile(new URL('errors.md', folder), renderErrorDocs(ERROR_TABLE))
await writeFile(new URL('cheatcodes.md', folder), renderCheatcodes(cheatcodeSignatures(), REFUSALS))
await writeFile(new URL('api.md', folder), renderApiDocs(readApi(new URL('../', import.meta.url), ENTRIES)))
