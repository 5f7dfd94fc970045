import { describe, expect } from 'vitest'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { endpoints } from '../../../server/http/endpoint/addresses'
import { RawClient } from '../../support/network/raw-client'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { SECOND } from '../../support/world/test-clock'
import { WINDOW_SECRET, type TestServer } from '../../support/world/test-server'

const LISTS = ['/api/files/public', '/api/projects']

interface Offer {
  owner: Awaited<ReturnType<typeof aUser>>
  project: Awaited<ReturnType<typeof aProject>>
  file: Awaited<ReturnType<typeof aFile>>
  /** Downloads the file through the project, as another visitor each time. */
  download: () => Promise<void>
}

/** Alice's project Rocket with one file, all public. */
const test = base.extend<{ offer: Offer }>({
  offer: async ({ server }, use) => {
    const owner = await aUser(server, 'alice')
    const project = await aProject(server, owner, { is_public: true })
    const file = await aFile(server, owner, { filename: 'rocket.apk', is_public: true })
    await aLink(server, owner, project, file, { version: '1.0' })
    let visitors = 0
    const path = `/api/projects/${project.slug}/downloads/${file.file_id}/download`
    const download = async () =>
      void (await read(server, path, { 'user-agent': `visitor ${visitors++}` }))
    await use({ owner, project, file, download })
  },
})

const read = async (server: TestServer, path: string, headers: Record<string, string> = {}) =>
  (await server.fetch(path, { headers })).text()

/** The downloads of the first file and of the first project, in the lists and on the first page. */
async function countsSeen(server: TestServer, headers?: Record<string, string>) {
  const files = /"downloads":(\d+)/.exec(await read(server, '/api/files/public', headers))?.[1]
  const projects = /"total_downloads":(\d+)/.exec(await read(server, '/api/projects', headers))?.[1]
  const page = /(\d+) downloads? · /.exec(await read(server, '/', headers))?.[1]
  return [files, projects, page]
}

/** Asks at another name of the host. */
async function readAt(server: TestServer, host: string, path: string) {
  const client = await RawClient.connect(server.port)
  const { body } = await client.head(server.port, `GET ${path}`, { Host: host }).reply()
  client.close()
  return body
}

test('only calls that anyone may read are the same for visitors', () => {
  const shared = endpoints.filter(({ sameForVisitors }) => sameForVisitors)

  expect(shared.map(({ path }) => path).toSorted()).toEqual(LISTS)
  for (const { method, access } of shared) expect([method, access]).toEqual(['GET', 'anyone'])
})

