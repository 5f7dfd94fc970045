import { readdir } from 'node:fs/promises'
import { beforeAll, describe, expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { aLockedLink } from '../../support/install/locked-link'
import { aWheel } from '../../support/packages/for-managers'
import { needTools, run } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { tempDir } from '../../support/system/temp-dir'

async function aPackage(server: TestServer) {
  const rocket = await aRocket(server)
  const publish = (version: string, fields = '', is_public = true) =>
    rocket.publish(`acme_rocket-${version}-py3-none-any.whl`, {
      bytes: aWheel('Acme.Rocket', version, fields),
      is_public,
    })
  const get = (path: string, accept = '*/*') =>
    server.fetch(`/p/rocket/feeds/pip/${path}`, { headers: { accept }, redirect: 'manual' })
  return { ...rocket, publish, get }
}

describe('feeds.repository, for pip', () => {
  beforeAll(() => (noRoot === undefined ? needTools('pip3') : undefined), 180_000)

  test.skipIf(noRoot)(
    named(
      'pip installs the newest version that this Python runs, through a tester link with a password',
    ),
    async ({ server }) => {
      const { id, owner, publish } = await aPackage(server)
      const dir = await tempDir()
      await publish('1.0.0', '', false)
      await publish('1.1.0', 'Requires-Python: >=3.7\n', false)
      await publish('2.0.0', 'Requires-Python: >=4\n', false)
      const { base } = await aLockedLink(server, owner, id)
      const client = {
        address: server.url + base,
        slug: 'rocket',
        channel: 'stable',
        names: ['Acme.Rocket'],
        fingerprint: null,
      }
      const line = updaterCard('pip', client)?.lines?.pip ?? ''
      const here = line.replace(
        'pip install',
        `pip3 --isolated --no-cache-dir install --target ${dir} --no-deps`,
      )
      await run('sh', ['-ec', here])
      expect(await readdir(dir)).toEqual(['acme_rocket-1.1.0.dist-info'])
    },
  )

  test('has pages as HTML and as JSON, with digests and metadata, of what the reader may fetch', async ({
    server,
  }) => {
    const { id, owner, publish, get } = await aPackage(server)
    await publish('1.0.0', 'Requires-Python: >=3.7, <"4"\n')
    await publish('1.1.0', '', false)
    const html = await (await get('stable/acme-rocket/')).text()
    expect(html).toContain('data-requires-python="&gt;=3.7, &lt;&quot;4&quot;"')
    const [, href = ''] = /href="\.\.\/([^#"]+)#sha256=[0-9a-f]{64}"/.exec(html) ?? []
    expect((await (await get(`stable/${href}`)).arrayBuffer()).byteLength).toBeGreaterThan(0)
    expect(await (await get(`stable/${href}.metadata`)).text()).toContain(
      'Name: Acme.Rocket\nVersion: 1.0.0\n',
    )

    const reply = await get(
      'stable/acme-rocket/',
      'application/vnd.pypi.simple.v1+json, text/html;q=0.1',
    )
    expect(reply.headers.get('vary')).toContain('Accept')
    expect(await reply.json()).toMatchObject({ name: 'acme-rocket', versions: ['1.0.0'] })
    expect(await (await get('stable/')).text()).toContain('<a href="acme-rocket/">')
    const canonical = await get('stable/Acme.Rocket')
    expect(canonical.headers.get('location')).toBe(
      `${server.url}/p/rocket/feeds/pip/stable/acme-rocket/`,
    )

    // Other names come from the index of the settings. A name of this project never does, even when
    // it is withdrawn.
    await server.inside.settings.update({ python_index: 'https://python.example/simple' })
    expect((await get('stable/requests/')).headers.get('location')).toBe(
      'https://python.example/simple/requests/',
    )
    await owner.releases.withdraw({ id, version: '1.0.0' })
    expect((await get('stable/acme-rocket/')).status).toBe(404)
    expect((await get(`stable/${href}`)).status).toBe(404)
    expect((await get(`stable/${href}.metadata`)).status).toBe(404)
  })
})
