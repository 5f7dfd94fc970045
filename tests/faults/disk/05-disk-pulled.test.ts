import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { run } from '../../support/system/debian'
import { upload } from '../../support/world/upload'
import { Host, until } from '../../support/world/process'
import { examine } from '../../support/crash/ledger'
import { aCommitLog, publish } from '../../support/crash/publishing'
import { clientAt, fetchAt, type Place, register, startHost } from '../../support/world/place'
import { named, noRoot } from '../../support/system/rounds'
import { aVolume, type Volume } from '../support/volume'

/** Undefined without an answer. */
async function troubleAt({ url }: Host): Promise<string | null | undefined> {
  const reply = await fetch(`${url}/api/host`).catch(() => undefined)
  return reply && ((await reply.json()) as { host: { trouble: string | null } }).host.trouble
}

/**
 * Cuts a disk off while the host is between two system calls. A sync that is under way while Linux
 * shuts a file system down may claim success for what is lost.
 */
async function breakOff(disk: Volume, { process }: Host): Promise<void> {
  process.kill('SIGSTOP')
  await until(async () => {
    const { stdout } = await run('ps', ['-L', '-o', 'state=', '-p', String(process.pid)])
    return /^(T\n)+$/.test(stdout)
  })
  await disk.cut()
  process.kill('SIGCONT')
}

async function expectRefusals(place: Place, fileId: string): Promise<void> {
  const gone = { code: 'read_only', error: expect.stringContaining('is not connected') as unknown }
  const title = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"title":"New"}',
  }
  for (const asked of [
    fetchAt(place)('/api/projects', title),
    fetchAt(place)(`/api/files/${fileId}/download`),
  ]) {
    const reply = await asked
    expect([reply.status, await reply.json()]).toEqual([503, expect.objectContaining(gone)])
  }
  await expect(upload(fetchAt(place), new File(['new'], 'alone.txt'))).rejects.toThrow()
  expect((await clientAt(place).projects.mine({})).projects).not.toEqual([])
}

test.skipIf(noRoot).each([
  ['is unmounted', false],
  ['breaks off', true],
])(
  named(
    '5: a disk that %s under a busy host: no 2xx is lost, nothing is written in its place, it goes on when it is back',
  ),
  async (_how, breaks) => {
    const disk = await aVolume('ext4')
    const host = await startHost(disk.dir)
    const place = await register(host)
    const kept = await upload(fetchAt(place), new File(['kept'], 'alone.txt'))
    const ledgers = await Promise.all([1, 2, 3].map(() => aCommitLog(place)))
    const work = ledgers.map((ledger) => publish(place, ledger))
    await until(async () => ledgers.every(({ acknowledged }) => acknowledged > 4))
    if (breaks) await breakOff(disk, host)
    await disk.pull()
    await until(async () => (await troubleAt(host)) === 'missing')
    await Promise.all(work)
    await expectRefusals(place, kept.file_id)
    expect(await readdir(disk.dir)).toEqual([])
    await disk.mount()
    await until(async () => (await troubleAt(host)) === null)
    expect(host.stdout).toContain('The disk with the data is back')
    const reply = await fetchAt(place)(`/api/files/${kept.file_id}/download`)
    expect([reply.status, await reply.text()]).toEqual([200, 'kept'])
    await upload(fetchAt(place), new File(['more'], 'alone.txt'))
    await host.stop()
    await examine(disk.dir, ledgers)
    await disk.pull()
    expect(await readdir(disk.dir)).toEqual([])
  },
)
