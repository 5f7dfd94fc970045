import type { Page } from 'playwright/test'
import type { Client } from '../../../renderer/lib/api-client'
import { paths } from '../../../renderer/paths'
import type { RunningServer } from '../../../server/index'
import { addUser, aFile, aProject, clientOf } from './owner-world'
import { aBuild, aPublicProject } from './visitor-world'

const about = [
  'Lantern reads books to you in the dark. It keeps your place on every device, and asks nobody for an account.',
  'Open a book, press play, put the device down. The light goes out by itself when you fall asleep.',
].join('\n\n')

const updates = [
  'The first public build is up. Tell me what breaks on your device.',
  '1.1.0 is out: the light follows the time of day, and the Windows build starts twice as fast.',
  '1.2.0 reads PDF files.\n\nTables and footnotes come next. Thank you to everybody who sent me a book.',
]

/** A host on which everybody has done something: a user, a collaborator and an owner with one of everything. */
export interface FullWorld {
  /** Alice's public project. */
  slug: string
  projectId: string
  /** Alice's private project, on which bob works. */
  privateId: string
}

/** Alice owns all, bob works on both projects, and newcomer has just registered. */
export async function plantFullWorld(host: RunningServer, alice: Client): Promise<FullWorld> {
  await addUser(host, 'bob')
  await addUser(host, 'newcomer')
  const lantern = await aPublicProject(alice, {
    title: 'Lantern',
    short_description: 'Reads books to you in the dark, and keeps your place on every device',
    description: about,
  })
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    await aBuild(alice, lantern, `lantern-${version}.apk`, { version, platform: 'Android' })
    await aBuild(alice, lantern, `Lantern Setup ${version}.exe`, { version, platform: 'Windows' })
  }
  await aBuild(alice, lantern, 'lantern-1.3.0-beta.1.apk', { isPublic: false, version: '1.3.0-beta.1' })
  for (const content of updates) await alice.feed.add({ id: lantern.slug, content })
  const nightly = await aProject(alice, 'Nightly builds')
  await aBuild(alice, nightly, 'lantern-nightly.apk', { isPublic: false, platform: 'Android' })
  for (const id of [lantern.project_id, nightly.project_id]) await alice.collaborators.add({ id, username: 'bob' })
  await plantTheRest(alice)
  const bob = await clientOf(host, 'bob')
  await aBuild(bob, await aPublicProject(bob, { title: 'Tide table', short_description: 'High water' }), 'tides.dmg')
  return { slug: lantern.slug, projectId: lantern.project_id, privateId: nightly.project_id }
}

async function plantTheRest(alice: Client): Promise<void> {
  await aFile(alice, 'Quarterly report of the harbour authority, final version 2 (reviewed).pdf', { isPublic: true })
  await aFile(alice, 'site.zip')
  const { file_id } = await aFile(alice, 'old-notes.txt')
  await alice.files.remove({ id: file_id })
  await alice.apiKeys.create({ name: 'GitHub Actions', expires_days: 90 })
  await alice.apiKeys.create({ name: 'Laptop' })
  const [key] = (await alice.apiKeys.list({})).keys
  if (key) await alice.apiKeys.revoke({ id: key.key_id })
}

/** Where each kind of person can go, by name. */
export function pagesOf({ slug, projectId, privateId }: FullWorld) {
  const open = {
    landing: paths.landing,
    browse: paths.browse,
    'public-files': paths.publicFiles,
    docs: paths.docs,
    'public-project': paths.publicProject(slug),
    'project-not-found': paths.publicProject('nothing'),
    'not-found': '/no/such/page',
  }
  const own = {
    dashboard: paths.dashboard,
    'my-files': paths.myFiles,
    builds: paths.builds,
    trash: paths.trash,
    'api-keys': paths.apiKeys,
    projects: paths.projects,
  }
  const project = (id: string) => ({
    project: paths.project(id),
    'project-updates': paths.projectUpdates(id),
    'project-statistics': paths.projectStatistics(id),
    'project-people': paths.projectPeople(id),
    'project-settings': paths.projectSettings(id),
  })
  return {
    visitor: { ...open, login: paths.login, register: paths.register },
    newcomer: { ...open, ...own },
    bob: { ...open, ...own, ...project(privateId) },
    alice: { ...open, ...own, ...project(projectId) },
    host: {
      ...own,
      host: paths.host,
      people: paths.people,
      audit: paths.audit,
      data: paths.hostData,
      'host-settings': paths.hostSettings,
    },
  }
}

/** Opens a page and waits until it shows what it came to show. */
export async function openSettled(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
  await page.locator('[role=status][aria-label=Loading], .mantine-Skeleton-root').first().waitFor({ state: 'hidden' })
}
