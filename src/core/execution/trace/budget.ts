// The bytes that the traces of one request may hold.

export interface TraceBudget {
  readonly mostBytes: number
  /** Takes bytes, if so many are left; once they are not, it takes none any more. */
  readonly take: (bytes: number) => boolean
  readonly isExceeded: () => boolean
}

export function createBudget(mostBytes: number): TraceBudget {
  let left = mostBytes
  return {
    mostBytes,
    take(bytes) {
      left = left < 0 ? left : left - bytes
      return left >= 0
    },
    isExceeded: () => left < 0,
  }
}
