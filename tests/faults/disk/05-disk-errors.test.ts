import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendUpload, upload, uploadForm } from '../../support/world/upload'
import { Host, until } from '../../support/world/process'
import { examine, CommitLog } from '../../support/crash/ledger'
import { clientAt, fetchAt, type Place, register, startHost } from '../../support/world/place'
import { named, noRoot, rounds } from '../../support/system/rounds'
import { run } from '../../support/system/debian'
import { aSmallDisk, aVolume } from '../support/volume'
import { tempDir } from '../../support/system/temp-dir'
import { Browser } from '../../support/system/browser'
import { createClient } from '../../support/network/client'
import { PASSWORD } from '../../support/world/password'
import { sha256 } from '../../support/system/sha256'

/** How often a disk becomes full. */
const ROUNDS = rounds(2, 1)

const isReadOnly = async ({ url }: { url: string }) =>
  ((await (await fetch(`${url}/api/host`)).json()) as { host: { read_only: boolean } }).host
    .read_only

async function aPublishedFile(place: Place): Promise<CommitLog> {
  const { project } = await clientAt(place).projects.create({ title: 'Rocket' })
  const ledger = new CommitLog(project.project_id, project.title)
  const { file_id: id } = await upload(fetchAt(place), new File(['kept'], 'linked.txt'), {
    project_id: project.project_id,
  })
  ledger.files.set(id, { id, sha256: sha256(Buffer.from('kept')), isPublic: false })
  return ledger
}

/** Edits until one is refused; returns its status. The ledger has the edits before it. */
async function editUntilRefused(place: Place, ledger: CommitLog): Promise<number> {
  for (let n = 0; n < 5000; n++) {
    const title = `${n} `.padEnd(110, 'x')
    const body = JSON.stringify({ title, description: 'y'.repeat(15_000) })
    const reply = await fetchAt(place)(`/api/projects/${ledger.projectId}`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' }, body },
    })
    if (!reply.ok) return reply.status
    ledger.title = title.trim()
  }
  throw new Error('Nothing was refused')
}

/** What still works while the library is read-only. */
async function expectReadsGoOn(place: Place, ledger: CommitLog): Promise<void> {
  const [id] = ledger.files.keys()
  const reply = await fetchAt(place)(`/api/files/${id}/download`)
  expect([reply.status, await reply.text()]).toEqual([200, 'kept'])
  expect((await clientAt(place).projects.byId({ id: ledger.projectId })).project.title).toBe(
    ledger.title,
  )
  const sent = await sendUpload(fetchAt(place), uploadForm(new File(['new'], 'alone.txt')))
  expect([503, 507]).toContain(sent.status)
}

test.skipIf(noRoot)(
  named('5: EIO on fdatasync: no 2xx, read-only, reads work, all data is there after a restart'),
  async () => {
    const base = await tempDir()
    const dir = join(base, 'data')
    const first = await Host.start(dir)
    const place = await register(first)
    const ledger = await aPublishedFile(place)
    await first.stop()
    const inject = ['-e', 'trace=fdatasync', '-e', 'inject=fdatasync:error=EIO:when=12+']
    const host = await startHost(dir, {
      under: ['strace', '-f', '-q', '-o', '/dev/null', ...inject],
    })
    const failing = { ...place, url: host.url }
    expect(await editUntilRefused(failing, ledger)).toBe(503)
    expect(await isReadOnly(host)).toBe(true)
    await expectReadsGoOn(failing, ledger)
    // The started process is strace; the server is its child.
    await run('pkill', ['-9', '-P', String(host.process.pid)])
    await host.ended
    await examine(dir, [ledger])
    const next = await Host.start(dir)
    expect(await isReadOnly(next)).toBe(false)
    await clientAt({ ...place, url: next.url }).projects.update({
      id: ledger.projectId,
      title: 'again',
    })
    await next.stop()
  },
)

/** Fills a disk to its last byte. */
async function fill(disk: string): Promise<() => Promise<void>> {
  const path = join(disk, 'filler')
  await run('dd', ['if=/dev/zero', `of=${path}`, 'bs=4k']).catch(() => undefined)
  return () => rm(path)
}

