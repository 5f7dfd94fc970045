import { describe, expect } from 'vitest'
import {
  api,
  LISTED_PROJECT,
  LIST_PAGE_SIZE,
  type Endpoint,
  type Project,
} from '../../../server/contract'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

/** Public projects with the longest text, made without a call each. */
async function manyProjects(
  { inside }: TestServer,
  { id }: UserRecord,
  count: number,
): Promise<void> {
  const text = {
    shortDescription: '',
    description: '灯'.repeat(20_000),
    isPublic: true,
    projectUrl: null,
  }
  const numbers = Array.from({ length: count }, (_, number) => number)
  await Promise.all(
    numbers.map((number) => inside.projects.create(id, { title: `Project ${number}`, ...text })),
  )
}

/** Every call of the API that answers a page of a list. */
const lists = Object.values(api)
  .flatMap((group) => Object.values(group as Record<string, Endpoint>))
  .filter(({ method, input }) => method === 'GET' && 'limit' in input.shape)

const idsOf = (projects: readonly Project[]) => projects.map(({ project_id }) => project_id)

describe('a list of projects', () => {
  test('a list of 100 long descriptions is below 200 kB, and one project has the whole text', async ({
    server,
  }) => {
    await manyProjects(server, await aUser(server, 'alice'), 100)

    const text = await (await server.fetch('/api/projects')).text()
    const { projects } = api.projects.listPublic.reply.parse(JSON.parse(text))
    const one = (await server.visitor().projects.byId({ id: projects[0]!.project_id })).project

    expect(projects).toHaveLength(100)
    expect(Buffer.byteLength(text)).toBeLessThan(200_000)
    expect(projects[0]!.description).toBe(`${'灯'.repeat(LISTED_PROJECT.description - 1)}…`)
    expect(one.description).toHaveLength(20_000)
  })

  test('cuts a description between two characters, and leaves a short one as it is', async ({
    server,
    alice,
  }) => {
    await aProject(server, alice, { description: `x${'🏮'.repeat(200)}` })
    await aProject(server, alice, { description: 'y'.repeat(LISTED_PROJECT.description) })

    const { projects } = await server.as(alice).projects.mine({})

    expect(projects.map(({ description }) => description)).toEqual([
      'y'.repeat(LISTED_PROJECT.description),
      `x${'🏮'.repeat(99)}…`,
    ])
    expect(projects.every(({ description }) => description.isWellFormed())).toBe(true)
  })

  test('has the newest files of each project, their number, and the platforms of all', async ({
    server,
    alice,
  }) => {
    const project = await aProject(server, alice, { is_public: true })
    const names = ['1.apk', '2.exe', '3.exe', '4.exe', '5.exe', '6.exe', '7.dmg']
    for (const filename of names) {
      await aLink(
        server,
        alice,
        project,
        await aFile(server, alice, { filename, is_public: filename !== '7.dmg' }),
      )
    }
    const seen = ({ projects: [listed] }: { projects: Project[] }) => ({
      files: listed!.downloads.map(({ filename }) => filename),
      total: listed!.total_files,
      platforms: listed!.platforms,
    })

    expect(seen(await server.as(alice).projects.mine({}))).toEqual({
      files: ['7.dmg', '6.exe', '5.exe', '4.exe', '3.exe'],
      total: 7,
      platforms: ['Android', 'Windows', 'macOS'],
    })
    expect(seen(await server.visitor().projects.listPublic({}))).toEqual({
      files: ['6.exe', '5.exe', '4.exe', '3.exe', '2.exe'],
      total: 6,
      platforms: ['Android', 'Windows'],
    })
    const whole = (await server.visitor().projects.bySlug({ slug: project.slug })).project
    expect([whole.downloads.length, whole.total_files]).toEqual([6, 6])
  })

  test('is searched as a whole: titles and short descriptions, without regard to case', async ({
    server,
    alice,
  }) => {
    const fields = { description: 'lantern', is_public: true }
    await aProject(server, alice, {
      ...fields,
      title: 'Laterne éclair',
      short_description: 'A Reading light',
    })
    for (const title of ['Compass', 'Anchor']) await aProject(server, alice, { ...fields, title })
    const found = async (search: string) =>
      (await server.visitor().projects.listPublic({ search, limit: 1 })).total

    expect(
      await Promise.all(['  LATERNE ', 'reading', 'Éclair', 'lantern', 'o', ''].map(found)),
    ).toEqual([1, 1, 1, 0, 2, 3])
  })
})

describe('pages of lists', () => {
  test('have 100 items at most, in every list', async ({ server, atWindow: host }) => {
    const { slug: id } = await aProject(server, server.user('host'), { is_public: true })
    for (const path of lists.map((list) => list.path.replace(':id', id))) {
      const tooMany = await replyOf(host.browser.fetch(`${path}?limit=${LIST_PAGE_SIZE + 1}`))
      expect.soft([path, tooMany]).toEqual([path, problem('invalid_input', 'limit')])
      expect
        .soft([path, (await host.browser.fetch(`${path}?limit=${LIST_PAGE_SIZE}`)).status])
        .toEqual([path, 200])
    }
  })

  test('without a limit 100 items come, and how many there are', async ({ server }) => {
    await manyProjects(server, await aUser(server, 'alice'), 101)

    const { projects, total } = await server.visitor().projects.listPublic({})

    expect([projects.length, total]).toEqual([100, 101])
  })

  test('records added between pages hide and reorder nothing', async ({ server, alice }) => {
    for (let number = 0; number < 6; number++) await aProject(server, alice, { is_public: true })
    const visitor = server.visitor()
    const before = idsOf((await visitor.projects.listPublic({})).projects)

    const read: string[] = []
    for (let offset = 0; offset < 8; offset += 2) {
      const page = await visitor.projects.listPublic({ limit: 2, offset })
      read.push(...idsOf(page.projects))
      await aProject(server, alice, { is_public: offset < 4 })
    }

    expect([...new Set(read)]).toEqual(before)
  })
})
