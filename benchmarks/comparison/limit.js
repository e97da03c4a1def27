// @ts-check
// The limit of a work: the time that its hashes and signatures take in WebAssembly, which no faster chain could save.

import { performance } from 'node:perf_hooks'
import { loadCrypto, loadedCrypto } from '../../dist/core/primitives/crypto-module.js'
import { createEmulator } from '../../dist/index.js'

let spentMs = 0

/** Milliseconds in the module so far. */
export function spentOnCrypto() {
  return spentMs
}

/** Times the functions of the module, which is shared by all chains of the process. */
async function timeCrypto() {
  await loadCrypto()
  const module = /** @type {Record<string, any>} */ (/** @type {unknown} */ (loadedCrypto()))
  for (const [name, run] of Object.entries(module)) {
    if (typeof run !== 'function') continue
    module[name] = (/** @type {readonly number[]} */ ...values) => {
      const startMs = performance.now()
      const result = run(...values)
      spentMs += performance.now() - startMs
      return result
    }
  }
}

/** @param {import('../../dist/index.js').EmulatorOptions} [options] */
export async function createTimedEmulator(options) {
  await timeCrypto()
  return createEmulator(options)
}
