// The script of a timeline's page: zooms and moves the picture, and shows the life of a transaction.

import { element, type Markup } from '../view/html.ts'
import { countText } from '../view/numbers.ts'
import { PAGE_DATA_ID } from '../view/page.ts'
import { modelOf } from '../view/timeline/build-model.ts'
import { drawTimeline, type TransactionPlace } from '../view/timeline/draw.ts'
import type { TimelineRecord } from '../view/timeline/record.ts'
import { scaleOf } from '../view/timeline/scale.ts'
import { lifeOf, rowsIn } from '../view/timeline/summary.ts'
import { momentText, transactionText } from '../view/timeline/words.ts'

/** The record, which is compressed if it is large. */
async function readTimeline(): Promise<TimelineRecord> {
  const data: TimelineRecord | { readonly packed: string } = JSON.parse(find(PAGE_DATA_ID).textContent)
  if (!('packed' in data)) return data
  const bytes = Uint8Array.from(atob(data.packed), (character) => character.charCodeAt(0))
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return new Response(unpacked).json()
}

const record = await readTimeline()
const model = modelOf(record)
const scale = scaleOf(model)
const originMs = record.layers[0]?.start.atMs ?? 0
const layers = model.layers.map(({ layer }) => layer)

function find(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

const picture = find('picture')
const details = find('details')
const events = find('events')
const output = find('window')

const MOST_ROWS = 200
/** Block times around a block that is shown. */
const SHOWN_BLOCKS = 6
/** Milliseconds that fill the picture at the closest. */
const CLOSEST_MS = Math.min(...layers.map(({ partialBlockTimeMs }) => partialBlockTimeMs)) / 2
const LEAST_SHARE = Math.min(1, CLOSEST_MS / scale.size)

let from = 0
let to = 1
/** The transaction that was chosen, and the one that is pointed at. */
let chosen: TransactionPlace | undefined
let pointed: TransactionPlace | undefined

function show(target: HTMLElement, ...parts: readonly Markup[]): void {
  target.innerHTML = parts.map(({ markup }) => markup).join('')
}

function placeText({ layer, transaction }: TransactionPlace): string {
  return `${layer}:${transaction}`
}

function link(place: TransactionPlace, words: string): Markup {
  return element('button', { type: 'button', class: 'link', 'data-transactions': placeText(place) }, words)
}

function showLife(place: TransactionPlace): void {
  const { title, hash, moments, crossings } = lifeOf(model, place.layer, place.transaction)
  const steps = moments.map(({ atMs, words }) =>
    element('li', element('span', { class: 'at' }, momentText(atMs - originMs)), element('span', words)),
  )
  const others = crossings.map((step) => link(step, step.words))
  const where = layers.length > 1 ? `${layers[place.layer]?.name}: ` : ''
  show(details, element('h2', `${where}${title}`), element('code', hash), element('ol', steps), ...others)
}

function showChoice(places: readonly TransactionPlace[]): void {
  const links = places.map((place) => link(place, transactionText(layers[place.layer]!, place.transaction)))
  show(details, element('h2', countText(places.length, 'transaction')), ...links)
}

function showDetails(): void {
  const place = chosen ?? pointed
  if (place !== undefined) {
    showLife(place)
    return
  }
  const words = 'Point at a transaction, or click on it to keep it.'
  show(details, element('h2', 'Transaction'), element('p', { class: 'summary' }, words))
}

function showRows(fromMs: number, toMs: number): void {
  const { rows, count } = rowsIn(model, fromMs, toMs, MOST_ROWS)
  const isPair = layers.length > 1
  const heads = ['Time', ...(isPair ? ['Layer'] : []), 'Event', 'What']
  const body = rows.map(({ atMs, layer, what, words, transactions }) => {
    const shown = transactions.slice(0, 20)
    const links = shown.map((transaction) =>
      link({ layer, transaction }, transactionText(layers[layer]!, transaction)),
    )
    const more = transactions.length - shown.length
    return element(
      'tr',
      element('td', { class: 'at' }, momentText(atMs - originMs)),
      isPair ? [element('td', layers[layer]?.name)] : [],
      element('td', what),
      element('td', words, links, more > 0 ? [`and ${more} more`] : []),
    )
  })
  const head = element(
    'tr',
    heads.map((name) => element('th', { scope: 'col' }, name)),
  )
  const table = element('table', element('thead', head), element('tbody', body))
  const scrolls = { class: 'rows', tabindex: 0, role: 'region', 'aria-label': 'Table of events' }
  const left = count - rows.length
  const notice = left > 0 ? [element('p', `${countText(left, 'more event')}: zoom in to see them.`)] : []
  const shown = count === 0 ? element('p', 'Nothing happened in this time.') : element('div', scrolls, table)
  show(events, element('h2', 'Events in the picture'), shown, ...notice)
}

function draw(): void {
  const width = Math.max(picture.clientWidth, 200)
  const selected = chosen ?? pointed
  picture.innerHTML = drawTimeline(record, {
    width,
    window: [from, to],
    hasLinks: true,
    attributes: { 'aria-hidden': 'true' },
    ...(selected === undefined ? {} : { selected }),
  })
}

function redraw(): void {
  draw()
  const [fromMs, toMs] = [scale.timeAt(from * scale.size), scale.timeAt(to * scale.size)]
  output.textContent = `${momentText(Math.round(fromMs - originMs))} to ${momentText(Math.round(toMs - originMs))}`
  showRows(fromMs, toMs)
}

function showWindow(first: number, share: number): void {
  const size = Math.min(1, Math.max(LEAST_SHARE, share))
  from = Math.min(Math.max(first, 0), 1 - size)
  to = from + size
  redraw()
}

/** Zooms so that the point at a share of the picture stays where it is. */
function zoom(factor: number, about = 0.5): void {
  const share = Math.min(1, Math.max(LEAST_SHARE, (to - from) * factor))
  showWindow(from + (to - from - share) * about, share)
}

function move(share: number): void {
  showWindow(from + (to - from) * share, to - from)
}

/** Shows a block with some of its neighbours. */
function goTo(number: number): void {
  const blocks = model.layers.flatMap((layer) => layer.blocks.map((block) => ({ block, layer: layer.layer })))
  // On a pair, layers 2 are asked first: they have more blocks.
  const found = blocks.reverse().find(({ block }) => block.from <= number && number <= block.to)
  if (found === undefined) {
    output.textContent = `there is no block ${number}`
    return
  }
  const { block, layer } = found
  const share = (number - block.from) / (block.to - block.from + 1)
  const place = scale.at(block.startMs + share * (block.endMs - block.startMs))
  const size = Math.min(scale.size, SHOWN_BLOCKS * layer.blockTimeMs)
  showWindow((place - size / 2) / scale.size, size / scale.size)
}

function choose(place: TransactionPlace | undefined): void {
  chosen = place
  showDetails()
  draw()
}

/** Chooses the transaction before or after the chosen one, and brings it into the picture. */
function follow(step: 1 | -1): void {
  const places = layers.flatMap(({ transactions }, layer) =>
    transactions.map((_, transaction) => ({ layer, transaction })),
  )
  const current = chosen && places.findIndex((place) => placeText(place) === placeText(chosen!))
  const next = places[(current ?? (step === 1 ? -1 : places.length)) + step]
  if (next === undefined) return
  const atMs = model.layers[next.layer]?.lives[next.transaction]?.[0]?.atMs
  const place = atMs === undefined ? from : scale.at(atMs) / scale.size
  if (place < from || place > to) showWindow(place - (to - from) / 2, to - from)
  choose(next)
}

const ACTIONS: Readonly<Record<string, () => void>> = {
  in: () => zoom(0.5),
  out: () => zoom(2),
  earlier: () => move(-0.5),
  later: () => move(0.5),
  whole: () => showWindow(0, 1),
}

const KEYS: Readonly<Record<string, () => void>> = {
  '+': () => zoom(0.5),
  '=': () => zoom(0.5),
  '-': () => zoom(2),
  0: () => showWindow(0, 1),
  ArrowLeft: () => move(-0.1),
  ArrowRight: () => move(0.1),
  PageUp: () => move(-0.9),
  PageDown: () => move(0.9),
  Home: () => showWindow(0, to - from),
  End: () => showWindow(1, to - from),
  ArrowDown: () => follow(1),
  ArrowUp: () => follow(-1),
  Escape() {
    pointed = undefined
    choose(undefined)
  },
}

function placesOf(target: EventTarget | null): TransactionPlace[] {
  const shape = target instanceof Element ? target.closest('[data-transactions]') : null
  const [layer, transactions] = (shape?.getAttribute('data-transactions') ?? '').split(':')
  if (transactions === undefined) return []
  return transactions
    .split(',')
    .map((transaction) => ({ layer: Number(layer), transaction: Number(transaction) }))
}

document.addEventListener('click', ({ target }) => {
  const action =
    target instanceof Element ? target.closest('[data-action]')?.getAttribute('data-action') : null
  if (action !== null && action !== undefined) return ACTIONS[action]?.()
  const places = placesOf(target)
  if (places.length === 1) return choose(places[0])
  if (places.length > 1) {
    chosen = undefined
    return showChoice(places)
  }
  return undefined
})

find('go').addEventListener('submit', (event) => {
  event.preventDefault()
  goTo(Number(new FormData(event.currentTarget as HTMLFormElement).get('block')))
})

picture.addEventListener('keydown', (event) => {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
})

picture.addEventListener(
  'wheel',
  (event) => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    // At the whole, the page scrolls on.
    if (!isSideways && event.deltaY > 0 && to - from >= 1) return
    event.preventDefault()
    const { left, width } = picture.getBoundingClientRect()
    if (isSideways) move((event.deltaX || event.deltaY) / width)
    else zoom(2 ** (event.deltaY / 240), (event.clientX - left) / width)
  },
  { passive: false },
)

/** Where a drag began. */
let drag: { readonly x: number; readonly from: number } | undefined

picture.addEventListener('pointerdown', ({ clientX, button }) => {
  if (button === 0) drag = { x: clientX, from }
})
addEventListener('pointerup', () => {
  drag = undefined
})
picture.addEventListener('pointermove', ({ clientX, target }) => {
  if (drag !== undefined) {
    const moved = (clientX - drag.x) / picture.clientWidth
    if (Math.abs(clientX - drag.x) > 3) showWindow(drag.from - moved * (to - from), to - from)
    return
  }
  const [place, ...others] = placesOf(target)
  const next = others.length > 0 ? undefined : place
  if (chosen !== undefined || (next && placeText(next)) === (pointed && placeText(pointed))) return
  pointed = next
  if (next !== undefined) showDetails()
})

let drawnWidth = picture.clientWidth
redraw()
new ResizeObserver(() => {
  // A redraw changes the height.
  if (picture.clientWidth === drawnWidth) return
  drawnWidth = picture.clientWidth
  redraw()
}).observe(picture)
