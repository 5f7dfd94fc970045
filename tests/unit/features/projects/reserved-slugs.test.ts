import { expect, test } from 'vitest'
import { Allowance } from '../../../../server/access/allowance'
import { ProjectStore } from '../../../../server/features/projects/project-store'
import { ReservedSlugs } from '../../../../server/features/projects/reserved-slugs'
import type { Library } from '../../../../server/data/library/library'
import { settingsSchema } from '../../../../server/data/settings/settings-schema'
import { realSources } from '../../../../server/core/clock'
import { collectionAs, openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

const allowance = new Allowance({
  settings: { get: () => settingsSchema.parse({}) },
  fits: () => true,
  exists: () => true,
})
const text = (title: string) => ({
  title,
  shortDescription: '',
  description: '',
  isPublic: true,
  projectUrl: null,
})

const reservedIn = (library: Library) =>
  [...library.collection('reservedSlugs').values()].map(({ slug, ownerId }) => [slug, ownerId])

async function deleted(
  library: Library,
  projects: ProjectStore,
  ownerId: string,
  title: string,
): Promise<void> {
  const project = await projects.create(ownerId, text(title))
  await library.transact((tx) => projects.drop(tx, project))
}

test('an account keeps its newest reservations, and evicts none of others', async () => {
  const library = await openLibrary(await tempDir())
  const projects = new ProjectStore(library, realSources, allowance, new ReservedSlugs(library, 2))
  await deleted(library, projects, 'bob', 'Bobs')
  for (const title of ['One', 'Two', 'Three']) await deleted(library, projects, 'alice', title)
  expect(reservedIn(library)).toEqual([
    ['bobs', 'bob'],
    ['two', 'alice'],
    ['three', 'alice'],
  ])
  expect((await projects.create('bob', text('One'))).slug).toBe('one')
  expect((await projects.create('bob', text('Two'))).slug).toBe('two-2')
})

test('projects that an older version put into the trash have their slugs reserved', async () => {
  const dir = await tempDir()
  const old = await openLibrary(dir, { schema: 5 })
  const put = (id: string, slug: string, ownerId: string) => {
    const value = { project: { id, slug, ownerId }, posts: [] }
    const record = { id, kind: 'project', ownerId, name: slug, size: 0, blobId: null, value }
    return old.transact((tx) => {
      tx.put(collectionAs(old, 'trash'), id, { ...record, deletedAt: '2026-11-20T08:00:00.000Z' })
    })
  }
  await put('projectRocket001', 'rocket', 'alice')
  await put('projectRover0001', 'rover', 'alice')
  const live = {
    id: 'projectRover0002',
    slug: 'rover',
    ownerId: 'bob',
    collaboratorIds: [],
    links: [],
    createdAt: '',
  }
  await old.transact((tx) => tx.put(collectionAs(old, 'projects'), live.id, live))
  await old.close()

  const library = await openLibrary(dir)
  expect(reservedIn(library)).toEqual([['rocket', 'alice']])
})
