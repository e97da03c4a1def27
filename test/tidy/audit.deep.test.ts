// The audit of the bundle's packages, against a registry of its own on the loopback address.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { findAdvisories } from '../../scripts/audit/advisories.js'

const ADVISORIES = '/-/npm/v1/security/advisories/bulk'
const advisory = {
  id: 1179,
  url: 'https://example.org/advisories/1179',
  title: 'Prototype Pollution in left',
  severity: 'moderate',
  vulnerable_versions: '<1.2.0',
}

let server: Server | undefined
const asked: unknown[] = []

/** A registry with one advisory, or without any. */
async function startRegistry(offersAdvisories: boolean): Promise<string> {
  const started = createServer(async (request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (request.url === ADVISORIES) {
      const isPacked = request.headers['content-encoding'] === 'gzip'
      asked.push(JSON.parse(await text(isPacked ? request.pipe(createGunzip()) : request)))
      if (offersAdvisories) answer(200, { left: [advisory] })
      else answer(405, {})
      return
    }
    const versions = Object.fromEntries(
      ['1.0.0', '1.2.0'].map((version) => [version, { name: 'left', version, dist: {} }]),
    )
    if (request.url === '/left') answer(200, { name: 'left', 'dist-tags': { latest: '1.2.0' }, versions })
    else answer(404, {})
  })
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve))
  server = started
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/`
}

afterEach(async () => {
  server?.closeAllConnections()
  await new Promise((resolve) => server?.close(resolve))
  asked.length = 0
})

const scoped = { name: '@scope/right', version: '3.1.4' }

test('finds the advisories on exactly the versions that are in the bundle', async () => {
  const registry = await startRegistry(true)
  const packages = [{ name: 'left', version: '1.0.0' }, scoped]
  expect(await findAdvisories(packages, registry)).toEqual({
    findings: [
      {
        ...{ name: 'left', version: '1.0.0', severity: 'moderate', range: '<1.2.0' },
        ...{ title: advisory.title, url: advisory.url },
      },
    ],
  })
  expect(asked).toEqual([{ left: ['1.0.0'], '@scope/right': ['3.1.4'] }])
})

test('finds nothing against a version that is mended, and asks for two versions of a package', async () => {
  const registry = await startRegistry(true)
  const packages = [{ name: 'left', version: '1.2.0' }, scoped]
  expect(await findAdvisories(packages, registry)).toEqual({ findings: [] })
  const both = await findAdvisories([...packages, { name: 'left', version: '1.0.0' }], registry)
  expect(both).toMatchObject({ findings: [{ name: 'left', version: '1.0.0' }] })
})

test('says that a registry without advisories cannot tell', async () => {
  const registry = await startRegistry(false)
  expect(await findAdvisories([scoped], registry)).toEqual({
    unavailable: expect.stringMatching(/^405 Method Not Allowed/),
  })
})
