import type { Client } from '../../../renderer/lib/client/api-client'
import { paths } from '../../../renderer/paths'
import type { TestServer } from '../../support/world/test-server'
import { aUser } from '../../support/world/factories'
import {
  aBuild,
  aFile,
  aProject,
  aPublicProject,
  clientOf,
  endHost,
  expect,
  startHost,
  test as base,
  VISITOR,
} from '../../support/world/page'
import { windowHeaders, windowSecret } from './window-world'

export { expect }

const about = [
  'Lantern reads books to you in the dark. It keeps your place on every device, and asks nobody for an account.',
  'Open a book, press play, put the device down. The light goes out by itself when you fall asleep.',
].join('\n\n')

const updates = [
  'The first public build is up. Tell me what breaks on your device.',
  '1.1.0 is out: the light follows the time of day, and the Windows build starts twice as fast.',
  '1.2.0 reads PDF files.\n\nTables and footnotes come next. Thank you to everybody who sent me a book.',
]

/** Longer than any line, and without a place to break it. */
const long = 'Supercalifragilisticexpialidocious'.repeat(3)
const LONG_SLUG = long.slice(0, 60).toLowerCase()
/** With the longest name. */
const NEWCOMER = 'm'.repeat(32)

/** Alice owns all, bob works on both projects, the newcomer has just registered. */
async function plantFullWorld(host: TestServer, alice: Client): Promise<void> {
  for (const username of ['bob', NEWCOMER]) await aUser(host, username)
  const lantern = await aPublicProject(alice, {
    title: 'Lantern',
    short_description: 'Reads books to you in the dark, and keeps your place on every device',
    description: about,
  })
  for (const version of ['1.0.0', '1.1.0', '1.2.0']) {
    await aBuild(alice, lantern, `lantern-${version}.apk`, { version, platform: 'Android' })
    await aBuild(alice, lantern, `Lantern Setup ${version}.exe`, { version, platform: 'Windows' })
  }
  await aBuild(alice, lantern, 'lantern-1.3.0-beta.1.apk', {
    isPublic: false,
    version: '1.3.0-beta.1',
  })
  await alice.releases.create({ id: lantern.slug, version: '2.0.0', state: 'draft', notes: long })
  await alice.releases.withdraw({ id: lantern.slug, version: '1.1.0' })
  for (const content of updates) await alice.posts.add({ id: lantern.slug, content })
  const nightly = await aProject(alice, 'Nightly builds')
  await aBuild(alice, nightly, 'lantern-nightly.apk', { isPublic: false, platform: 'Android' })
  for (const id of [lantern.project_id, nightly.project_id])
    await alice.collaborators.add({ id, username: 'bob' })
  await plantTheRest(alice)
  await plantTheLong(alice)
  await plantTheForms(host)
}

/** A project of bob's that takes reports and requests for access, on a host that sends mail. */
async function plantTheForms(host: TestServer): Promise<void> {
  await host.inside.settings.update({
    mail_server: 'mail.example.org',
    mail_from: 'builds@example.org',
  })
  const bob = await clientOf(host, 'bob')
  const tides = { title: 'Tide table', short_description: 'High water' }
  const { slug: id, ...project } = await aPublicProject(bob, tides)
  await aBuild(bob, { slug: id, ...project }, 'tides.dmg', { version: '1.0' })
  await bob.reports.configure({ id, reporters: 'everyone', room: 1024 * 1024, file_days: null })
  await bob.accessRequests.configure({ id, is_open: true, note: 'Old phones, please.' })
}

async function plantTheLong(alice: Client): Promise<void> {
  const fields = { title: long, short_description: long.slice(0, 100), description: long }
  const project = await aPublicProject(alice, fields)
  await aBuild(alice, project, `${long}.apk`, { version: long.slice(0, 64), platform: 'Android' })
  await aBuild(alice, project, `${long}.zip`, { isPublic: false })
  await alice.posts.add({ id: project.slug, content: long })
}

async function plantTheRest(alice: Client): Promise<void> {
  await aFile(alice, 'Quarterly report of the harbour authority, final version 2 (reviewed).pdf', {
    isPublic: true,
  })
  await aFile(alice, 'site.zip')
  const { file_id } = await aFile(alice, 'old-notes.txt')
  await alice.files.remove({ id: file_id })
  await alice.apiKeys.create({ name: 'GitHub Actions', expires_days: 90 })
  await alice.apiKeys.create({
    name: 'A key with quite a long name for a continuous integration job of somebody',
  })
  const [key] = (await alice.apiKeys.list({})).keys
  if (key) await alice.apiKeys.revoke({ id: key.key_id })
}

const open = {
  landing: paths.landing,
  browse: paths.browse,
  'public files': paths.publicFiles,
  docs: paths.docs,
  'docs of a group': paths.docsGroup('files'),
  'public project': paths.publicProject('lantern'),
  'public project of long words': paths.publicProject(LONG_SLUG),
  'project not found': paths.publicProject('nothing'),
  'page not found': '/no/such/page',
}
const own = {
  dashboard: paths.dashboard,
  'my files': paths.myFiles,
  builds: paths.builds,
  account: paths.account,
  trash: paths.trash,
  'api keys': paths.apiKeys,
  projects: paths.projects,
}
const project = (slug: string) => ({
  project: paths.project(slug),
  'project releases': paths.projectReleases(slug),
  'project updates': paths.projectUpdates(slug),
  'project statistics': paths.projectStatistics(slug),
  'project people': paths.projectPeople(slug),
  'project settings': paths.projectSettings(slug),
})
const { dashboard, projects } = own
const ofLantern = { 'public project': open['public project'] }

/** Takes reports and requests for access. */
export const OPEN_PROJECT = 'tide-table'

/**
 * Where each person of this world can go, by name; what looks as it does to an earlier person is
 * left out.
 */
export const pagesOf: Record<string, Record<string, string>> = {
  [VISITOR]: { ...open, login: paths.login, register: paths.register },
  [NEWCOMER]: { landing: open.landing, ...own, pair: '/pair?code=BCDF-GHJK' },
  bob: { ...ofLantern, projects, ...project('nightly-builds') },
  alice: {
    ...ofLantern,
    'public project of long words': open['public project of long words'],
    ...own,
    'project with builds': paths.project('lantern'),
    ...project(LONG_SLUG),
  },
  host: {
    dashboard,
    host: paths.host,
    people: paths.people,
    audit: paths.audit,
    data: paths.hostData,
    'host settings': `${paths.hostSettings}#advanced`,
    bucket: paths.hostBucket,
  },
}
async function openWorld(): Promise<TestServer> {
  const host = await startHost({ windowSecret })
  await plantFullWorld(host, await clientOf(host, 'alice'))
  return host
}

/**
 * `test` with a `page` of a person of this world, which all tests of a worker share: they only
 * look.
 */
export const test = base.extend({
  host: async ({ together }, use) => use(await together(openWorld, endHost)),
  // The host is administered in the app window only.
  extraHTTPHeaders: ({ person }, use) => use(person === 'host' ? windowHeaders : {}),
})
