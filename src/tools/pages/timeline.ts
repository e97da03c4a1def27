// Timelines in pages: zooms and moves a picture, and shows the life of a transaction.

import { element, type Markup } from '../view/html.ts'
import { modelOf, type TimelineModel } from '../view/timeline/build-model.ts'
import { drawTimeline, type TransactionPlace } from '../view/timeline/draw.ts'
import type { TimelineRecord } from '../view/timeline/record.ts'
import { type Scale, scaleOf } from '../view/timeline/scale.ts'
import { momentText } from '../view/timeline/words.ts'
import { readData } from './read-data.ts'
import { choicePane, lifePane, noChoice, placeKey, placesOf, rowsPane } from './timeline-panes.ts'

/** Block times around a block that is shown. */
const SHOWN_BLOCKS = 6

function show(target: HTMLElement, parts: readonly Markup[]): void {
  target.innerHTML = parts.map(({ markup }) => markup).join('')
}

export class TimelineSection {
  readonly #root: HTMLElement
  readonly #model: TimelineModel
  readonly #scale: Scale
  readonly #picture: HTMLElement
  readonly #details: HTMLElement
  readonly #originMs: number
  readonly #leastShare: number
  #from = 0
  #to = 1
  /** The transaction that was chosen, and the one that is pointed at. */
  #chosen: TransactionPlace | undefined
  #pointed: TransactionPlace | undefined
  /** The times of the action that is chosen. */
  #cursor: readonly [fromMs: number, toMs: number] | undefined
  /** Where a drag began. */
  #drag: { readonly x: number; readonly from: number } | undefined
  /** The level of headings in the section. */
  readonly #level: number

  constructor(root: HTMLElement, record: TimelineRecord) {
    this.#root = root
    this.#level = Number(root.dataset['level'])
    this.#model = modelOf(record)
    this.#scale = scaleOf(this.#model)
    this.#picture = this.#find('.picture')
    this.#details = this.#find('section.details')
    this.#originMs = record.layers[0]?.start.atMs ?? 0
    // Milliseconds that fill the picture at the closest.
    const closestMs = Math.min(...record.layers.map(({ partialBlockTimeMs }) => partialBlockTimeMs)) / 2
    this.#leastShare = Math.min(1, closestMs / this.#scale.size)
  }

