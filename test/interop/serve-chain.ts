// A server of a chain on the loopback interface, over HTTP and WebSocket, as docs/recipes/http.md has it.

import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Emulator } from 'tickchain'
import { WebSocketServer } from 'ws'

export interface ChainServer {
  /** Such as `127.0.0.1:1234`. */
  readonly host: string
  readonly close: () => Promise<void>
}

export async function serveChain(chain: Emulator): Promise<ChainServer> {
  const server = createServer((incoming, outgoing) => {
    const request = {
      method: incoming.method ?? 'GET',
      headers: { get: (name: string) => incoming.headers[name]?.toString() ?? null },
      text: () => text(incoming),
    }
    const answered = chain.fetch(request).then(async (response) => {
      outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
    })
    answered.catch(() => outgoing.destroy())
  })
  const verifyClient = ({ req }: { req: IncomingMessage }) => chain.acceptsHandshake(req)
  const sockets = new WebSocketServer({ server, verifyClient })
  sockets.on('connection', (socket) => {
    const connection = chain.connect((message) => socket.send(message))
    socket.on('message', (message) => connection.receive(String(message)))
    socket.on('close', () => connection.close())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets.clients) socket.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
