import { expect } from 'vitest'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test } from '../../support/world/http'

type Ask = (path: string) => Promise<Response>

/** Every address that shows or sends files of projects. `members`: with all files, to members. */
const doors = {
  '/api/projects': 'list',
  '/api/projects/rocket': 'members',
  '/api/projects/slug/rocket': 'members',
  '/api/projects/rocket/releases': 'members',
  '/api/projects/rocket/releases?since=1.0': 'members',
  '/api/projects/rocket/releases/latest': 'latest',
  '/api/projects/rocket/releases/latest?platform=android&arch=arm64': 'latest',
  '/api/projects/rocket/downloads/FILE/download': 'members',
  '/api/projects/rocket/latest/gone.apk': 'public',
  '/api/projects/rocket/download': 'members',
  '/api/projects/rocket/SHA256SUMS': 'members',
  '/p/rocket/releases/2.0.0/gone.apk': 'members',
  '/p/rocket/feeds/atom.xml': 'public',
  '/p/rocket/feeds/feed.json': 'public',
  '/p/rocket/feeds/electron/latest-linux.yml': 'public',
  '/p/rocket/feeds/electron/beta-linux-arm64.yml': 'public',
  '/p/rocket/feeds/electron/2.0.0/gone.apk': 'public',
  '/p/rocket/latest/android': 'latest',
  '/p/rocket/latest/android/arm64': 'latest',
  '/p/rocket': 'public',
  '/p/rocket/install': 'public',
  '/p/rocket/install?device=android': 'public',
  '/p/rocket/install/FILE/TICKET/app.ipa': 'public',
  '/api/files/public': 'files',
} as const

const states = ['published', 'draft', 'withdrawn', 'private file', 'private project'] as const
type State = (typeof states)[number]

/** Whether an address may show the file. */
function shows(state: State, door: (typeof doors)[keyof typeof doors], isMember: boolean): boolean {
  if (state === 'published') return true
  if (state === 'private project')
    return door === 'files' || (isMember && ['members', 'latest'].includes(door))
  return (
    isMember &&
    (['members', 'list'].includes(door) || (door === 'latest' && state === 'private file'))
  )
}

test.for(states)(
  '%s: no address shows the file to others than it should',
  async (state, { server }) => {
    const [alice, bob, carol] = [
      await aUser(server, 'alice'),
      await aUser(server, 'bob'),
      await aUser(server, 'carol'),
    ]
    const { project_id: id } = await aProject(server, alice, {
      is_public: state !== 'private project',
    })
    const other = await aProject(server, alice, { title: 'Other', is_public: true })
    const owner = server.as(alice)
    await owner.collaborators.add({ id, username: 'carol' })
    const offer = (filename: string, version: string, is_public: boolean) =>
      aFile(server, alice, { filename, version, project_id: id, is_public, platform: 'Android' })
    await offer('kept.bin', '1.0', true)
    await offer('gone.apk.AppImage', '2.0.0', state !== 'private file')
    const { file_id } = await offer('gone.apk', '2.0.0', state !== 'private file')
    if (state === 'draft' || state === 'withdrawn')
      await owner.releases.update({ id, version: '2.0.0', state })
    const ticket = server.inside.ticketOf('rocket', file_id)
    const grant = { scopes: ['read' as const, 'manage' as const], projectId: other.project_id }
    const { key } = await server.inside.apiKeys.create(alice.id, 'CI', null, grant)
    const actors: Record<string, [ask: Ask, isMember: boolean]> = {
      visitor: [server.fetch, false],
      'other user': [server.fetchAs(bob), false],
      'key for another project': [
        (path) => server.fetch(path, { headers: { 'x-api-key': key } }),
        false,
      ],
      collaborator: [server.fetchAs(carol), true],
      owner: [server.fetchAs(alice), true],
    }

    for (const [actor, [ask, isMember]] of Object.entries(actors)) {
      for (const [door, kind] of Object.entries(doors)) {
        const response = await ask(door.replace('FILE', file_id).replace('TICKET', ticket))
        const text = await response.text()
        expect
          .soft([actor, door, text.includes('gone.apk')])
          .toEqual([actor, door, shows(state, kind, isMember)])
        if (response.status >= 400)
          expect.soft([actor, door, response.status]).toEqual([actor, door, 404])
      }
    }
  },
)

test('a file that another project still offers stays listed', async ({ server, alice }) => {
  const { slug: id } = await aProject(server, alice, { is_public: true })
  const other = await aProject(server, alice, { title: 'Other', is_public: true })
  const file = await aFile(server, alice, { project_id: id, version: '1.0', is_public: true })
  const total = async () => (await server.visitor().files.listPublic({})).total
  await server.as(alice).releases.withdraw({ id, version: '1.0' })
  expect(await total()).toBe(0)
  expect((await server.as(alice).files.mine({})).total).toBe(1)

  await server.as(alice).projects.link({ id: other.slug, file_id: file.file_id })
  expect(await total()).toBe(1)
  await server.as(alice).releases.withdraw({ id: other.slug, version: '1.0' })
  expect(await total()).toBe(0)
  await server.as(alice).releases.publish({ id, version: '1.0' })
  expect(await total()).toBe(1)
})