  get #layers() {
    return this.#model.record.layers
  }

  #find(selector: string): HTMLElement {
    const found = this.#root.querySelector<HTMLElement>(selector)
    if (found === null) throw new Error(`the page has no ${selector}`)
    return found
  }

  #showDetails(): void {
    const place = this.#chosen ?? this.#pointed
    show(
      this.#details,
      place === undefined ? noChoice(this.#level) : lifePane(this.#model, place, this.#level),
    )
  }

  #draw(): void {
    const selected = this.#chosen ?? this.#pointed
    const picture = drawTimeline(this.#model.record, {
      width: Math.max(this.#picture.clientWidth, 200),
      window: [this.#from, this.#to],
      hasLinks: true,
      attributes: { 'aria-hidden': 'true' },
      ...(selected === undefined ? {} : { selected }),
    })
    show(this.#picture, [picture, ...this.#cursorMarkup()])
  }

  #cursorMarkup(): Markup[] {
    if (this.#cursor === undefined) return []
    const shares = this.#cursor.map((ms) => this.#scale.at(ms) / this.#scale.size)
    const [left, right] = shares.map((share) => (100 * (share - this.#from)) / (this.#to - this.#from))
    return [element('i', { class: 'here', style: `left:${left}%;width:${right! - left!}%` })]
  }

  #redraw(): void {
    this.#draw()
    const { size, timeAt } = this.#scale
    const [fromMs, toMs] = [timeAt(this.#from * size), timeAt(this.#to * size)]
    const [first, last] = [fromMs, toMs].map((ms) => momentText(Math.round(ms - this.#originMs)))
    this.#find('.window').textContent = `${first} to ${last}`
    show(this.#find('section.events'), rowsPane(this.#model, [fromMs, toMs], this.#level))
  }

  #showWindow(first: number, share: number): void {
    const size = Math.min(1, Math.max(this.#leastShare, share))
    this.#from = Math.min(Math.max(first, 0), 1 - size)
    this.#to = this.#from + size
    this.#redraw()
  }

  /** The place on the line at which a transaction's life begins; `undefined` if nothing is known of it. */
  #placeOf({ layer, transaction }: TransactionPlace): number | undefined {
    const atMs = this.#model.layers[layer]?.lives[transaction]?.[0]?.atMs
    return atMs === undefined ? undefined : this.#scale.at(atMs) / this.#scale.size
  }

  /** Zooms so that a point stays where it is: the chosen transaction, which comes into the picture, or the middle. */
  #zoom(factor: number, about?: number): void {
    const width = this.#to - this.#from
    const share = Math.min(1, Math.max(this.#leastShare, width * factor))
    const place = about === undefined && this.#chosen ? this.#placeOf(this.#chosen) : undefined
    if (place !== undefined && (place < this.#from || place > this.#to))
      this.#showWindow(place - share / 2, share)
    else {
      const point = about ?? (place === undefined ? 0.5 : (place - this.#from) / width)
      this.#showWindow(this.#from + (width - share) * point, share)
    }
  }

  #move(share: number): void {
    this.#showWindow(this.#from + (this.#to - this.#from) * share, this.#to - this.#from)
  }

  /** Shows a block with some of its neighbours. */
  #goTo(number: number): void {
    const blocks = this.#model.layers.flatMap(({ blocks: own, layer }) =>
      own.map((block) => ({ block, layer })),
    )
    // On a pair, layers 2 are asked first: they have more blocks.
    const found = blocks.reverse().find(({ block }) => block.from <= number && number <= block.to)
    if (found === undefined) {
      this.#find('.window').textContent = `there is no block ${number}`
      return
    }
    const { block, layer } = found
    const { size: whole } = this.#scale
    const share = (number - block.from) / (block.to - block.from + 1)
    const place = this.#scale.at(block.startMs + share * (block.endMs - block.startMs))
    const size = Math.min(whole, SHOWN_BLOCKS * layer.blockTimeMs)
    this.#showWindow((place - size / 2) / whole, size / whole)
  }

  #choose(place: TransactionPlace | undefined): void {
    this.#chosen = place
    this.#showDetails()
    this.#draw()
  }

  /** Chooses the transaction before or after the chosen one, and brings it into the picture. */
  #follow(step: 1 | -1): void {
    const places = this.#layers.flatMap(({ transactions }, layer) =>
      transactions.map((_, transaction) => ({ layer, transaction })),
    )
    const chosen = this.#chosen && placeKey(this.#chosen)
    const current = chosen === undefined ? undefined : places.findIndex((place) => placeKey(place) === chosen)
    const next = places[(current ?? (step === 1 ? -1 : places.length)) + step]
    if (next !== undefined) this.show(next)
  }

  #bringIn(place: number): void {
    const [from, to] = [this.#from, this.#to]
    if (place < from || place > to) this.#showWindow(place - (to - from) / 2, to - from)
  }

  /** Moves the cursor to the times of an action, and brings it into the picture. */
  showTimes(fromMs: number, toMs: number): void {
    this.#cursor = [fromMs, toMs]
    this.#bringIn(this.#scale.at(fromMs) / this.#scale.size)
    this.#draw()
    this.#picture.scrollIntoView({ block: 'nearest' })
  }

  /** Chooses a transaction and brings it into the picture. */
  show(next: TransactionPlace): void {
    this.#bringIn(this.#placeOf(next) ?? this.#from)
    this.#choose(next)
  }

  /** The same by a hash; false if the record does not have it. */
  showHash(hash: string | undefined): boolean {
    for (const [layer, { transactions }] of this.#layers.entries()) {
      const transaction = transactions.findIndex((each) => each.hash === hash)
      if (transaction === -1) continue
      this.show({ layer, transaction })
      return true
    }
    return false
  }

  /** The moves of the picture, by the keys and buttons that make them. */
  readonly #moves: Readonly<Record<string, () => void>> = {
    earlier: () => this.#move(-0.5),
    later: () => this.#move(0.5),
    '+': () => this.#zoom(0.5),
    '=': () => this.#zoom(0.5),
    '-': () => this.#zoom(2),
    0: () => this.#showWindow(0, 1),
    ArrowLeft: () => this.#move(-0.1),
    ArrowRight: () => this.#move(0.1),
    PageUp: () => this.#move(-0.9),
    PageDown: () => this.#move(0.9),
    Home: () => this.#showWindow(0, this.#to - this.#from),
    End: () => this.#showWindow(1, this.#to - this.#from),
    ArrowDown: () => this.#follow(1),
    ArrowUp: () => this.#follow(-1),
    Escape: () => {
      this.#pointed = undefined
      this.#choose(undefined)
    },
  }

  readonly #onClick = ({ target }: Event): void => {
    if (!(target instanceof Element)) return
    const action = target.closest('[data-action]')?.getAttribute('data-action')
    const [place, ...others] = placesOf(target)
    if (action) this.#moves[action]?.()
    else if (place !== undefined) {
      if (others.length > 0) {
        this.#chosen = undefined
        show(this.#details, choicePane(this.#model, [place, ...others], this.#level))
      } else this.#choose(place)
      // On a narrow page it would come below the picture.
      this.#details.scrollIntoView({ block: 'nearest' })
    }
  }

  readonly #onWheel = (event: WheelEvent): void => {
    const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)
    // Without a modifier, the page scrolls. A pinch has Control set.
    if (!isSideways && !event.ctrlKey && !event.metaKey) return
    event.preventDefault()
    const { left, width } = this.#picture.getBoundingClientRect()
    if (isSideways) this.#move((event.deltaX || event.deltaY) / width)
    else this.#zoom(2 ** (event.deltaY / 240), (event.clientX - left) / width)
  }

  readonly #onMove = ({ clientX, target }: PointerEvent): void => {
    if (this.#drag !== undefined) {
      const width = this.#to - this.#from
      const moved = (clientX - this.#drag.x) / this.#picture.clientWidth
      if (Math.abs(clientX - this.#drag.x) > 3) this.#showWindow(this.#drag.from - moved * width, width)
      return
    }
    const [place, ...others] = placesOf(target)
    const next = others.length > 0 ? undefined : place
    if (this.#chosen !== undefined || (next && placeKey(next)) === (this.#pointed && placeKey(this.#pointed)))
      return
    this.#pointed = next
    if (next !== undefined) this.#showDetails()
  }

  #listen(): void {
    const picture = this.#picture
    this.#root.addEventListener('click', this.#onClick)
    this.#find('.go').addEventListener('submit', (event) => {
      event.preventDefault()
      this.#goTo(Number(new FormData(event.currentTarget as HTMLFormElement).get('block')))
    })
    picture.addEventListener('keydown', (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : this.#moves[event.key]
      if (act === undefined) return
      event.preventDefault()
      act()
    })
    picture.addEventListener('wheel', this.#onWheel, { passive: false })
    picture.addEventListener('pointerdown', ({ clientX, button }) => {
      if (button === 0) this.#drag = { x: clientX, from: this.#from }
    })
    addEventListener('pointerup', () => {
      this.#drag = undefined
    })
    picture.addEventListener('pointermove', this.#onMove)
  }

  start(): void {
    this.#listen()
    let drawnWidth = this.#picture.clientWidth
    this.#redraw()
    this.#showDetails()
    new ResizeObserver(() => {
      // A redraw changes the height.
      if (this.#picture.clientWidth === drawnWidth) return
      drawnWidth = this.#picture.clientWidth
      this.#redraw()
    }).observe(this.#picture)
  }
}

/** Starts the timelines of a page, and returns them by the id of the section around each. */
export async function startTimelines(): Promise<Map<string | undefined, TimelineSection>> {
  const views = new Map<string | undefined, TimelineSection>()
  for (const root of document.querySelectorAll<HTMLElement>('.timeline-section')) {
    const view = new TimelineSection(root, (await readData<TimelineRecord>(root, 'timeline-data'))!)
    view.start()
    views.set(root.parentElement?.id, view)
    view.showHash(root.dataset['chosen'])
    // Transactions elsewhere in the chain's section lead here.
    root.parentElement?.addEventListener('click', ({ target }) => {
      const hash = target instanceof Element && target.closest('[data-hash]')?.getAttribute('data-hash')
      if (hash && view.showHash(hash)) root.scrollIntoView()
    })
  }
  return views
}
