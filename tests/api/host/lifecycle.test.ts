import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { startServer, realDeps } from '../../../server/index'
import { aFile, aUser } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { slowUpload } from '../../support/network/slow-upload'
import { test } from '../../support/world/http'

/** The files below a folder that this process has open. */
async function openFilesIn(folder: string): Promise<string[]> {
  const links = (await readdir('/proc/self/fd')).map((fd) =>
    readlink(join('/proc/self/fd', fd)).catch(() => ''),
  )
  return (await Promise.all(links)).filter((path) => path.startsWith(folder))
}

const aBigFile = { bytes: new Uint8Array(30_000_000), is_public: true }

describe('a server that cannot start', () => {
  test('because its port is in use reports it, and releases its folder', async ({
    server,
    folder,
    log,
  }) => {
    const config = {
      dataDir: join(folder, 'other'),
      uiDir: folder,
      version: '1.2.3',
      host: '127.0.0.1',
    }

    await expect(
      startServer({ ...config, port: server.port }, { ...realDeps, log }),
    ).rejects.toMatchObject({
      name: 'ListenError',
      message: expect.stringMatching(
        new RegExp(
          `^Port ${server.port} on 127\\.0\\.0\\.1 is in use by .+: choose another with --port$`,
        ),
      ) as string,
    })

    expect(await openFilesIn(config.dataDir)).toEqual([])
    const second = await startServer({ ...config, port: 0 }, { ...realDeps, log })
    await second.close()
  })

  test('because this machine has no such address says so', async ({ folder, log }) => {
    const config = {
      dataDir: join(folder, 'other'),
      uiDir: folder,
      version: '1.2.3',
      host: '192.0.2.1',
      port: 0,
    }

    await expect(startServer(config, { ...realDeps, log })).rejects.toMatchObject({
      message: 'This computer has no address 192.0.2.1: choose one with --host',
    })
  })
})

describe('a server that closes', () => {
  test('finishes downloads and uploads that are running', async ({ server, alice }) => {
    const file = await aFile(server, alice, aBigFile)
    const slow = slowUpload(server, { 'x-api-key': await server.keyOf(alice) })
    await expect.poll(() => server.inside.quota.held(alice.id)).toBeGreaterThan(0)
    const download = await opened(server, `/api/files/${file.file_id}/download`)

    const closing = server.close()
    slow.finish()
    let got = 0
    for await (const chunk of download) got += (chunk as Buffer).length
    await closing

    expect(await slow.status).toBe(201)
    expect(got).toBe(aBigFile.bytes.length)
    expect(server.inside.files.ownedBy(alice.id)).toHaveLength(2)
  })

  test('accepts no new connections', async ({ server }) => {
    await server.close()

    await expect(server.fetch('/api/auth/check')).rejects.toThrow('fetch failed')
  })

  test('has everything when it starts again', async ({ server, alice, signedIn: { browser } }) => {
    const file = await aFile(server, alice, { bytes: 'rocket', is_public: true })
    await (await server.fetch(`/api/files/${file.file_id}/download`)).text()
    const { port } = server
    await server.close()

    await server.restart({ version: '1.2.4', port })
    const answer = async (path: string) => (await browser.fetch(path)).json() as Promise<unknown>

    expect(await answer('/api/auth/me')).toMatchObject({ user: { username: 'alice' } })
    expect(await answer(`/api/files/${file.file_id}`)).toMatchObject({
      file: { ...file, downloads: 1 },
    })
    expect(await (await browser.fetch(`/api/files/${file.file_id}/download`)).text()).toBe('rocket')
  })
})

describe('a server that moves to another address', () => {
  test('answers there and no longer here, and finishes what runs', async ({ server }) => {
    const file = await aFile(server, await aUser(server, 'alice'), aBigFile)
    const download = await opened(server, `/api/files/${file.file_id}/download`)
    const before = server.port

    await server.listen('127.0.0.1', 0)

    expect(server.port).not.toBe(before)
    await expect(fetch(`http://127.0.0.1:${before}/api/auth/check`)).rejects.toThrow('fetch failed')
    expect((await fetch(`http://127.0.0.1:${server.port}/api/auth/check`)).status).toBe(200)
    let got = 0
    for await (const chunk of download) got += (chunk as Buffer).length
    expect(got).toBe(aBigFile.bytes.length)
  })

  test('stays where it was when the new one cannot be had', async ({ server }) => {
    const before = server.port

    await expect(server.listen('192.0.2.1', 0)).rejects.toMatchObject({ name: 'ListenError' })

    expect(server.port).toBe(before)
    expect((await server.fetch('/api/auth/check')).status).toBe(200)
  })
})
