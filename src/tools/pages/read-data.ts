// Data that is in a page for its script.

/** The data of an element in a section, which is compressed if it is large; `undefined` if there is none. */
export async function readData<Data extends object>(section: Element, name: string) {
  const text = section.querySelector(`.${name}`)?.textContent
  if (!text) return undefined
  const data: Data | { readonly packed: string } = JSON.parse(text)
  if (!('packed' in data)) return data
  const bytes = Uint8Array.from(atob(data.packed), (character) => character.charCodeAt(0))
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(unpacked).json()
}