test.skipIf(noRoot)(
  named(
    '5: ENOSPC: no 2xx, read-only, reads work; recovers by itself when space returns, and loses nothing',
  ),
  async () => {
    const disk = await aSmallDisk(160)
    const dir = join(disk, 'data')
    const host = await startHost(dir, { checkpointBytes: 1e9 })
    const place = await register(host)
    const ledger = await aPublishedFile(place)
    const [id = ''] = ledger.files.keys()
    const shared = async (fields: object = {}) => {
      const { share_link: link } = await clientAt(place).shareLinks.create({ id, ...fields })
      return `${host.url}${new URL(link.url ?? '').pathname}/download`
    }
    for (let round = 0; round < ROUNDS; round++) {
      const [unlimited, once] = [await shared(), await shared({ most_downloads: 1 })]
      const empty = await fill(disk)
      expect([503, 507]).toContain(await editUntilRefused(place, ledger))
      expect(await isReadOnly(host)).toBe(true)
      await expectReadsGoOn(place, ledger)
      expect((await fetch(unlimited)).status).toBe(200)
      for (let n = 0; n < 2; n++) expect([503, 507]).toContain((await fetch(once)).status)
      await empty()
      await until(async () => !(await isReadOnly(host)))
      expect(await (await fetch(once)).text()).toBe('kept')
      await until(async () => (await fetch(once)).status === 404)
      ledger.title = `round ${round}`
      await clientAt(place).projects.update({ id: ledger.projectId, title: ledger.title })
      const { file_id: id } = await upload(fetchAt(place), new File(['more'], 'alone.txt'))
      ledger.files.set(id, { id, sha256: sha256(Buffer.from('more')), isPublic: false })
    }
    await host.kill()
    await examine(dir, [ledger])
  },
)

const signIn = async ({ url }: Host) => {
  const client = createClient(url, { fetch: new Browser(url).fetch })
  await client.accounts.login({ username: 'alice', password: PASSWORD })
  return client
}

test.skipIf(noRoot)(
  named('5: health says that uploads are refused before the disk is full'),
  async () => {
    const { url } = await startHost(join(await aSmallDisk(60), 'data'))
    expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({
      status: 'uploads_refused',
    })
  },
)

test.skipIf(noRoot)(
  named(
    '5: a host starts on a full disk and serves; its owner signs in there and deletes, until all works again',
  ),
  async () => {
    const disk = await aVolume('ext4')
    const dir = join(disk.dir, 'data')
    const host = await Host.start(dir)
    const place = await register(host)
    const ledger = await aPublishedFile(place)
    // ext4 keeps 5 % for root, which do not count as free.
    const { file_id: id } = await upload(
      fetchAt(place),
      new File([Buffer.alloc(80_000_000)], 'large.bin'),
    )
    const hasReserve = async () =>
      (await stat(join(dir, 'library.reserve')).catch(() => undefined))?.size === 4 * 1024 ** 2
    await until(hasReserve)
    await fill(disk.dir)
    await editUntilRefused(place, ledger)
    await signIn(host)
    await host.kill()

    const full = await startHost(dir)
    await expectReadsGoOn({ ...place, url: full.url }, ledger)
    const client = await signIn(full)
    await expect(client.projects.create({ title: 'Another' })).rejects.toMatchObject({
      code: 'disk_full',
    })
    await client.files.remove({ id })
    await client.trash.empty({})
    await client.projects.create({ title: 'Another' })
    expect(await hasReserve()).toBe(true)
  },
)

test.skipIf(noRoot)(
  named(
    '5: a host starts on a disk that is mounted read-only, serves, and refuses changes in words',
  ),
  async () => {
    const disk = await aVolume('ext4')
    const dir = join(disk.dir, 'data')
    const host = await Host.start(dir)
    const place = await register(host)
    const ledger = await aPublishedFile(place)
    await host.kill()
    await run('mount', ['-o', 'remount,ro', disk.dir])
    const reading = await startHost(dir)
    await expectReadsGoOn({ ...place, url: reading.url }, ledger)
    await expect(signIn(reading)).rejects.toMatchObject({ code: 'read_only' })
    await reading.kill()
  },
)
