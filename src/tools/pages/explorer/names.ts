// Names of accounts, asked for together.

import { isFields } from './shapes.ts'

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>

interface Name {
  /** Given by a test, or that of an own account. */
  readonly name: string | undefined
  /** The name of the contract whose code it has. */
  readonly contract: string | undefined
}

export interface Names {
  /** Rejects if the chain has no names. */
  readonly of: (address: string) => Promise<Name>
}

const METHOD = 'tickchain_describeAccounts'
const NAMELESS: Name = { name: undefined, contract: undefined }

function nameIn(answer: unknown, index: number): Name {
  const fields: unknown = Array.isArray(answer) ? answer[index] : undefined
  if (!isFields(fields)) return NAMELESS
  const { name, contract } = fields
  return {
    name: typeof name === 'string' ? name : undefined,
    contract: typeof contract === 'string' ? contract : undefined,
  }
}

export function createNames(ask: Ask): Names {
  let gathered: string[] = []
  let answer: Promise<unknown> | undefined
  const askTogether = async (): Promise<unknown> => {
    // All who ask in the same task.
    await Promise.resolve()
    const addresses = gathered
    gathered = []
    answer = undefined
    return ask(METHOD, [addresses])
  }
  return {
    async of(address) {
      const index = gathered.push(address) - 1
      answer ??= askTogether()
      return nameIn(await answer, index)
    },
  }
}