describe('a reply that visitors share', () => {
  test('counts for two seconds; a change shows at once', async ({ server, offer, clock }) => {
    expect(await countsSeen(server)).toEqual(['0', '0', '0'])
    await offer.download()
    clock.advance(2 * SECOND - 1)
    expect(await countsSeen(server)).toEqual(['0', '0', '0'])
    clock.advance(1)
    expect(await countsSeen(server)).toEqual(['1', '1', '1'])
    await offer.download()
    expect(await countsSeen(server)).toEqual(['1', '1', '1'])
    await server.as(offer.owner).projects.update({ id: offer.project.slug, title: 'Saturn' })
    expect(await countsSeen(server)).toEqual(['2', '2', '2'])
    expect(await read(server, '/p/rocket')).toContain('<bdi>Saturn</bdi>')
  })

  test('is for people without an account, with any cookies', async ({ server, offer }) => {
    const { browser } = await server.signedIn(offer.owner)
    const key = { 'x-api-key': await server.keyOf(offer.owner) }
    const stranger = { cookie: 'slipway.sid=x; slipway.sid.sig=y' }
    await countsSeen(server)
    await offer.download()

    expect(await countsSeen(server, stranger)).toEqual(['0', '0', '0'])
    expect((await countsSeen(server, key)).slice(0, 2)).toEqual(['1', '1'])
    for (const path of LISTS) {
      const own = await (await browser.fetch(path)).text()
      expect(own).toMatch(/"(total_)?downloads":1/)
      expect(own).toContain('"delete"')
      expect(await read(server, path)).not.toContain('"delete"')
    }
    for (const path of ['/', '/p/rocket']) {
      expect(await read(server, path)).toContain('<h1>')
      expect(await (await browser.fetch(path)).text()).not.toContain('<h1>')
      expect(await read(server, path)).toContain('<h1>')
    }
  })

  test('is not what the app window and testers get', async ({ server, offer }) => {
    const hidden = await aFile(server, offer.owner, { filename: 'secret.apk' })
    await aLink(server, offer.owner, offer.project, hidden, { version: '1.0' })
    const { url } = await server
      .as(offer.owner)
      .testers.create({ id: offer.project.slug, name: 'Beta group' })
    const testerPath = new URL(url).pathname
    for (const path of ['/p/rocket', '/p/rocket/releases/1.0', ...LISTS]) {
      expect(await read(server, testerPath)).toContain('secret.apk')
      expect(await read(server, path)).not.toContain('secret.apk')
    }
    const window = { [WINDOW_HEADER]: WINDOW_SECRET }
    await countsSeen(server)
    await offer.download()

    expect((await countsSeen(server, window)).slice(0, 2)).toEqual(['1', '1'])
    expect(await read(server, '/', window)).not.toContain('<h1>')
  })

  test('ends with what it shows: a file that is hidden or deleted, and a private project', async ({
    server,
    offer: { owner, project, file },
  }) => {
    const paths = ['/p/rocket', '/p/rocket/releases', '/p/rocket/releases/1.0', ...LISTS]
    const showing = async () => {
      const shown = await Promise.all(
        paths.map(async (path) => (await read(server, path)).includes('rocket.apk')),
      )
      return paths.filter((_, index) => shown[index])
    }
    const client = server.as(owner)
    expect(await showing()).toEqual(paths)
    await client.files.setVisibility({ id: file.file_id, is_public: false })
    expect(await showing()).toEqual([])
    await client.files.setVisibility({ id: file.file_id, is_public: true })
    expect(await showing()).toEqual(paths)
    await client.projects.update({ id: project.slug, is_public: false })
    expect(await showing()).toEqual(['/api/files/public'])
    expect((await server.fetch('/p/rocket')).status).toBe(404)
    await client.projects.update({ id: project.slug, is_public: true })
    expect(await showing()).toEqual(paths)
    await client.files.remove({ id: file.file_id })
    expect(await showing()).toEqual([])
  })

  test('follows the settings that it shows', async ({ server, offer }) => {
    const { settings } = server.inside
    expect([offer.project.slug, await read(server, '/')]).toEqual([
      'rocket',
      expect.stringContaining('Your first page'),
    ])
    await settings.update({ registration_open: false })
    expect(await read(server, '/')).toContain('Have an account on this host?')
    for (const origin of ['https://builds.example', 'https://other.example']) {
      await settings.update({ public_url: origin })
      expect(await read(server, '/')).toContain(`rel="canonical" href="${origin}/"`)
      expect(await read(server, '/p/rocket')).toContain(`rel="canonical" href="${origin}/p/rocket"`)
    }
  })

  test('is of the name, query and device that a visitor uses', async ({ server, offer }) => {
    const app = await aFile(server, offer.owner, { filename: 'setup.exe', is_public: true })
    await aLink(server, offer.owner, offer.project, app, { version: '1.0' })
    for (const host of ['localhost', '127.0.0.1', '127.0.0.2'].map(
      (name) => `${name}:${server.port}`,
    ))
      expect(await readAt(server, host, '/p/rocket')).toContain(
        `rel="canonical" href="http://${host}/p/rocket"`,
      )
    for (const [device, name] of [
      ['Linux; Android 9', 'Android'],
      ['Windows NT 10.0; Win64; x64', 'Windows'],
    ] as const)
      expect(
        await read(server, '/p/rocket', { 'user-agent': `Mozilla/5.0 (${device})` }),
      ).toContain(`Download for ${name}`)
    for (const filename of ['rocket.deb', 'rocket.rpm']) {
      const linux = await aFile(server, offer.owner, { filename, is_public: true })
      await aLink(server, offer.owner, offer.project, linux, { version: '1.0' })
    }
    for (const [system, filename] of [
      ['Ubuntu', 'rocket.deb'],
      ['Fedora', 'rocket.rpm'],
    ] as const)
      expect(
        await read(server, '/p/rocket', {
          'user-agent': `Mozilla/5.0 (X11; ${system}; Linux x86_64)`,
        }),
      ).toContain(`<a class="button large" href="/p/rocket/releases/1.0/${filename}"`)
    expect(await read(server, '/api/files/public')).toContain('rocket.apk')
    expect(await read(server, '/api/files/public?search=setup')).not.toContain('rocket.apk')
    expect((await server.fetch('/api/files/public?limit=0')).status).toBe(400)
  })

  test('has the headers of every other one, and no body for HEAD', async ({ server, offer }) => {
    for (const path of ['/', `/p/${offer.project.slug}`, ...LISTS]) {
      const headersOf = async (method: string) => {
        const { headers } = await server.fetch(path, { method })
        return Object.fromEntries(
          [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name)),
        )
      }
      const first = await headersOf('GET')
      expect(await headersOf('GET')).toEqual(first)
      expect(await headersOf('HEAD')).toEqual(first)
      expect(await (await server.fetch(path, { method: 'HEAD' })).text()).toBe('')
    }
  })
})
