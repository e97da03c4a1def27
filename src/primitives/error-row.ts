// What the table of errors has for each kind.

export interface ErrorRow<Detail> {
  /** The JSON-RPC code. */
  readonly code: number
  readonly message: (detail: Detail) => string
}

export function row<Detail = void>(code: number, message: (detail: Detail) => string): ErrorRow<Detail> {
  return { code, message }
}
