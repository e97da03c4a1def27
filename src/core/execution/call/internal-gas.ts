// Messages inside a call that run out of gas. Code may go on after one as if nothing had happened.

import type { EVMResult } from '@ethereumjs/evm'
import type { EvmInstance } from '../evm/pooled-evm.ts'
import { haltReason } from '../result/halt-reason.ts'

const SHORTAGES: ReadonlySet<string> = new Set(['out of gas', 'contract creation code storage out of gas'])

/** Runs a call and tells whether a message inside it, at any depth, ran out of gas. */
export async function watchInternalGas<Result>(
  { evm }: EvmInstance,
  run: () => Promise<Result>,
  tell: (isShort: boolean) => void,
): Promise<Result> {
  let depth = 0
  let isShort = false
  const begin = (): void => {
    depth++
  }
  const end = ({ execResult: { exceptionError } }: EVMResult): void => {
    depth--
    if (depth > 0 && exceptionError !== undefined) isShort ||= SHORTAGES.has(haltReason(exceptionError))
  }
  evm.events.on('beforeMessage', begin)
  evm.events.on('afterMessage', end)
  try {
    return await run()
  } finally {
    evm.events.off('beforeMessage', begin)
    evm.events.off('afterMessage', end)
    tell(isShort)
  }
}
