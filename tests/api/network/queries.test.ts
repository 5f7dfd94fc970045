import { expect } from 'vitest'
import { PICTURE_ALT_MAX, ZIP_MAX } from '../../../server/contract'
import { address } from '../../../renderer/lib/client/api-client'
import { endpointOf } from '../../support/calls'
import { problem, replyOf } from '../../support/network/reply'
import { aPicture } from '../../support/pictures'
import { aFile } from '../../support/world/factories'
import { test } from '../../support/world/http'

test('refuses a query over 2,000 characters or 50 parameters', async ({ server, id }) => {
  const long = `?a=${'x'.repeat(1999)}`
  const many = `?${'a&'.repeat(50)}`
  for (const path of [
    '/api/health',
    '/api/nowhere',
    '/v2/',
    `/p/${id}/feeds/atom.xml`,
    '/p/nowhere',
    '/favicon.svg',
  ]) {
    expect
      .soft([path, await replyOf(server.fetch(path + long))])
      .toEqual([path, problem('uri_too_long')])
    expect
      .soft([path, await replyOf(server.fetch(path + many))])
      .toEqual([path, problem('invalid_input')])
    const page = await server.fetch(path + long, { headers: { accept: 'text/html' } })
    expect.soft(await page.text()).toContain('<h1>This address is too long</h1>')
  }

  const within = `?${'a&'.repeat(49)}a=${'x'.repeat(1800)}`
  for (const path of ['/', '/api/health', `/p/${id}`, `/p/${id}/feeds/atom.xml`])
    expect.soft([path, (await server.fetch(path + within)).status]).toEqual([path, 200])
})

test('takes the longest input that a call allows', async ({ server, alice, published }) => {
  const { file_id } = await aFile(server, alice, { is_public: true })
  const ids = Array.from({ length: ZIP_MAX }, () => file_id).join(',')
  const zip = address(endpointOf('files.downloadMany'), { ids }).url
  expect((await server.fetch(zip)).status).toBe(200)
  expect((await server.fetch(zip, { method: 'HEAD' })).status).toBe(200)

  const alt = '夜'.repeat(PICTURE_ALT_MAX)
  const file = new Blob([new Uint8Array(aPicture({ width: 8 }))])
  const { picture } = await server
    .as(alice)
    .pictures.add({ id: published.slug, kind: 'icon', alt, file })
  expect(picture.alt).toBe(alt)

  const search = '夜'.repeat(200)
  expect(
    await server.visitor().projects.listPublic({ search, sort: 'downloads', platform: 'Android' }),
  ).toBeDefined()
})
