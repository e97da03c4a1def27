/** Any value as a message shows it; by its type where it does not become a text, as an object without a prototype. */
export function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}
