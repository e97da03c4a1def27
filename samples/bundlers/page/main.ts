import { firstTransaction } from './first-transaction.ts'
import { startWorker } from './start-worker.ts'

function show(place: string, outcome: string): void {
  const line = document.createElement('p')
  line.textContent = `${place}: ${outcome}`
  document.body.append(line)
}

const worker = startWorker()
worker.addEventListener('message', ({ data }: MessageEvent<string>) => show('worker', data))
show('page', await firstTransaction())
