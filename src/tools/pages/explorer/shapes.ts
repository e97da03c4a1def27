// Answers of JSON-RPC as values. A node may answer anything: what has another shape is an error that says so.

/** JSON, or what the value says of itself: an answer within a page need not be JSON. */
function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? `${value}`
  } catch {
    return Object.prototype.toString.call(value)
  }
}

/** Thrown for an answer that is not what it should be. */
export function wrongShape(method: string, expected: string, value: unknown): Error {
  const text = describe(value)
  return new Error(
    `${method} answered ${text.length > 80 ? `${text.slice(0, 80)}…` : text}, which is not ${expected}`,
  )
}

export type Fields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A hex quantity; `undefined` for null and for what is absent. */
export function quantityOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^0x[\da-f]+$/i.test(value) ? BigInt(value) : undefined
}

export function numberOf(value: unknown): number | undefined {
  const quantity = quantityOf(value)
  return quantity === undefined ? undefined : Number(quantity)
}

export function hexOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^0x[\da-f]*$/i.test(value) ? value.toLowerCase() : undefined
}

export interface TransactionShape {
  readonly hash: string
  readonly from: string
  /** `undefined` for a creation. */
  readonly to: string | undefined
  readonly value: bigint
  readonly nonce: number
  readonly gas: bigint
  readonly input: string
  readonly type: number
  /** `undefined` in the pool; in the flavor of some nodes also in `pending`. */
  readonly blockNumber: number | undefined
  readonly maxFeePerGas: bigint
}

export function transactionOf(method: string, value: unknown): TransactionShape {
  const fields = isFields(value) ? value : {}
  const hash = hexOf(fields['hash'])
  const from = hexOf(fields['from'])
  if (hash === undefined || from === undefined) throw wrongShape(method, 'a transaction', value)
  return {
    hash,
    from,
    to: hexOf(fields['to']),
    value: quantityOf(fields['value']) ?? 0n,
    nonce: numberOf(fields['nonce']) ?? 0,
    gas: quantityOf(fields['gas']) ?? 0n,
    input: hexOf(fields['input']) ?? '0x',
    type: numberOf(fields['type']) ?? 0,
    blockNumber: numberOf(fields['blockNumber']),
    maxFeePerGas: quantityOf(fields['maxFeePerGas']) ?? quantityOf(fields['gasPrice']) ?? 0n,
  }
}

export interface BlockShape {
  /** `undefined` for a pending block in the flavor of some nodes. */
  readonly number: number | undefined
  readonly hash: string | undefined
  readonly parentHash: string
  readonly timestamp: number
  /** Empty unless asked for. */
  readonly transactions: readonly TransactionShape[]
  readonly transactionCount: number
  readonly gasUsed: bigint
  readonly gasLimit: bigint
  readonly baseFee: bigint | undefined
  readonly stateRoot: string
  readonly miner: string
}

export function blockOf(value: unknown): BlockShape {
  const method = 'eth_getBlockByNumber'
  const fields = isFields(value) ? value : {}
  const { transactions } = fields
  const timestamp = numberOf(fields['timestamp'])
  if (timestamp === undefined || !Array.isArray(transactions)) throw wrongShape(method, 'a block', value)
  return {
    number: numberOf(fields['number']),
    hash: hexOf(fields['hash']),
    parentHash: hexOf(fields['parentHash']) ?? '0x',
    timestamp,
    transactions: transactions.filter(isFields).map((each) => transactionOf(method, each)),
    transactionCount: transactions.length,
    gasUsed: quantityOf(fields['gasUsed']) ?? 0n,
    gasLimit: quantityOf(fields['gasLimit']) ?? 0n,
    baseFee: quantityOf(fields['baseFeePerGas']),
    stateRoot: hexOf(fields['stateRoot']) ?? '0x',
    miner: hexOf(fields['miner']) ?? '0x',
  }
}

export interface LogShape {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

export interface ReceiptShape {
  readonly transactionHash: string
  readonly isSuccess: boolean
  readonly gasUsed: bigint
  readonly price: bigint
  readonly contractAddress: string | undefined
  readonly logs: readonly LogShape[]
}

function logOf(value: unknown): LogShape {
  const fields = isFields(value) ? value : {}
  const topics = Array.isArray(fields['topics']) ? fields['topics'] : []
  return {
    address: hexOf(fields['address']) ?? '0x',
    topics: topics.map((topic) => `${topic}`),
    data: hexOf(fields['data']) ?? '0x',
  }
}

export function receiptOf(method: string, value: unknown): ReceiptShape {
  const fields = isFields(value) ? value : {}
  const transactionHash = hexOf(fields['transactionHash'])
  if (transactionHash === undefined || !Array.isArray(fields['logs']))
    throw wrongShape(method, 'a receipt', value)
  return {
    transactionHash,
    isSuccess: fields['status'] !== '0x0',
    gasUsed: quantityOf(fields['gasUsed']) ?? 0n,
    price: quantityOf(fields['effectiveGasPrice']) ?? 0n,
    contractAddress: hexOf(fields['contractAddress']),
    logs: fields['logs'].map(logOf),
  }
}
