// Suggestion of the name that was meant by a misspelt one.

/** Insertions, deletions and changes of a character that make one text another (Levenshtein). */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}

/** Longer names are not typing errors of a known one. */
const MOST_CHARACTERS = 40

/** The nearest of some names: one that begins alike, or differs in `most` characters, a third of them by default. */
export function nearestName(
  given: string,
  names: readonly string[],
  most = Math.floor(given.length / 3),
): string | undefined {
  if (given.length > MOST_CHARACTERS) return undefined
  const asked = given.toLowerCase()
  let nearest: string | undefined
  let least = most + 1
  for (const name of names) {
    if (Math.abs(name.length - asked.length) >= least) continue
    const distance = editDistance(asked, name.toLowerCase())
    if (distance < least) [nearest, least] = [name, distance]
  }
  const longer = names.filter((name) => asked.length >= 4 && name.toLowerCase().startsWith(asked))
  return nearest ?? (longer.length === 1 ? longer[0] : undefined)
}
