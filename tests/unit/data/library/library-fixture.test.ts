import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LinkStore } from '../../../../server/features/projects/link-store'
import { ReleaseStore } from '../../../../server/features/projects/release-store'
import { WatchStore } from '../../../../server/features/watches/watch-store'
import { takeOutInvalid } from '../../../../server/data/repair/check-records'
import { inconsistencies } from '../../../../server/data/repair/consistency'
import type { RecordOf } from '../../../../server/data/records/records'
import { recordsOf } from '../../../../server/data/repair/records'
import { readLibrary } from '../../../../server/data/library/read-library'
import { realSources } from '../../../../server/core/clock'
import { openLibrary } from '../../../support/data/temp-library'
import type { LinkRecord } from '../../../../server/data/records/project-records'
import { tempDir } from '../../../support/system/temp-dir'

const FIXTURES = join(import.meta.dirname, 'fixtures')

/**
 * Written by the first schema; never rewrite it. A changed record needs a migration and its own
 * fixture.
 */
test('25: the library of the first schema opens for ever, with everything in it', async () => {
  const dir = await tempDir()
  await cp(join(FIXTURES, 'schema-1'), dir, { recursive: true })
  const library = await openLibrary(dir)
  const { data } = await readLibrary(dir)
  const { users, files, projects, links, posts, trash } = recordsOf(data)
  expect([...users.values()].map(({ username, isHost }) => [username, isHost])).toEqual([
    ['alice', true],
    ['bob', false],
  ])
  expect([...files.values()].map(({ filename, isPublic }) => [filename, isPublic])).toEqual([
    ['rocket-1.0.apk', true],
    ['Änderungen – 🚀.txt', false],
  ])
  const offered = [...links.values()].map(({ projectId, fileId }) => [
    projects.get(projectId)?.slug,
    fileId,
  ])
  expect(offered).toEqual([['rocket', 'fileRocket000000']])
  expect([...posts.values()].map(({ content }) => content)).toEqual(['Lift-off'])
  expect([...trash.values()].map(({ name }) => name)).toEqual(['gone.txt'])
  expect(data.collections.apiKeys.size).toBe(1)
  expect(library.counter('file:fileRocket000000:downloads')).toBe(42)
  expect(inconsistencies(recordsOf(data))).toEqual([])
  expect(takeOutInvalid(data)).toEqual([])
})

test('25: the links of a library of schema 5 become records, in the order of linking, and those in the trash too', async () => {
  const dir = await tempDir()
  await cp(join(FIXTURES, 'schema-5'), dir, { recursive: true })
  const library = await openLibrary(dir)
  const store = new LinkStore(
    library,
    realSources,
    new ReleaseStore(library, realSources, { text: () => undefined }),
  )
  const { data } = await readLibrary(dir)
  const { projects, trash } = recordsOf(data)
  const told = (links: readonly LinkRecord[]) =>
    links.map(({ fileId, version, platform }) => `${fileId} ${version} ${platform}`)
  const inTrash = (id: string) =>
    told((trash.get(id)!.value as { links: readonly LinkRecord[] }).links)
  expect(told(store.ofProject('projectRocket000'))).toEqual([
    'fileMike00000000 1.0 macOS',
    'fileAlpha0000000 1.1 Android',
    'fileZulu00000000 1.0 Android',
  ])
  expect(told(store.ofProject('projectRover0000'))).toEqual(['fileZulu00000000 null null'])
  expect(inTrash('fileGone00000000')).toEqual(['fileGone00000000 0.5 Linux'])
  expect(inTrash('projectLander000')).toEqual([
    'fileMike00000000 0.9 macOS',
    'fileZulu00000000 0.1 null',
  ])
  expect(JSON.stringify([...projects.values(), ...trash.values()])).not.toMatch(
    /"placed"|"slug":[^}]*"links"/,
  )
  expect(inconsistencies(recordsOf(data))).toEqual([])
})

test('25: the versions of a library of schema 7 become releases, and those in the trash too', async () => {
  const dir = await tempDir()
  await cp(join(FIXTURES, 'schema-7'), dir, { recursive: true })
  await openLibrary(dir)
  const { data } = await readLibrary(dir)
  const { links, releases, trash } = recordsOf(data)
  const told = (all: Iterable<RecordOf<'releases'>>) =>
    Array.from(
      all,
      ({ version, channel, state, createdAt }) => `${version} ${channel} ${state} ${createdAt}`,
    )
  const valueOf = (id: string) =>
    trash.get(id)!.value as { releases: readonly RecordOf<'releases'>[] }
  expect(told(releases.values())).toEqual([
    '1.0 stable published 2026-11-22T08:00:10.000Z',
    '1.1.0-beta.1 beta published 2026-11-22T08:00:30.000Z',
    '2.0 stable published 2026-11-22T08:00:40.000Z',
  ])
  expect(
    [...links.values()].map((link) => [link.fileId, releases.get(link.releaseId ?? '')?.version]),
  ).toEqual([
    ['fileOther0000000', '1.0'],
    ['fileTyped0000000', '1.0'],
    ['fileUpload000000', '1.1.0-beta.1'],
    ['filePackage00000', '2.0'],
    ['fileNotes0000000', undefined],
    ['fileDots00000000', undefined],
  ])
  expect(told(valueOf('fileGone00000000').releases)).toEqual([
    '0.9 stable published 2026-11-22T08:00:05.000Z',
  ])
  expect(told(valueOf('projectRover0000').releases)).toEqual([
    '2.0 stable published 2026-11-22T08:01:20.000Z',
    '7.0 stable published 2026-11-22T08:01:30.000Z',
  ])
  expect(inconsistencies(recordsOf(data))).toEqual([])
  expect(takeOutInvalid(data)).toEqual([])
})

test('25: watched folders from before the version setting keep taking it from the name first', async () => {
  const dir = await tempDir()
  await cp(join(FIXTURES, 'schema-3'), dir, { recursive: true })
  const library = await openLibrary(dir)
  const watches = new WatchStore(library, realSources)
  const folders = watches
    .ofProject('projectRocket000')
    .map(({ folder, pattern, versionFrom, withBelow }) => [folder, pattern, versionFrom, withBelow])
  expect(folders).toEqual([
    ['/srv/rocket/out', '*.apk', 'name', false],
    ['/srv/rover/out', '*', 'name', false],
  ])
  expect(watches.takenFrom('watchRocket00000').map(({ version }) => version)).toEqual(['1.0'])
  await library.checkpoint()
  const { data } = await readLibrary(dir)
  expect(data.collections.watches.get('watchRover000000')).toMatchObject({
    versionFrom: 'name',
    withBelow: false,
  })
  expect(takeOutInvalid(data)).toEqual([])
})
