'use client'

import { useEffect, useState } from 'react'
import { firstTransaction } from './first-transaction.ts'

export function InBrowser() {
  const [outcomes, setOutcomes] = useState<readonly string[]>([])
  useEffect(() => {
    const show = (outcome: string) => setOutcomes((shown) => [...shown, outcome])
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<string>) => show(`worker: ${data}`))
    firstTransaction().then((outcome) => show(`page: ${outcome}`))
    return () => worker.terminate()
  }, [])
  return outcomes.map((outcome) => <p key={outcome}>{outcome}</p>)
}
