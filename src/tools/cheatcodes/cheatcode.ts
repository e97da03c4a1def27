// The form of a cheatcode: a row of the tables beside this file.

import type { CheatExecution } from './execution.ts'

/**
 * Runs with the decoded arguments. Resolves to the value that the signature returns, to a list if it returns several.
 */
export type Cheatcode = (run: CheatExecution, ...args: never[]) => unknown

/** By signature, with what it returns: `addr(uint256) returns (address)`. */
export type Cheatcodes = Readonly<Record<string, Cheatcode>>

/** `Wallet` of forge-std. */
export const WALLET = '(address,uint256,uint256,uint256)'

/**
 * The rows of a cheatcode that is overloaded: one for each choice of the types of its parameters. The type '' leaves a
 * parameter out; its argument is `undefined`.
 */
export function overloads(
  name: string,
  parameters: readonly (readonly string[])[],
  returns: string,
  run: Cheatcode,
): Cheatcodes {
  const choices = parameters.reduce<readonly (readonly string[])[]>(
    (lists, types) => lists.flatMap((list) => types.map((type) => [...list, type])),
    [[]],
  )
  return Object.fromEntries(
    choices.map((types): [string, Cheatcode] => [
      `${name}(${types.filter((type) => type !== '').join(',')})${returns}`,
      (execution, ...args) => {
        const given = args.values()
        return run(execution, ...types.map((type) => (type === '' ? undefined : given.next().value) as never))
      },
    ]),
  )
}
