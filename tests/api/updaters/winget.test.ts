import { describe, expect } from 'vitest'
import { z } from 'zod'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/**
 * What the published schema of the REST API allows (winget-cli-restsource, WinGet-1.10.0.yaml), of
 * the fields that are sent.
 */
const identifier = z
  .string()
  .max(128)
  .regex(/^[^.\s\p{Cc}\\/:*?"<>|]{1,32}(\.[^.\s\p{Cc}\\/:*?"<>|]{1,32}){1,7}$/u)
const version = z
  .string()
  .max(128)
  .regex(/^[^\p{Cc}\\/:*?"<>|]+$/u)
const url = z.url({ protocol: /^https?$/ }).max(2048)
const named = { PackageName: z.string().min(2).max(256), Publisher: z.string().min(2).max(256) }
const information = z.strictObject({
  Data: z.strictObject({
    SourceIdentifier: z.string().min(3).max(128),
    ServerSupportedVersions: z.array(z.string().min(1).max(128)).min(1),
  }),
})
const results = z.strictObject({
  // Every reply of the API has this; the schema allows more fields.
  success: z.literal(true),
  Data: z.array(
    z.strictObject({
      ...named,
      PackageIdentifier: identifier,
      Versions: z.array(z.strictObject({ PackageVersion: version })).min(1),
    }),
  ),
})
const manifest = z.strictObject({
  Data: z.strictObject({
    PackageIdentifier: identifier,
    Versions: z.array(
      z.strictObject({
        PackageVersion: version,
        DefaultLocale: z.strictObject({
          ...named,
          PackageLocale: z.literal('en-US'),
          PackageUrl: url,
          License: z.string().min(3).max(512),
          ShortDescription: z.string().min(3).max(256),
          Moniker: z.string().min(1).max(40).regex(/^\S+$/),
        }),
        Installers: z
          .array(
            z.strictObject({
              Architecture: z.enum(['x86', 'x64', 'arm', 'arm64']),
              InstallerType: z.enum(['msix', 'wix', 'nullsoft', 'portable']),
              InstallerUrl: url,
              InstallerSha256: z.string().regex(/^[A-F0-9]{64}$/),
              Commands: z.array(z.string().min(1).max(40)).max(16).optional(),
            }),
          )
          .min(1),
      }),
    ),
  }),
})

/** The source of winget at an address of the host: its three calls, read strictly. */
function aSource(server: TestServer, address: string) {
  const call = (path: string, body?: object) =>
    server.fetch(`${address}/${path}`, {
      method: body ? 'POST' : 'GET',
      // As winget sends them.
      headers: { 'content-type': 'application/json', version: '1.10.0' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const read = async <T>(schema: z.ZodType<T>, path: string, body?: object): Promise<T> => {
    const reply = await call(path, body)
    expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    return schema.parse(await reply.json())
  }
  return {
    call,
    information: async () => (await read(information, 'information')).Data,
    search: async (body: object) => (await read(results, 'manifestSearch', body)).Data,
    manifest: async (id: string) => (await read(manifest, `packageManifests/${id}`)).Data,
  }
}

describe('feeds.searchWinget', () => {
  test('finds the project as a package, and what winget then asks for', async ({ server }) => {
    const { id, owner, publish } = await aRocket(server)
    for (const version of ['1.0.0', '1.1.0'])
      await publish(`rocket-${version}.msi`, { version, bytes: version })
    const source = aSource(server, '/p/rocket/feeds/winget/stable')
    const { SourceIdentifier, ServerSupportedVersions } = await source.information()
    expect(ServerSupportedVersions).toEqual(expect.arrayContaining(['1.4.0', '1.10.0']))
    expect(
      (await aSource(server, '/p/rocket/feeds/winget/stable').information()).SourceIdentifier,
    ).toBe(SourceIdentifier)

    const [found] = await source.search({ FetchAllManifests: true })
    expect(found).toMatchObject({ PackageIdentifier: 'alice.rocket', PackageName: 'Rocket' })
    expect(found?.Versions.map((it) => it.PackageVersion)).toEqual(['1.1.0', '1.0.0'])
    const { Versions } = await source.manifest('Alice.Rocket?Version=1.1.0')
    const installer = Versions[0]?.Installers[0]
    expect(installer).toMatchObject({ Architecture: 'x64', InstallerType: 'wix' })
    expect(await (await server.fetch(new URL(installer?.InstallerUrl ?? '').pathname)).text()).toBe(
      '1.1.0',
    )

    await owner.releases.withdraw({ id, version: '1.1.0' })
    expect((await source.search({}))[0]?.Versions).toEqual([{ PackageVersion: '1.0.0' }])
    expect((await source.manifest('alice.rocket')).Versions).toHaveLength(1)
    // 404 would be a broken source to winget.
    expect((await source.call('packageManifests/other.package')).status).toBe(204)
    for (const path of ['information/more', 'packageManifests', 'other'])
      expect([path, (await source.call(path)).status]).toEqual([path, 404])
  })

  test('compares by identifier, name and moniker, and by no other field', async ({ server }) => {
    const { publish } = await aRocket(server)
    await publish('rocket.msi', { version: '1.0.0' })
    const source = aSource(server, '/p/rocket/feeds/winget/stable')
    const match = (KeyWord: string, MatchType: string) => ({ KeyWord, MatchType })
    const field = (PackageMatchField: string, KeyWord: string, MatchType = 'CaseInsensitive') => ({
      PackageMatchField,
      RequestMatch: match(KeyWord, MatchType),
    })
    const found: object[] = [
      { Query: match('rock', 'Substring') },
      { Query: match('ROCKET', 'CaseInsensitive') },
      { Query: match('rocket', 'Exact') },
      { Query: match('alice.r', 'StartsWith') },
      { Query: match('*ocke*', 'Wildcard') },
      { Inclusions: [field('ProductCode', '{1}'), field('Moniker', 'rocket')] },
      {
        Filters: [
          field('PackageIdentifier', 'alice.rocket'),
          field('PackageName', 'ocke', 'Fuzzy'),
        ],
      },
    ]
    const others: object[] = [
      { Query: match('other', 'Substring') },
      { Query: match('ROCKET', 'Exact') },
      { Query: match('rocket', 'Exact'), Filters: [field('Tag', 'rocket')] },
      {
        Inclusions: [
          field('NormalizedPackageNameAndPublisher', 'rocket'),
          field('constructor', ''),
        ],
      },
    ]
    for (const search of found)
      expect([search, await source.search(search)]).toEqual([search, [expect.anything()]])
    for (const search of others) expect([search, await source.search(search)]).toEqual([search, []])
    const foreign = { 'content-type': 'application/json', origin: 'https://evil.example' }
    const init = { method: 'POST', headers: foreign, body: '{}' }
    expect((await server.fetch('/p/rocket/feeds/winget/stable/manifestSearch', init)).status).toBe(
      403,
    )
  })
})
