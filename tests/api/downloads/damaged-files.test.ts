import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { NO_ZIP } from '../../../server/texts/files/damaged-file'
import { aFile, aRocket, aUser } from '../../support/world/factories'
import { blobPath } from '../../support/kept-bytes'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { DAY, SECOND } from '../../support/world/test-clock'

const BYTES = 'the bytes of rocket.bin'
const DAMAGED = problem('file_damaged')

/** A public release whose file the host has found damaged, by its daily reading or at a download. */
async function aRelease(server: TestServer) {
  const rocket = await aRocket(server)
  const file = await rocket.publish('rocket.bin', { bytes: BYTES, version: '1.0' })
  const { file_id: id } = file
  const path = blobPath(server.dataDir, server.inside.files.find(id)!.blobId)
  const address = '/p/rocket/releases/1.0/rocket.bin'
  const download = async () => {
    const reply = await server.fetch(address)
    return reply.ok ? reply.text() : replyOf(reply)
  }
  const shown = async () => (await rocket.owner.files.info({ id })).file.is_damaged
  return { ...rocket, file, id, path, address, download, shown }
}

describe('a file that the daily reading found damaged', () => {
  test.override({ config: { idleLookMs: 20 } })

  test('is refused at every address, and people read why, until its bytes are back', async ({
    server,
    log,
  }) => {
    const { owner, publish, file, id, path, address, download, shown } = await aRelease(server)
    await publish('rocket.txt', { version: '1.0' })
    const { url: shared } = (await owner.shareLinks.create({ id })).share_link
    const share = new URL(shared ?? '').pathname
    const { url } = await owner.testers.create({
      id: (await owner.projects.mine({})).projects[0]!.project_id,
      name: 'Club',
    })
    const pageOf = async (at: string) =>
      (await server.fetch(at, { headers: { accept: 'text/html' } })).text()
    expect(await pageOf('/p/rocket')).toContain('Download all')

    await writeFile(path, BYTES.replace('rocket', 'rocker'))
    server.clock.advance(DAY)
    await expect.poll(shown).toBe(true)
    expect(log.takeErrors()).toMatchObject([{ message: 'a stored file is damaged' }])

    const exact = `/api/files/public/alice/${id}/${file.sha256}/download`
    const tester = `${new URL(url).pathname}/releases/1.0/rocket.bin`
    for (const at of [address, exact, `${share}/download`, tester])
      for (const init of [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }])
        expect([at, (await server.fetch(at, init)).status]).toEqual([at, 503])
    expect(await download()).toEqual(DAMAGED)
    expect(await replyOf(await server.fetch('/api/projects/rocket/download'))).toEqual(DAMAGED)

    for (const at of ['/p/rocket', '/p/rocket/install', share, address])
      expect([at, await pageOf(at)]).toEqual([at, expect.stringContaining('This file is damaged')])
    expect(await pageOf('/p/rocket')).toContain(NO_ZIP)
    expect(await pageOf('/p/rocket')).not.toContain('Download all')

    await writeFile(path, BYTES)
    await expect.poll(download).toBe(BYTES)
    expect(await shown()).toBe(false)
  })

  test('is mended by a new upload of the same bytes, and by a backup', async ({
    server,
    folder,
    log,
  }) => {
    const { alice, path, download } = await aRelease(server)
    const breakIt = async () => {
      await writeFile(path, 'x'.repeat(BYTES.length))
      server.clock.advance(DAY)
      await expect.poll(() => log.takeErrors()).toMatchObject([{ name: 'rocket.bin' }])
    }
    await breakIt()
    const same = await aFile(server, alice, { filename: 'again.bin', bytes: BYTES })
    await expect.poll(download).toBe(BYTES)
    await server.as(alice).files.remove({ id: same.file_id })
    await server.as(alice).trash.empty({})

    const { client } = await server.atWindow(await aUser(server, 'host', { isHost: true }))
    const backups = join(folder, 'backups')
    await mkdir(backups)
    await client.backups.change({ folder: server.inside.chosenFolders.offer(backups) })
    await client.backups.run({})
    await expect.poll(async () => (await client.backups.show({})).backups.last?.failure).toBeNull()
    // A new file, because the backup shares the old one.
    await rm(path)
    await breakIt()
    await expect.poll(download).toBe(BYTES)
    await expect.poll(async () => (await client.backups.show({})).backups.damaged).toEqual([])
  })
})

describe('a download that meets damage', () => {
  test.for(['missing', 'cut', 'too long'])(
    'says so before the first byte: %s',
    async (what, { server, log }) => {
      const { path, download, shown } = await aRelease(server)
      if (what === 'missing') await rm(path)
      else if (what === 'cut') await truncate(path, 3)
      else await writeFile(path, `${BYTES}.`)
      server.clock.advance(SECOND)

      expect(await download()).toEqual(DAMAGED)
      expect(await shown()).toBe(true)
      expect(log.takeErrors()).toMatchObject([
        { message: 'a stored file is damaged', name: 'rocket.bin' },
      ])
    },
  )
})
