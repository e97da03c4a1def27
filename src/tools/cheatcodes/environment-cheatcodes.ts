// Cheatcodes of environment variables, and of networks by name. A setting gives them; a test changes them for itself alone.

import type { AbiValue } from '../../core/primitives/abi.ts'
import type { Cheatcode, Cheatcodes } from './cheatcode.ts'
import { CheatcodeRefusal, refuseWith } from './errors.ts'
import type { CheatExecution } from './execution.ts'
import { networkOf } from './networks.ts'
import { parseValue, TYPES } from './values.ts'

function find({ cheats }: CheatExecution, name: string): string | undefined {
  return cheats.variables.get(name) ?? cheats.setting.variables[name]
}

function variable(run: CheatExecution, name: string): string {
  return find(run, name) ?? refuseWith(`environment variable ${JSON.stringify(name)} not found`)
}

/** A text with the variables that it names: `${NAME}`. */
function withVariables(run: CheatExecution, text: string, prefix = ''): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = find(run, name)
    return value ?? refuseWith(`${prefix}environment variable \`${name}\` not found`)
  })
}

function setVariable(run: CheatExecution, name: string, value: string): void {
  if (name === '') refuseWith("environment variable key can't be empty")
  if (name.includes('=')) refuseWith("environment variable key can't contain equal sign `=`")
  const { variables } = run.cheats
  for (const [part, text] of Object.entries({ key: name, value })) {
    if (!text.includes('\0')) continue
    refuseWith(`environment variable ${part} can't contain NUL character \`\\0\``)
  }
  run.change({ variables: new Map(variables).set(name, value) })
}

function one(run: CheatExecution, type: string, name: string): AbiValue {
  return parseValue(variable(run, name), type, `$${name}`)
}

function many(run: CheatExecution, type: string, name: string, by: string): readonly AbiValue[] {
  const value = variable(run, name)
  const texts = value.split(by)
  if (by === '' || texts[0]?.trim() === '') return []
  // Forge puts the variable's name in place of its whole value.
  return texts.map((each) => {
    const text = each.trim()
    return parseValue(text, type, text === value ? `$${name}` : undefined)
  })
}

/** The value that is given where the variable has none of the type. */
function orElse(read: () => AbiValue, value: AbiValue): AbiValue {
  try {
    return read()
  } catch (error) {
    if (error instanceof CheatcodeRefusal) return value
    throw error
  }
}

function readersOf([name, type]: readonly [string, string]): [string, Cheatcode][] {
  return [
    [`env${name}(string) returns (${type})`, (run, key: string) => one(run, type, key)],
    [
      `env${name}(string,string) returns (${type}[])`,
      (run, key: string, by: string) => many(run, type, key, by),
    ],
    [
      `envOr(string,${type}) returns (${type})`,
      (run, key: string, value: AbiValue) => orElse(() => one(run, type, key), value),
    ],
    [
      `envOr(string,string,${type}[]) returns (${type}[])`,
      (run, key: string, by: string, value: AbiValue) => orElse(() => many(run, type, key, by), value),
    ],
  ]
}

export const ENVIRONMENT_CHEATCODES: Cheatcodes = {
  ...Object.fromEntries(Object.entries(TYPES).flatMap(readersOf)),
  'setEnv(string,string)': setVariable,
  'envExists(string) returns (bool)': (run, name: string) => find(run, name) !== undefined,
  'resolveEnv(string) returns (string)': (run, text: string) =>
    withVariables(run, text, 'failed to resolve env var: '),
}

export function urlOf(run: CheatExecution, alias: string): string {
  const url = run.cheats.setting.endpoints[alias]
  if (url !== undefined) return withVariables(run, url)
  if (/^(https?|wss?):\/\/./.test(alias)) return alias
  refuseWith(`invalid rpc url: ${alias}`)
}

function urls(run: CheatExecution): readonly (readonly [string, string])[] {
  return Object.keys(run.cheats.setting.endpoints)
    .sort()
    .map((alias) => [alias, urlOf(run, alias)])
}

function chain(run: CheatExecution, given: string | bigint) {
  const { id, name } = networkOf(`${given}`) ?? refuseWith(`invalid chain alias: ${given}`)
  const isKnown = run.cheats.setting.endpoints[name] !== undefined
  return isKnown ? [name, id, name, urlOf(run, name)] : [name, id, `${given}`, '']
}

export const ENDPOINT_CHEATCODES: Cheatcodes = {
  'rpcUrl(string) returns (string)': urlOf,
  'rpcUrls() returns (string[2][])': urls,
  'rpcUrlStructs() returns ((string,string)[])': urls,
  'getChain(string|uint256) returns ((string,uint256,string,string))': chain,
}
