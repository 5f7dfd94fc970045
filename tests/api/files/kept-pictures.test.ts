import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { backUp } from '../../../server/data/backup/backup'
import { rebuild } from '../../../server/data/repair/rebuild'
import { verify } from '../../../server/data/repair/verify'
import type { PictureKind } from '../../../server/contract'
import { keptBytes } from '../../support/kept-bytes'
import { aPicture } from '../../support/pictures'
import { aProject, aUser } from '../../support/world/factories'
import { PASSWORD_HASH } from '../../support/world/password'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

async function world(server: TestServer) {
  const alice = await aUser(server, 'alice', { isHost: true })
  const project = await aProject(server, alice, { is_public: true })
  const client = server.as(alice)
  const file = new Blob([new Uint8Array(aPicture({ width: 80 }))])
  return {
    client,
    project,
    add: (kind: PictureKind) => client.pictures.add({ id: project.slug, kind, file }),
  }
}

describe('the pictures of a project', () => {
  test('go to the trash and come back with it, and leave the disk when it is deleted forever', async ({
    server,
  }) => {
    const { client, project, add } = await world(server)
    const { picture } = await add('icon')
    await client.projects.remove({ id: project.project_id })
    expect((await client.storage.stats({})).stats.used).toBe(0)
    await server.inside.tidy()
    await client.trash.restore({ id: project.project_id })
    expect((await server.fetch(picture.url)).status).toBe(200)

    await client.projects.remove({ id: project.project_id })
    await client.trash.remove({ id: project.project_id })
    expect((await keptBytes(server)).blobs).toBe(0)
  })

  test('are in backups, survive the sweep, and are rebuilt', async ({ server, folder }) => {
    const { client, project, add } = await world(server)
    const { picture: icon } = await add('icon')
    const { picture: removed } = await add('screenshot')
    await client.pictures.remove({ id: project.slug, pictureId: removed.picture_id })
    // A sweep leaves what was published since the start.
    await server.close()
    const again = await server.restart()
    await again.inside.tidy()
    expect((await again.fetch(icon.url)).status).toBe(200)

    const { path, ...backup } = await backUp(server.dataDir, join(folder, 'backups'), new Date(), {
      ...server.stored,
    })
    expect(backup).toMatchObject({ blobs: 2, problems: [] })
    const whole = await verify(path, { readData: true })
    expect(whole).toMatchObject({ orphans: 0, problems: [], trashed: 1 })

    const library = (await readdir(path)).filter((name) => name.startsWith('library.'))
    for (const name of library) await rm(join(path, name))
    const newId = () => 'recovered0000000'
    const rebuilt = await rebuild(path, {
      now: new Date(),
      newId,
      hashPassword: () => Promise.resolve(PASSWORD_HASH),
    })
    expect(rebuilt).toMatchObject({ projects: 1, files: 0, recovered: { filenames: [] } })
    expect(await verify(path, { readData: true })).toMatchObject({
      orphans: 0,
      problems: [],
      trashed: 1,
    })
  })
})
