// Decoded values as JSON.

/** Integers are in decimal, to distinguish them from bytes; what is absent is null. */
export function formatDecoded(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (value === undefined) return null
  if (Array.isArray(value)) return value.map(formatDecoded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, formatDecoded(member)]))
}
