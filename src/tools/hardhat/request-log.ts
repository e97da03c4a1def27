// The lines that a network with `loggingEnabled` prints: each request, what a transaction did, and why one failed.

import type { Emulator } from '../../core/emulator/api.ts'

const SENDING: ReadonlySet<string> = new Set(['eth_sendTransaction', 'eth_sendRawTransaction'])

export interface RequestLog {
  /** Told of each request after it is answered, with its result or its error. */
  readonly note: (
    method: string,
    outcome: { readonly result: unknown } | { readonly error: unknown },
  ) => Promise<void>
}

/** Ether as a decimal number, such as `0.5`. */
function formatEther(wei: bigint): string {
  const digits = wei.toString().padStart(19, '0')
  const fraction = digits.slice(-18).replace(/0+$/, '')
  return `${digits.slice(0, -18)}${fraction === '' ? '' : `.${fraction}`}`
}

function aligned(rows: readonly (readonly [label: string, value: string])[]): string[] {
  const width = Math.max(...rows.map(([label]) => label.length)) + 2
  return rows.map(([label, value]) => `  ${`${label}:`.padEnd(width)}${value}`)
}

async function transactionLines(chain: Emulator, hash: string): Promise<string[]> {
  const [sent, receipt] = await Promise.all([
    chain.request('eth_getTransactionByHash', [hash as `0x${string}`]),
    chain.request('eth_getTransactionReceipt', [hash as `0x${string}`]),
  ])
  if (sent === null) return []
  const rows: (readonly [string, string])[] = [
    ['Transaction', hash],
    ['From', sent.from],
  ]
  if (sent.to !== null && sent.to !== undefined) rows.push(['To', sent.to])
  rows.push(['Value', `${formatEther(BigInt(sent.value))} ETH`])
  if (receipt === null) return aligned(rows)
  const { blockNumber, blockHash, contractAddress, gasUsed } = receipt
  if (contractAddress) rows.push(['Contract address', contractAddress])
  rows.push(['Gas used', `${BigInt(gasUsed)} of ${BigInt(sent.gas)}`])
  // Null in a block without identity.
  if (blockNumber !== null && blockHash !== null) rows.push([`Block #${BigInt(blockNumber)}`, blockHash])
  return aligned(rows)
}

/** A log of the requests to a chain, off at first unless it is enabled. */
export function requestLog(
  chain: Emulator,
  print: (text: string) => void,
  enabled: boolean,
): RequestLog & {
  isEnabled: boolean
} {
  return {
    isEnabled: enabled,
    async note(method, outcome) {
      if (!this.isEnabled) return
      print(method)
      const isSent = 'result' in outcome && SENDING.has(method)
      const lines = isSent ? await transactionLines(chain, outcome.result as string) : []
      if ('error' in outcome)
        lines.push(`  ${outcome.error instanceof Error ? outcome.error.message : outcome.error}`)
      for (const line of lines) print(line)
      if (lines.length > 0) print('')
    },
  }
}
