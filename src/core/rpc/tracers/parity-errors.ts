// OpenEthereum's words for errors, as geth converts its own (eth/tracers/native/call_flat.go).

const WORDS: ReadonlyMap<string, string> = new Map([
  ['contract creation code storage out of gas', 'Out of gas'],
  ['out of gas', 'Out of gas'],
  ['gas uint64 overflow', 'Out of gas'],
  ['max code size exceeded', 'Out of gas'],
  ['invalid jump destination', 'Bad jump destination'],
  ['execution reverted', 'Reverted'],
  ['return data out of bounds', 'Out of bounds'],
  ['stack limit reached 1024 (1023)', 'Out of stack'],
  ['precompiled failed', 'Built-in failed'],
  ['invalid input length', 'Built-in failed'],
])

/** An error in OpenEthereum's words; one that geth does not convert stays as it is. */
export function parityError(error: string): string {
  // geth wraps an error as `out of gas: not enough gas for reentrancy sentry`.
  const known = WORDS.get(error) ?? WORDS.get(error.slice(0, Math.max(0, error.indexOf(': '))))
  if (known !== undefined) return known
  if (error.startsWith('invalid opcode:')) return 'Bad instruction'
  return error.startsWith('stack underflow') ? 'Stack underflow' : error
}
