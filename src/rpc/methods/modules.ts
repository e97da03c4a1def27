// Which groups of methods there are. The registry, which knows, hands in their names.

import { defineRead } from '../method.ts'

/** The version that geth gives every module. */
const MODULE_VERSION = '1.0'
const OWN_MODULE = 'base'

/** Makes `rpc_modules` of the names of the other methods. */
export function defineModules(names: readonly string[]) {
  const prefixes = [...names, 'rpc_modules'].map((name) => name.slice(0, name.indexOf('_')))
  return defineRead({
    summary: 'The groups of methods that the node offers, with their versions.',
    params: [],
    result: 'object from prefix to version',
    example: { params: [] },
    handle({ options }): Record<string, string> {
      const shown = prefixes.map((prefix) => (prefix === OWN_MODULE ? options.chainPrefix : prefix))
      return Object.fromEntries([...new Set(shown)].sort().map((prefix) => [prefix, MODULE_VERSION]))
    },
  })
}
