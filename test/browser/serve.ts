// A server of the files of a folder, on this machine alone.

import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

export interface FileServer {
  /** Such as `http://127.0.0.1:1234`. */
  readonly origin: string
  close(): Promise<void>
}

/** Serves a folder, with these headers on every answer. */
export async function serveFolder(
  folder: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<FileServer> {
  const server = createServer(async ({ url = '/' }, response) => {
    // A path that leads out of the folder ends at its root.
    const path = normalize(decodeURIComponent(new URL(url, 'http://folder').pathname))
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path)
    try {
      const bytes = await readFile(file)
      response.writeHead(200, {
        ...headers,
        'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      })
      response.end(bytes)
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' })
      response.end(`there is no ${path}`)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections()
        server.close((error) => (error === undefined ? resolve() : reject(error)))
      }),
  }
}
