import { describe, expect } from 'vitest'
import type { Project } from '../../../server/contract'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { UserRecord } from '../../../server/data/records/account-records'

const FEED = 'latest-linux.yml'

interface World {
  owner: UserRecord
  project: Project
  path: string
  /** Offers one more file of this name. */
  offer: (bytes: string, isPublic?: boolean, filename?: string) => Promise<string>
}

const test = base.extend<{ made: World }>({
  made: async ({ server }, use) => {
    const owner = await aUser(server, 'alice')
    const project = await aProject(server, owner, { is_public: true })
    const offer = async (bytes: string, isPublic = true, filename = FEED) => {
      const file = await aFile(server, owner, { filename, bytes, is_public: isPublic })
      await aLink(server, owner, project, file)
      return file.file_id
    }
    await use({ owner, project, offer, path: `/api/projects/${project.slug}/latest/${FEED}` })
  },
})

describe('projects.latest', () => {
  test('is the newest public file of the name, for its owner too', async ({ server, made }) => {
    await made.offer('version: 1.0.0')
    const second = await made.offer('version: 1.1.0')
    await made.offer('version: 2.0.0-draft', false)
    const text = async () => (await server.fetch(made.path)).text()

    expect(await text()).toBe('version: 1.1.0')
    expect(await (await server.fetchAs(made.owner)(made.path)).text()).toBe('version: 1.1.0')
    await server.as(made.owner).files.remove({ id: second })
    expect(await text()).toBe('version: 1.0.0')
  })

  test('is revalidated each time, and counts as a download', async ({ server, made }) => {
    const id = await made.offer('0123456789', true, 'Slipway 1.0.AppImage')
    const path = `/api/projects/${made.project.project_id}/latest/Slipway%201.0.AppImage?noCache=1a2b`
    const whole = await server.fetch(path)
    const parts = await server.fetch(path, { headers: { range: 'bytes=0-1, 8-9' } })

    expect(whole.headers.get('cache-control')).toBe('public, no-cache, no-transform')
    expect(await whole.text()).toBe('0123456789')
    expect([parts.status, parts.headers.get('content-type')]).toEqual([
      206,
      expect.stringMatching(/^multipart\/byteranges; boundary=/),
    ])
    expect(await parts.text()).toMatch(/\r\n\r\n01\r\n[^]+\r\n\r\n89\r\n/)
    await expect
      .poll(() => server.inside.counts.downloadsOfLink(made.project.project_id, id))
      .toBe(1)
  })
})
