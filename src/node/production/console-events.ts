// What contracts said with console.log, as an event of the block that their transactions are in.

import type { ExecutedTransaction } from '../../execution/transaction/receipt.ts'
import type { NodeEvent } from '../events.ts'

/** That transactions of a block called console.log, if any did. */
export function consoleLogsOf(executed: readonly ExecutedTransaction[], blockNumber: number): NodeEvent[] {
  const logging = executed.filter(({ consoleCalls }) => consoleCalls.length > 0)
  return logging.length === 0 ? [] : [{ type: 'consoleLogged', executed: logging, blockNumber }]
}
