import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { ServerConfig } from '../../../server/index'
import { test as base } from '../../support/world/http'

const docs = join(import.meta.dirname, '../../../docs')
/** Bytes of a page with its pictures. */
const HEAVIEST_PAGE = 150_000

const test = base.extend<{ config: Partial<ServerConfig> }>({
  config: async ({ folder }, use) => {
    await cp(join(docs, 'guide'), join(folder, 'ui/guide'), { recursive: true })
    await cp(join(docs, 'deploy.md'), join(folder, 'ui/guide/deploy.md'))
    await use({})
  },
})

test('the guide has this host in its commands, links that work, light pages and no script', async ({
  server,
}) => {
  const read = async (path: string) => {
    const response = await server.fetch(path)
    expect(response.status, path).toBe(200)
    return response
  }
  const contents = await (await read('/guide')).text()
  const pages = [...contents.matchAll(/href="(\/guide\/[\w-]+)"/g)].map(([, path = '']) => path)
  const written = (await readdir(join(docs, 'guide'))).filter((name) => /^[a-z-]+\.md$/.test(name))
  expect(new Set(pages)).toEqual(new Set(written.map((name) => `/guide/${name.slice(0, -3)}`)))

  for (const path of pages) {
    const html = await (await read(path)).text()
    expect(html).not.toMatch(/builds\.example|<script/)
    expect(html.match(/<h1>/g)).toHaveLength(1)
    let weight = html.length
    for (const [, name = '', link = ''] of html.matchAll(/(href|src)="(\/guide[^"]*)"/g)) {
      const bytes = await (await read(link)).arrayBuffer()
      if (name === 'src') weight += bytes.byteLength
    }
    expect(weight, path).toBeLessThan(HEAVIEST_PAGE)
  }

  expect(await (await read('/guide/ci')).text()).toContain(`${server.url}/api/files/upload/`)
  expect(await (await read('/guide/ci')).text()).toMatch(/href="[^"]*updates" rel="prev"/)
  expect((await server.fetch('/guide/nothing')).status).toBe(404)
})
