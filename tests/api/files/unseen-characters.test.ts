import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { aFile, aPost, aProject, aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import { alices, metadata } from '../../support/network/tus'
import { test as watchTest } from '../../support/watched-folder'

/**
 * Controls, what turns text around and what takes no room; then an emoji and a word that need their
 * joiners.
 */
const WRITTEN = 'Ro\u202eck\u0007e\u200bt\ufeff \u2066👩\u200d👧 می\u200cخواهم'
const KEPT = 'Rocket 👩\u200d👧 می\u200cخواهم'

test('removes invisible characters from texts, and line breaks from single-line ones', async ({
  server,
  alice,
}) => {
  const client = server.as(alice)
  const given = {
    title: `${WRITTEN}\n2`,
    short_description: `${WRITTEN}\t2`,
    description: `${WRITTEN}\n\t2`,
  }
  const { project } = await client.projects.create(given)
  const kept = { title: `${KEPT} 2`, short_description: `${KEPT} 2`, description: `${KEPT}\n\t2` }
  expect(project).toMatchObject(kept)
  expect(await aPost(server, alice, project, `${WRITTEN}\n2`)).toMatchObject({
    content: `${KEPT}\n2`,
  })
  expect((await aFile(server, alice, { version: WRITTEN })).version).toBe(KEPT)
})

test('a text of nothing else is an empty one', async ({ server, alice }) => {
  await expect(aProject(server, alice, { title: '\u202e\u200b' })).rejects.toThrow(
    'Give the project a title',
  )
})

test('a name with accents is found as Macs spell it, and as others do', async ({ server }) => {
  const { owner, publish } = await aRocket(server)
  await publish('Ünï-테스트.bin'.normalize('NFD'), { version: '1.0-ü' })
  for (const form of ['NFC', 'NFD']) {
    const [name, version] = ['Ünï-테스트.bin', '1.0-ü'].map((it) =>
      encodeURIComponent(it.normalize(form)),
    )
    for (const path of [
      `/p/rocket/releases/${version}/${name}`,
      `/p/rocket/feeds/electron/${version}/${name}`,
      `/p/rocket/feeds/proof/${version}/${name}`,
      `/api/projects/rocket/latest/${name}`,
    ])
      expect([path, (await server.fetch(path)).status]).toEqual([path, 200])
    const { files } = await owner.files.mine({ search: 'Ünï'.normalize(form) })
    expect(files).toHaveLength(1)
  }
})

test('an unfinished upload has the name that its file will have', async ({ server }) => {
  const { client } = await alices(server)
  const response = await client.create(5, {
    'upload-metadata': metadata({ filename: 'invoice-\u202egpj.exe' }),
  })
  expect(await response.json()).toMatchObject({ upload: { filename: 'invoice-gpj.exe' } })
})

watchTest(
  'a build of a watched folder is told of by the name of its file',
  async ({ server, watched }) => {
    const { out, watch, shown, offered } = watched
    const told: string[] = []
    server.inside.watchedFolders.onNews(({ filename }) => told.push(filename))
    await watch()
    await writeFile(join(out, 'invoice-\u202egpj.exe'), 'a build')

    const { recent } = await shown((it) => it.recent.length > 0)

    expect(recent).toMatchObject([{ filename: 'invoice-gpj.exe', outcome: 'published' }])
    expect(await offered()).toMatchObject([{ filename: 'invoice-gpj.exe' }])
    await expect.poll(() => told).toEqual(['invoice-gpj.exe'])
  },
)
