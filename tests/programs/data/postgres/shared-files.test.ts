import { appendFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { realDisk, replaceFile } from '../../../../server/core/durable-file'
import { getAudit, putAudit } from '../../../../server/data/postgres/files/audit-days'
import { AuditSender } from '../../../../server/data/postgres/files/audit-sender'
import { FileCipher, requireProof } from '../../../../server/data/postgres/files/file-cipher'
import { getFiles, putFiles } from '../../../../server/data/postgres/files/move-files'
import { SharedFiles } from '../../../../server/data/postgres/files/shared-files'
import { Follower } from '../../../../server/data/postgres/follow/follower'
import { openReplicaLibrary } from '../../../../server/data/postgres/follow/replica-commit-log'
import { SCHEMA } from '../../../../server/data/library/schema'
import {
  noPostgres,
  sharedPostgres,
  withPostgres,
  type Postgres,
} from '../../../support/cluster/postgres'
import { tempDir } from '../../../support/system/temp-dir'
import { aLease, aSession, clusterIn, ID, log, SECRET } from './a-cluster'

const cipher = new FileCipher(SECRET, ID)
const file = { name: 'settings.json', version: 3 }
const HISTORY = 'feed-history/project-1.json'

test('a sealed file opens as itself alone, with the secret of the cluster', async () => {
  const text = Buffer.from('{"port": 4780}\n')
  const sealed = await cipher.seal(file, text)
  expect(await new FileCipher(SECRET, ID).open(file, sealed)).toEqual(text)
  expect(sealed.includes('4780')).toBe(false)
  expect(await cipher.seal(file, text)).not.toEqual(sealed)
  const damaged = Buffer.from(sealed)
  damaged[20]! ^= 1
  const words = 'The file settings.json in PostgreSQL is damaged'
  await expect(cipher.open(file, damaged)).rejects.toThrow(words)
  await expect(cipher.open(file, sealed.subarray(0, 20))).rejects.toThrow(words)
  await expect(cipher.open({ ...file, version: 4 }, sealed)).rejects.toThrow(words)
  await expect(cipher.open({ ...file, name: 'secrets.json' }, sealed)).rejects.toThrow(
    'The file secrets.json',
  )
  for (const other of [
    new FileCipher(`${SECRET}!`, ID),
    new FileCipher(SECRET, 'another cluster'),
  ]) {
    await expect(other.open(file, sealed)).rejects.toThrow(words)
    expect(() => requireProof({ keyProof: cipher.proof }, other.proof)).toThrow(
      'The secret in the file of --cluster',
    )
  }
})

let postgres: Postgres
beforeAll(async () => {
  if (noPostgres === undefined) postgres = await sharedPostgres()
})

/** A host with a folder of its own that follows. */
async function aFollower(database: string): Promise<{ dir: string; follower: Follower }> {
  const dir = await tempDir()
  const files = new SharedFiles(dir, cipher)
  const follower = await Follower.open({ postgres: database, id: ID, schema: SCHEMA, log, files })
  onTestFinished(() => follower.close())
  await openReplicaLibrary(follower, log)
  return { dir, follower }
}

describe.skipIf(noPostgres)(withPostgres('files of all hosts'), () => {
  test('are at each host once its next question is answered, and deleted where they are', async () => {
    const url = await clusterIn(postgres)
    const dir = await tempDir()
    const lease = await aLease(url)
    const disk = new SharedFiles(dir, cipher).wrapDisk(lease, realDisk)
    await replaceFile(join(dir, 'settings.json'), 'one', disk)
    const { dir: other, follower } = await aFollower(url)
    const read = (name: string) => readFile(join(other, name), 'utf8')
    expect(await read('settings.json')).toBe('one')
    await replaceFile(join(dir, 'settings.json'), 'two', disk)
    await mkdir(join(dir, 'feed-history'))
    await replaceFile(join(dir, HISTORY), '{}', disk)
    await replaceFile(join(dir, 'admin.json'), 'of this host', disk)
    await replaceFile(join(dir, 'public.pem'), 'damaged', disk)
    await follower.fresh()
    expect([await read('settings.json'), await read('public.pem')]).toEqual(['two', 'damaged'])
    expect(await read(HISTORY)).toBe('{}')
    await disk.rm(join(dir, HISTORY), { force: true })
    await disk.rename(join(dir, 'public.pem'), join(dir, 'public.invalid.pem'))
    await disk.rm(join(dir, 'settings.json'), { force: true })
    await replaceFile(join(dir, 'secrets.json'), 's'.repeat(100), disk)
    await follower.fresh()
    expect((await readdir(other, { recursive: true })).sort()).toEqual([
      'feed-history',
      'secrets.json',
    ])
    const rows = await postgres.query(
      url,
      'select name, version, content from slipway.file order by name',
    )
    expect(rows.map(({ name, version }) => [name, version])).toEqual([
      [HISTORY, '2'],
      ['public.pem', '2'],
      ['secrets.json', '1'],
      ['settings.json', '3'],
    ])
    expect(JSON.stringify(rows)).not.toContain('sss')
  })

  test('are changed by the primary alone, and by none where PostgreSQL refuses', async () => {
    const url = await clusterIn(postgres)
    const [dir, other] = [await tempDir(), await tempDir()]
    const before = await aLease(url)
    const path = join(dir, 'settings.json')
    const disk = new SharedFiles(dir, cipher).wrapDisk(before, realDisk)
    await replaceFile(path, 'first', disk)
    await postgres.query(url, `update slipway.cluster set epoch = epoch + 1, holder = 'host-b#1'`)
    await expect(replaceFile(path, 'too late', disk)).rejects.toThrow('no longer the primary')
    expect(await readFile(path, 'utf8')).toBe('first')
    await postgres.query(url, 'update slipway.cluster set beat_at = to_timestamp(0)')
    const after = await aLease(url, 'host-c')
    const files = new SharedFiles(other, cipher)
    await files.take(await aSession(url))
    await postgres.query(url, 'alter table slipway.file add check (version < 2)')
    const refused = replaceFile(
      join(other, 'settings.json'),
      'second',
      files.wrapDisk(after, realDisk),
    )
    await expect(refused).rejects.toMatchObject({ code: 'EROFS' })
    expect(await readFile(join(other, 'settings.json'), 'utf8')).toBe('first')
    await postgres.query(url, 'alter table slipway.file drop constraint file_version_check')
    await replaceFile(join(other, 'settings.json'), 'second', files.wrapDisk(after, realDisk))
    const last = new SharedFiles(dir, cipher)
    await last.take(await aSession(url))
    expect(await readFile(path, 'utf8')).toBe('second')
  })

  test('end a host that follows where they are damaged', async () => {
    const url = await clusterIn(postgres)
    const dir = await tempDir()
    const lease = await aLease(url)
    const { follower } = await aFollower(url)
    await replaceFile(
      join(dir, 'settings.json'),
      'one',
      new SharedFiles(dir, cipher).wrapDisk(lease, realDisk),
    )
    await postgres.query(url, `update slipway.file set content = 'x'`)
    await expect(follower.fresh()).rejects.toThrow(
      'The file settings.json in PostgreSQL is damaged',
    )
    expect((await follower.lost).message).toContain('is damaged')
  })

  test('move in and out as they were, with the audit log', async () => {
    const session = await aSession(await clusterIn(postgres))
    const [dir, other] = [await tempDir(), await tempDir()]
    for (const name of ['audit', 'feed-history']) await mkdir(join(dir, name))
    await mkdir(join(other, 'feed-history'))
    await writeFile(join(other, 'feed-history/project-0.json'), 'of an earlier cluster')
    for (const name of ['settings.json', HISTORY]) await writeFile(join(dir, name), '{}')
    await writeFile(join(dir, 'release-keys.json'), Buffer.from([0, 255, 128]))
    await writeFile(join(other, 'tunnel-key'), 'of an earlier cluster')
    const today = new Date().toISOString().slice(0, 10)
    await writeFile(join(dir, `audit/${today}.jsonl`), '{"n":1}\nhalf a line\n{"n":"\\u0000 “"}\n')
    await putFiles(session, dir, cipher, 0)
    await putAudit(session, dir)
    await getFiles(session, other, cipher)
    await getAudit(session, other)
    expect((await readdir(other)).sort()).toEqual((await readdir(dir)).sort())
    expect(await readdir(join(other, 'feed-history'))).toEqual(['project-1.json'])
    for (const name of ['release-keys.json', 'settings.json', HISTORY, `audit/${today}.jsonl`])
      expect(await readFile(join(other, name))).toEqual(await readFile(join(dir, name)))
  })
})

describe.skipIf(noPostgres)(withPostgres('the audit log of all hosts'), () => {
  test('has what each primary wrote, and what a killed one had not sent', async () => {
    const url = await clusterIn(postgres)
    const [session, lease] = [await aSession(url), await aLease(url)]
    const [dir, other] = [await tempDir(), await tempDir()]
    const day = new Date().toISOString().slice(0, 10)
    const path = (of: string, on = day) => join(of, `audit/${on}.jsonl`)
    const line = (text: string) => ({ day, line: `${text}\n` })
    const sender = new AuditSender({ lease, log })
    sender.add([line('1'), line('2')])
    sender.add([line('3')])
    await sender.settled()
    await getAudit(session, dir)
    expect(await readFile(path(dir), 'utf8')).toBe('1\n2\n3\n')
    // Killed before it was sent; another host was the primary in between.
    await appendFile(path(dir), '4\n')
    await writeFile(path(dir, '2020-01-01'), 'older than 90 days\n')
    await getAudit(session, other)
    sender.add([line('5')])
    await sender.settled()
    await getAudit(session, dir)
    expect(await readFile(path(dir), 'utf8')).toBe('1\n2\n3\n5\n4\n')
    await getAudit(session, other)
    expect(await readFile(path(other), 'utf8')).toBe('1\n2\n3\n5\n4\n')
    await rm(path(dir, '2020-01-01'))
    expect(await readdir(join(other, 'audit'))).toEqual(await readdir(join(dir, 'audit')))
  })

  test('waits for a database that refuses lines', async () => {
    const url = await clusterIn(postgres)
    const refusals: unknown[] = []
    const lease = await aLease(url)
    const sender = new AuditSender({ lease, log: { warn: (about) => void refusals.push(about) } })
    await postgres.query(url, `alter table slipway.audit add check (line <> 'not this')`)
    sender.add([{ day: '2026-11-20', line: 'not this\n' }])
    await sender.settled()
    expect(refusals).not.toEqual([])
    await postgres.query(url, 'alter table slipway.audit drop constraint audit_line_check')
    sender.add([{ day: '2026-11-20', line: 'more\n' }])
    await sender.settled()
    const rows = await postgres.query(url, 'select line from slipway.audit order by id')
    expect(rows.map(({ line }) => line)).toEqual(['not this', 'more'])
  })
})
