import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect } from 'vitest'
import { api } from '../../../server/contract'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { replyOf } from '../../support/network/reply'
import { anOciArchive, digestOf } from '../../support/images/oci-image'
import { needTools, run } from '../../support/system/debian'
import { aLockedLink } from '../../support/install/locked-link'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { tempDir } from '../../support/system/temp-dir'

const MISSING = { status: 404, body: { code: 'not_found', errors: [{}] } }
const imageOf = (version: string) => anOciArchive(`This is ${version}`)

describe('registry.ping', () => {
  test('says that this host is a registry', async ({ server }) => {
    expect((await server.fetch('/v2/')).status).toBe(200)
  })
})

describe.skipIf(noRoot)('registry.read, for skopeo', () => {
  beforeAll(() => needTools('skopeo'), 180_000)

  /** Pulls the image that a line of the page names, and returns the text in its layer. */
  async function pull(server: TestServer, base: string, channel: string): Promise<string> {
    const card = updaterCard('oci', {
      address: server.url + base,
      slug: 'rocket',
      channel,
      names: [],
      fingerprint: null,
    })
    const image =
      Object.values(card?.lines ?? {})[0]
        ?.split(' ')
        .at(-1) ?? ''
    const dir = await tempDir()
    await run('skopeo', [
      'copy',
      '--insecure-policy',
      '--src-tls-verify=false',
      `docker://${image}`,
      `dir:${dir}`,
    ])
    const manifest = await readFile(join(dir, 'manifest.json'))
    return digestOf(manifest)
  }

  test(
    named('skopeo pulls the newest image by the line of the page, and none that was withdrawn'),
    async ({ server }) => {
      const { id, owner, publish } = await aRocket(server)
      for (const version of ['1.0.0', '1.1.0'])
        await publish(`rocket-${version}.oci.tar`, { version, bytes: imageOf(version).archive })
      expect(await (await server.fetch('/p/rocket')).text()).toContain('podman pull')
      expect(await pull(server, '/p/rocket', 'stable')).toBe(digestOf(imageOf('1.1.0').manifest))

      await owner.releases.withdraw({ id, version: '1.1.0' })
      expect(await pull(server, '/p/rocket', 'stable')).toBe(digestOf(imageOf('1.0.0').manifest))
      for (const path of [
        `manifests/sha256:${digestOf(imageOf('1.1.0').manifest)}`,
        `blobs/sha256:${digestOf(imageOf('1.1.0').layer)}`,
      ])
        expect(await replyOf(server.fetch(`/v2/rocket/${path}`))).toMatchObject(MISSING)
    },
  )

  test(named('skopeo follows a tester link with a password until it ends'), async ({ server }) => {
    const { id, owner, publish } = await aRocket(server, false)
    await publish('rocket.oci.tar', { version: '1.0.0', bytes: imageOf('1.0.0').archive })
    await publish('rocket.oci.tar', { version: '2.0.0', bytes: imageOf('2.0.0').archive })
    await owner.releases.promote({ id, version: '2.0.0', channel: 'nightly' })
    const { page, testerId } = await aLockedLink(server, owner, id, 'stable')
    const [, token = ''] = /podman pull [^<]*\/t\/([0-9a-f]+):/.exec(page) ?? []
    const base = `/t/${Buffer.from(token, 'hex').toString()}`
    expect(await pull(server, base, 'stable')).toBe(digestOf(imageOf('1.0.0').manifest))
    await expect(pull(server, '/p/rocket', 'stable')).rejects.toThrow('manifest unknown')

    await owner.testers.revoke({ id, testerId })
    await expect(pull(server, base, 'stable')).rejects.toThrow('manifest unknown')
  })
})

describe('registry.read', () => {
  test('offers the files of each release as an artifact of blobs', async ({ server }) => {
    const { publish } = await aRocket(server)
    await publish('rocket.deb', { version: '1.0.0+5', bytes: 'the deb' })
    await publish('rocket.oci.tar', { version: '2.0.0-beta', bytes: imageOf('2').archive })
    const get = (path: string) => server.fetch(`/v2/rocket/${path}`)
    expect(await (await get('tags/list')).json()).toEqual({
      name: 'rocket',
      tags: [
        '1.0.0_5',
        '1.0.0_5-files',
        '2.0.0-beta',
        '2.0.0-beta-files',
        'beta',
        'beta-files',
        'latest',
        'latest-files',
      ],
    })
    const first = await get('manifests/latest')
    const text = await first.text()
    const { layers } = JSON.parse(text) as {
      layers: { digest: string; size: number; annotations: object }[]
    }
    const [layer] = layers
    expect(layer).toMatchObject({
      size: 7,
      annotations: { 'org.opencontainers.image.title': 'rocket.deb' },
    })
    expect(await (await get(`blobs/${layer?.digest}`)).text()).toBe('the deb')
    const digest = first.headers.get('docker-content-digest') ?? ''
    expect(digest).toBe(`sha256:${digestOf(Buffer.from(text))}`)
    expect(await (await get(`manifests/${digest}`)).text()).toBe(text)
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    expect((await server.fetch('/v2/rocket/manifests/1.0.0_5', { headers })).status).toBe(304)
    expect(
      ((await (await get('manifests/beta-files')).json()) as { artifactType: string }).artifactType,
    ).toContain('slipway')
  })

  test('sends parts of a layer, and nothing for other names', async ({ server }) => {
    const { publish } = await aRocket(server)
    const { archive, layer } = imageOf('1.0.0')
    await publish('rocket.tar', { version: '1.0.0', bytes: archive })
    const blob = `/v2/rocket/blobs/sha256:${digestOf(layer)}`
    const part = await server.fetch(blob, { headers: { range: 'bytes=2-5' } })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([
      206,
      layer.subarray(2, 6),
    ])
    expect(Buffer.from(await (await server.fetch(blob)).arrayBuffer()).equals(layer)).toBe(true)
    for (const path of [
      'rocket',
      'rocket/manifests/9',
      'rocket/tags/all',
      'other/tags/list',
      't/00/tags/list',
      'rocket/blobs/sha256:0',
      'rocket/x/latest',
    ])
      expect([path, await replyOf(server.fetch(`/v2/${path}`))]).toMatchObject([path, MISSING])
    expect(api.registry.read.download).toBe(true)
  })
})
