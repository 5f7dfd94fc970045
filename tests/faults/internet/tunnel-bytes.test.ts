import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage, type Server } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, test } from 'vitest'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { SSHD_SETTINGS } from '../../../server/contract/host/internet'
import { tunnelWorld, visit } from '../../support/internet/tunnel-world'

const MIB = 1024 * 1024

/** Sends so many MiB that differ, and returns their SHA-256. */
function serve(site: Server, mebibytes: number): string {
  function* blocks() {
    for (let index = 0; index < mebibytes; index++) yield Buffer.alloc(MIB, `${index} `)
  }
  site.removeAllListeners('request')
  site.on('request', (_request, response) => {
    pipeline(Readable.from(blocks()), response).catch(() => {})
  })
  const hash = createHash('sha256')
  for (const block of blocks()) hash.update(block)
  return hash.digest('hex')
}

const name = `the bytes of a tunnel${cannotUnpack === undefined ? '' : ` (not run: ${cannotUnpack})`}`

describe.skipIf(cannotUnpack)(name, () => {
  test('carries 200 MiB unchanged, also when the server renews the keys', async () => {
    const { open, until, site, url } = await tunnelWorld({
      settings: [...SSHD_SETTINGS, 'RekeyLimit 32M'],
    })
    const expected = serve(site, 200)
    await open()
    await until('open')

    const request = get(url, { agent: false })
    const [reply] = (await once(request, 'response')) as [IncomingMessage]
    const hash = createHash('sha256')
    for await (const chunk of reply) hash.update(chunk as Buffer)

    expect(hash.digest('hex')).toBe(expected)
  })

  test('takes 20 MiB from a visitor who sends faster than we read', async () => {
    const { open, until, site, url } = await tunnelWorld()
    site.removeAllListeners('request')
    site.on('request', (request, response) => {
      const hash = createHash('sha256')
      const read = () => request.on('data', (chunk: Buffer) => hash.update(chunk))
      setTimeout(read, 300)
      request.on('end', () => response.end(hash.digest('hex')))
    })
    await open()
    await until('open')

    const body = Buffer.alloc(20 * MIB, 'upload ')
    const reply = await fetch(url, { method: 'POST', body })

    expect(await reply.text()).toBe(createHash('sha256').update(body).digest('hex'))
  })

  test('answers visitors while others download over a slow line', async () => {
    const { open, until, site, url, line, tunnel } = await tunnelWorld()
    serve(site, 200)
    await open()
    await until('open')
    line.slowTo(4)
    const downloads = Array.from({ length: 16 }, () =>
      get(url, { agent: false }, (reply) => reply.resume()),
    )
    let ended = 0
    for (const download of downloads) download.on('error', () => {}).on('close', () => ended++)
    await Promise.all(downloads.map((download) => once(download, 'response')))
    site.removeAllListeners('request')
    site.on('request', (_request, response) => response.end('ahoy'))

    expect(await visit(url)).toBe('ahoy')

    expect({ ended, state: tunnel.state?.kind }).toEqual({ ended: 0, state: 'open' })
    for (const download of downloads) download.destroy()
  })
})
