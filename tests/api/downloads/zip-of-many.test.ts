import { randomBytes } from 'node:crypto'
import { processorTime } from '../../support/system/processor-time'
import { expect } from 'vitest'
import { linkId } from '../../../server/features/projects/link-store'
import { aFile, aLink, aProject } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const MANY = 5000

/**
 * Gives a project thousands of builds of one name, as a CI job does over the years: records only,
 * without bytes.
 */
async function addBuilds(
  { inside: { library, files } }: TestServer,
  projectId: string,
  pattern: string,
) {
  const like = files.find(pattern)!
  await library.transact((tx) => {
    for (let n = 1; n < MANY; n++) {
      const file = {
        ...like,
        id: `build${String(n).padStart(11, '0')}`,
        blobId: randomBytes(16).toString('hex'),
      }
      tx.put(library.collection('files'), file.id, file)
      const link = {
        id: linkId(projectId, file.id),
        projectId,
        fileId: file.id,
        version: null,
        platform: null,
      }
      const at = { addedAt: file.uploadedAt, position: n, releaseId: null }
      tx.put(library.collection('links'), link.id, { ...link, ...at })
    }
  })
}

test('zips and lists digests of thousands of builds of one name', async ({ server, alice }) => {
  const project = await aProject(server, alice, { is_public: true })
  const build = await aFile(server, alice, {
    filename: 'app-release.apk',
    bytes: 'x',
    is_public: true,
  })
  await aLink(server, alice, project, build)
  await addBuilds(server, project.project_id, build.file_id)
  const path = `/api/projects/${project.slug}`

  let status = 0
  const spent = await processorTime(async () => {
    status = (await server.fetch(`${path}/download`, { method: 'HEAD' })).status
  })
  const sums = (await (await server.fetch(`${path}/SHA256SUMS`)).text()).trim().split('\n')
  const names = sums.map((line) => line.split('  ')[1]!)

  expect(status).toBe(200)
  // 60 ms. Numbering from the start for each file took more than 20 s.
  expect(spent).toBeLessThan(3000)
  expect([names[0], names[1], names.at(-1)]).toEqual([
    'app-release.apk',
    'app-release (2).apk',
    `app-release (${MANY}).apk`,
  ])
  expect(new Set(names).size).toBe(MANY)
  const { project: shown } = await server.visitor().projects.bySlug({ slug: project.slug })
  expect(shown.downloads[0]?.file_id).toBe(build.file_id)
})
