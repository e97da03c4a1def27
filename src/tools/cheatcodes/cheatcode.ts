// The form of a cheatcode: a row of the tables beside this file.

import type { CheatExecution } from './execution.ts'

/**
 * Runs with the decoded arguments. Resolves to the value that the signature returns, to a list if it returns several.
 */
export type Cheatcode = (run: CheatExecution, ...args: never[]) => unknown

/**
 * By signature, with what it returns: `addr(uint256) returns (address)`. A type with a question mark may be left out, and its
 * argument is `undefined` then; types with bars between them are a choice: `mockCall(address,uint256?,bytes|bytes4,bytes)`,
 * and so are names.
 */
export type Cheatcodes = Readonly<Record<string, Cheatcode>>

/** `Wallet` of forge-std. */
export const WALLET = '(address,uint256,uint256,uint256)'
