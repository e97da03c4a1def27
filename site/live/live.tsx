// The front page's scene: a transaction is pre-confirmed, sealed, orphaned and sealed again, on a chain in the page.

import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { createEmulator, type Emulator } from 'tickchain'

/** Partial blocks of a block, and the real time that one takes here. */
const PARTIALS = 10
const TICK_MS = 420

/** Steps of virtual time until the first block is taken off, and until the scene begins again. */
const REORG_AT = 13
const END_AT = 22

interface Block {
  readonly number: number
  /** Partial blocks so far. */
  readonly partials: number
  /** The partial block, from 1, with the transaction. */
  readonly payment: number | undefined
  /** `undefined` until it is sealed. */
  readonly hash: string | undefined
  readonly isOrphaned: boolean
}

interface Scene {
  readonly step: number
  readonly elapsedMs: number
  readonly isPooled: boolean
  readonly blocks: readonly Block[]
  readonly told: string
}

const BEGIN: Scene = {
  step: 0,
  elapsedMs: 0,
  isPooled: false,
  blocks: [],
  told: 'A chain begins, inside this page.',
}

/** Follows the events of a chain. */
function watch(chain: Emulator, change: (next: (before: Scene) => Scene) => void): void {
  const begin = chain.now
  const openBlock = (number: number): Block => ({
    number,
    partials: 0,
    payment: undefined,
    hash: undefined,
    isOrphaned: false,
  })
  /** Changes the last block of a number. */
  const withBlock = (blocks: readonly Block[], number: number, next: (block: Block) => Block): Block[] => {
    const at = blocks.findLastIndex((block) => block.number === number && !block.isOrphaned)
    if (at === -1) return [...blocks, next(openBlock(number))]
    return blocks.map((block, index) => (index === at ? next(block) : block))
  }
  chain.on('pendingTransaction', () =>
    change((scene) => ({
      ...scene,
      isPooled: true,
      told: 'Alice sends Bob 1 ether. The payment waits in the pool.',
    })),
  )
  chain.on('partialBlock', ({ blockNumber, index, transactionHashes, atMs }) =>
    change((scene) => {
      const isPaid = transactionHashes.length > 0
      return {
        ...scene,
        elapsedMs: atMs - begin,
        isPooled: scene.isPooled && !isPaid,
        blocks: withBlock(scene.blocks, blockNumber, (block) => ({
          ...block,
          partials: index,
          payment: isPaid ? index : block.payment,
        })),
        told: isPaid
          ? 'Pre-confirmed: there is a receipt, and no sealed block yet. Nothing is final about it.'
          : scene.told,
      }
    }),
  )
  chain.on('sealedBlock', ({ number, hash, transactionHashes }) =>
    change((scene) => ({
      ...scene,
      blocks: withBlock(scene.blocks, number, (block) => ({ ...block, hash, partials: PARTIALS })),
      told:
        transactionHashes.length > 0
          ? `Sealed: the receipt names block ${number}, with its roots and its hash.`
          : scene.told,
    })),
  )
  chain.on('orphanedBlocks', () =>
    change((scene) => ({
      ...scene,
      isPooled: true,
      blocks: scene.blocks.flatMap((block) =>
        block.hash === undefined ? [] : [{ ...block, isOrphaned: true }],
      ),
      told: 'A reorganisation takes the block off. The receipt is gone; the payment waits again.',
    })),
  )
}

/** Begins a chain, and returns what performs the next step on it. */
async function begin(
  change: (next: (before: Scene) => Scene) => void,
): Promise<(step: number) => Promise<void>> {
  const chain = await createEmulator()
  watch(chain, change)
  const [from = '0x', to = '0x'] = await chain.request('eth_accounts')
  return async (step) => {
    if (step === 1) await chain.request('eth_sendTransaction', [{ from, to, value: '0xde0b6b3a7640000' }])
    else if (step === REORG_AT) await chain.reorg({ depth: 1 })
    else await chain.advance(200)
    change((scene) => ({ ...scene, step }))
  }
}

function useScene() {
  const [scene, setScene] = useState(BEGIN)
  const [isPlaying, setPlaying] = useState(() => !matchMedia('(prefers-reduced-motion: reduce)').matches)
  const perform = useRef<(step: number) => Promise<void>>(undefined)
  useEffect(() => {
    if (!isPlaying) return
    let isOver = false
    const timer = setTimeout(
      async () => {
        if (scene.step === END_AT || perform.current === undefined) {
          const next = await begin((change) => setScene(change))
          if (isOver) return
          perform.current = next
          setScene({ ...BEGIN })
        } else await perform.current(scene.step + 1)
      },
      // The end is shown for a while, and so is what has just been told.
      scene.step === END_AT ? 4000 : [1, 2, REORG_AT, REORG_AT + 1].includes(scene.step) ? 1600 : TICK_MS,
    )
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [scene, isPlaying])
  return { scene, isPlaying, setPlaying }
}

const shortened = (hash: string): string => `${hash.slice(0, 8)}…${hash.slice(-4)}`

function Payment() {
  return (
    <span class="payment" title="The payment">
      1 ETH
    </span>
  )
}

function BlockCard({ number, partials, payment, hash, isOrphaned }: Block) {
  const state = isOrphaned ? 'orphaned' : hash === undefined ? 'open' : 'sealed'
  const said = state === 'open' ? `${partials} of ${PARTIALS}` : state
  return (
    <li class={`block ${state}`}>
      <span class="head">
        <strong>Block {number}</strong> <span>{said}</span>
      </span>
      <span class="partials">
        {Array.from({ length: PARTIALS }, (_, index) => (
          <i class={index + 1 === payment ? 'paid' : index < partials ? 'filled' : ''}>
            {index + 1 === payment && <Payment />}
          </i>
        ))}
      </span>
      <code>{hash === undefined ? 'no hash yet' : shortened(hash)}</code>
    </li>
  )
}

function Live() {
  const { scene, isPlaying, setPlaying } = useScene()
  const seconds = (scene.elapsedMs / 1000).toFixed(1)
  return (
    <section class="live" aria-label="A chain, live in this page">
      <div class="live-bar">
        <button type="button" onClick={() => setPlaying(!isPlaying)}>
          {isPlaying ? 'Pause' : 'Play'}
        </button>
        <span class="clock" title="The chain's clock, which only the test moves">
          {seconds} s
        </span>
        <p>{scene.told}</p>
      </div>
      <ol>
        <li class={`pool ${scene.isPooled ? 'waiting' : ''}`}>
          <span class="head">
            <strong>Pool</strong>
          </span>
          {scene.isPooled && <Payment />}
        </li>
        {scene.blocks.map((block, index) => (
          <BlockCard key={index} {...block} />
        ))}
      </ol>
    </section>
  )
}

/** Shows the scene in an element of the front page. Returns the function that takes it out. */
export function mountLive(place: HTMLElement): () => void {
  render(<Live />, place)
  return () => render(null, place)
}
