import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { test } from '../../support/world/http'
import { upload } from '../../support/world/upload'

test('a creator registers, signs in, uploads a build, and a visitor downloads the same bytes', async ({
  server,
}) => {
  const browser = new Browser(server.url)
  const client = createClient(server.url, { fetch: browser.fetch })
  const bytes = Buffer.alloc(3_000_000, 'rocket')

  await client.accounts.register({
    username: 'alice',
    email: 'alice@example.com',
    password: 'correct horse',
  })
  await client.accounts.login({ username: 'alice', password: 'correct horse' })
  const file = await upload(browser.fetch, new File([bytes], 'rocket-1.2.0.apk'), {
    is_public: 'true',
  })
  const download = await server.fetch(`/api/files/${file.file_id}/download`)

  expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
  expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
})
