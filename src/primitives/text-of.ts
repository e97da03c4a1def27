/** Any value as text for a message; its type if String() fails, as for an object without a prototype. */
export function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}
