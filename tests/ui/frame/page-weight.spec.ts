import type { Request } from 'playwright/test'
import { aBuild, aPublicProject, expect, test } from '../support/visitor-world'

/** The compressed script that a first visit may load before a project can be downloaded, in bytes. */
const LIMIT = 155_000

test('a first-time visitor loads little script before a project can be downloaded', async ({ page, alice }) => {
  const project = await aPublicProject(alice)
  await aBuild(alice, project, 'lantern.apk')
  const before: Request[] = []
  let answered = false
  page.on('response', (response) => (answered ||= response.url().endsWith(`/api/projects/slug/${project.slug}`)))
  page.on('request', (request) => !answered && request.resourceType() === 'script' && before.push(request))

  await page.goto(`/p/${project.slug}`)
  await page.getByRole('link', { name: /^Download/ }).waitFor()
  const sizes = await Promise.all(before.map((request) => request.sizes()))
  const loaded = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
  expect(loaded).toBeGreaterThan(50_000)
  expect(loaded).toBeLessThanOrEqual(LIMIT)
})
