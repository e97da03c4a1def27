// The playground's files on the development server, from where scripts/bundle-playground.js writes them.

import { createReadStream, existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { createServer } from 'vitepress'

const folder = new URL('dist/playground/', import.meta.url)

type Server = Awaited<ReturnType<typeof createServer>>

/** A plugin of Vite. */
export function servePlayground() {
  return {
    name: 'serve-playground',
    configureServer(server: Server) {
      server.middlewares.use((request, response, next) => {
        const [, name] = /\/playground\/([\w-]+\.js)(?:\?|$)/.exec(request.url ?? '') ?? []
        const file = name === undefined ? undefined : fileURLToPath(new URL(name, folder))
        if (file === undefined || !existsSync(file)) return next()
        response.setHeader('content-type', 'text/javascript')
        createReadStream(file).pipe(response)
      })
    },
  }
}
