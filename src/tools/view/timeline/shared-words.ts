// Words of the timeline as text and as a picture. What prints the text needs nothing else of the view.

/** The first digits of a hash or an address. */
export function shortHash(hash: string): string {
  return hash.slice(0, 10)
}

/** A time such as `2.2 s`: tenths of a second, unless it needs milliseconds. */
export function secondsText(ms: number): string {
  const seconds = ms / 1000
  return `${seconds.toFixed(Number.isInteger(seconds * 10) ? 1 : 3)} s`
}

/** Why transactions are no longer in a block. */
export const REASONS = {
  reorganised: 'its block was replaced',
  preconfirmationDropped: 'its pre-confirmation was dropped',
  reverted: 'the chain went back',
}
