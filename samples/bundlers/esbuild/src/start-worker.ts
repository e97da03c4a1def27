/** esbuild leaves the address as it is: the worker is an entry of its own. */
export function startWorker(): Worker {
  return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
}
