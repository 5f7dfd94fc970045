import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/world/factories'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('files.downloadExact', () => {
  test('at the address with its digest a public file may be kept for good', async ({ server }) => {
    const owner = await aUser(server, 'alice')
    const file = await aFile(server, owner, { bytes: 'the bytes', is_public: true })
    const path = (sha256: string) => `/api/files/public/alice/${file.file_id}/${sha256}/download`
    const response = await server.fetch(path(file.sha256))

    expect(await response.text()).toBe('the bytes')
    expect(response.headers.get('cache-control')).toBe(
      'public, max-age=31536000, immutable, no-transform',
    )
    expect((await server.fetch(path(file.sha256.toUpperCase()))).status).toBe(200)
    expect(await replyOf(server.fetch(path('0'.repeat(64))))).toEqual(problem('not_found'))
    expect(await replyOf(server.fetch(path('x')))).toEqual(problem('invalid_input', 'sha256'))
  })

  test('omits a file once it is made private or deleted, for its owner too', async ({ server }) => {
    const owner = await aUser(server, 'alice')
    const [one, two] = [
      await aFile(server, owner, { is_public: true }),
      await aFile(server, owner, { is_public: true }),
    ]
    const paths = [one, two].map(
      ({ file_id, sha256 }) => `/api/files/public/alice/${file_id}/${sha256}/download`,
    )
    await server.as(owner).files.setVisibility({ id: one.file_id, is_public: false })
    await server.as(owner).files.remove({ id: two.file_id })

    for (const path of paths) {
      const replies = [server.fetch(path), server.fetchAs(owner)(path)]
      for (const reply of replies) expect(await replyOf(reply)).toEqual(problem('not_found'))
    }
  })
})
