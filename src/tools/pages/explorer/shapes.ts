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
  const shown = text.length > 80 ? `${text.slice(0, 80)}…` : text
  return new Error(`${method} answered ${shown}, which is not ${expected}`)
}

export type ShapeFields = Readonly<Record<string, unknown>>

export function isFields(value: unknown): value is ShapeFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; none of anything else. */
export const fieldsIn = (value: unknown): ShapeFields => (isFields(value) ? value : {})

export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

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

export const amountOf = (value: unknown): bigint => quantityOf(value) ?? 0n
export const hexBytesOf = (value: unknown): string => hexOf(value) ?? '0x'
const countOf = (value: unknown): number => numberOf(value) ?? 0
const topicsOf = (value: unknown): readonly string[] => listIn(value).map(String)

/** Reads fields, each by the function of its name. */
export function read<Table extends Readonly<Record<string, (value: unknown) => unknown>>>(
  fields: ShapeFields,
  table: Table,
): { readonly [Name in keyof Table]: ReturnType<Table[Name]> } {
  return Object.fromEntries(Object.entries(table).map(([name, of]) => [name, of(fields[name])])) as never
}

export type TransactionShape = ReturnType<typeof transactionOf>

export function transactionOf(method: string, value: unknown) {
  const fields = fieldsIn(value)
  const [hash, from] = [hexOf(fields['hash']), hexOf(fields['from'])]
  if (hash === undefined || from === undefined) throw wrongShape(method, 'a transaction', value)
  // `to` is `undefined` for a creation; `blockNumber` in the pool, and in the flavor of some nodes also in `pending`.
  const table = {
    to: hexOf,
    value: amountOf,
    nonce: countOf,
    gas: amountOf,
    input: hexBytesOf,
    type: countOf,
  }
  const maxFeePerGas = quantityOf(fields['maxFeePerGas']) ?? amountOf(fields['gasPrice'])
  return { hash, from, ...read(fields, { ...table, blockNumber: numberOf }), maxFeePerGas }
}

export type BlockShape = ReturnType<typeof readBlock>

export function readBlock(value: unknown) {
  const method = 'eth_getBlockByNumber'
  const fields = fieldsIn(value)
  const { transactions } = fields
  const timestamp = numberOf(fields['timestamp'])
  if (timestamp === undefined || !Array.isArray(transactions)) throw wrongShape(method, 'a block', value)
  return {
    ...read(fields, {
      /** `undefined` for a pending block in the flavor of some nodes. */
      number: numberOf,
      hash: hexOf,
      parentHash: hexBytesOf,
      gasUsed: amountOf,
      gasLimit: amountOf,
      stateRoot: hexBytesOf,
      miner: hexBytesOf,
    }),
    timestamp,
    timeMs: numberOf(fields['timestampMs']) ?? timestamp * 1000,
    /** Whether a second has several blocks, which have no partial blocks. */
    hasSlots: fields['timestampMs'] !== undefined,
    /** Empty unless asked for. */
    transactions: transactions.filter(isFields).map((each) => transactionOf(method, each)),
    transactionCount: transactions.length,
    baseFee: quantityOf(fields['baseFeePerGas']),
  }
}

export const LOG = { address: hexBytesOf, topics: topicsOf, data: hexBytesOf }

export type ReceiptShape = ReturnType<typeof receiptOf>

export function receiptOf(method: string, value: unknown) {
  const fields = fieldsIn(value)
  const transactionHash = hexOf(fields['transactionHash'])
  if (transactionHash === undefined || !Array.isArray(fields['logs']))
    throw wrongShape(method, 'a receipt', value)
  return {
    transactionHash,
    isSuccess: fields['status'] !== '0x0',
    ...read(fields, { gasUsed: amountOf, contractAddress: hexOf }),
    price: amountOf(fields['effectiveGasPrice']),
    logs: fields['logs'].map((log) => read(fieldsIn(log), LOG)),
  }
}
