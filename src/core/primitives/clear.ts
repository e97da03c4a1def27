// Lists that are emptied often, and mostly are empty: engines take long to set a length.

export function clear(list: unknown[]): void {
  if (list.length > 0) list.length = 0
}
