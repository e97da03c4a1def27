// Edits of scenes that no link carries yet, kept by the browser.

const KEY = 'tickchain-playground'

/** The edited sources, by the part of the address that names the scene. */
function readEdits(): Record<string, string> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}')
    const entries = Object.entries<unknown>(Object(kept))
    return Object.fromEntries(
      entries.flatMap(([scene, text]) => (typeof text === 'string' ? [[scene, text]] : [])),
    )
  } catch {
    // A browser may keep nothing, and anybody may have written there.
    return {}
  }
}

/** Scenes whose edits are kept. */
const MOST = 30

/** Keeps an edit of a scene, or forgets it. */
export function keepEdit(scene: string, source: string | undefined): void {
  const { [scene]: _, ...others } = readEdits()
  const entries = Object.entries(others).slice(1 - MOST)
  const kept = source === undefined ? entries : [...entries, [scene, source]]
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // No place, or no permission: the edit lasts as long as the page.
  }
}

export function keptEdit(scene: string): string | undefined {
  return readEdits()[scene]
}
