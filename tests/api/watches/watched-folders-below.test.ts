import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { lookInto } from '../../../server/features/watches/folder-look'
import { has, test } from '../../support/watched-folder'

const RELEASE = 'app/build/outputs/apk/release'

async function write(folder: string, name: string, bytes = `the bytes of ${name}`): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), bytes)
}

describe('folders below', () => {
  test('count when enabled: their builds are published by name and reported with their path', async ({
    watched,
  }) => {
    const { out, watch, shown, offered } = watched
    expect((await watch({ pattern: '*.apk', include_below: true })).include_below).toBe(true)
    await write(out, `${RELEASE}/rocket-1.0.apk`)
    await write(out, `${RELEASE}/mapping.txt`)
    await shown(has(`${RELEASE}/rocket-1.0.apk`, 'published'))
    await write(
      out,
      'app/build/intermediates/rocket-1.0.apk',
      `the bytes of ${RELEASE}/rocket-1.0.apk`,
    )
    await shown(has('app/build/intermediates/rocket-1.0.apk', 'known'))

    await rm(join(out, 'app/build'), { recursive: true })
    await write(out, `${RELEASE}/rocket-1.1.apk`)
    await shown(has(`${RELEASE}/rocket-1.1.apk`, 'published'))

    const builds = (await offered()).map(({ filename, version }) => [filename, version]).sort()
    expect(builds).toEqual([
      ['rocket-1.0.apk', '1.0'],
      ['rocket-1.1.apk', '1.1'],
    ])
  })

  test('folders that are there when they begin to count are left alone', async ({ watched }) => {
    const { client, project, out, watch, shown, offered } = watched
    await write(out, 'debug/old.apk')
    const ours = { id: project.slug, watchId: (await watch()).watch_id }
    await write(out, 'debug/other.apk')

    await client.watches.change({ ...ours, include_below: true })
    await write(out, 'debug/new.apk')
    await shown(has('debug/new.apk', 'published'))
    await client.watches.change({ ...ours, include_below: false })
    await write(out, 'debug/later.apk')
    await write(out, 'near.apk')
    await shown(has('near.apk', 'published'))

    expect((await offered()).map(({ filename }) => filename).sort()).toEqual([
      'near.apk',
      'new.apk',
    ])
  })

  test('are never those of Slipway itself', async ({ server, watched, folder }) => {
    const { client, project, watch } = watched
    const { watch_id: watchId } = await watch({ include_below: true })
    const choose = () => server.inside.chosenFolders.offer(folder)
    const above = {
      field: 'folder',
      message: 'That folder contains the data of Slipway: choose another',
    }
    const add = (include_below: boolean) =>
      client.watches.add({ id: project.slug, folder: choose(), include_below })

    await expect(add(true)).rejects.toMatchObject(above)
    const change = { id: project.slug, watchId, folder: choose(), include_existing: true }
    await expect(client.watches.change(change)).rejects.toMatchObject(above)
    const { watch: near } = await add(false)
    const wider = { id: project.slug, watchId: near.watch_id, include_below: true }
    await expect(client.watches.change(wider)).rejects.toMatchObject(above)
  })
})

describe('a look', () => {
  const look = async (folder: string) =>
    (await lookInto({ folder, pattern: '*', withBelow: true })).entries

  test('goes eight levels down, into no links, nothing hidden', async ({ folder }) => {
    const eight = 'a/b/c/d/e/f/g/h'
    for (const name of [
      `${eight}/in.apk`,
      `${eight}/i/out.apk`,
      '.git/out',
      'x.tmp/out',
      'a/~$b~/out',
    ]) {
      await write(join(folder, 'tree'), name)
    }
    await symlink(join(folder, 'tree/a'), join(folder, 'tree/link'))
    await symlink(join(folder, 'tree'), join(folder, 'tree/a/up'))

    expect((await look(join(folder, 'tree'))).map(({ name }) => name)).toEqual([`${eight}/in.apk`])
  })

  test('stops where there are too many folders', async ({ folder }) => {
    for (let number = 0; number < 2000; number++)
      await mkdir(join(folder, 'tree', String(number)), { recursive: true })
    expect(await look(join(folder, 'tree'))).toEqual([])
    await mkdir(join(folder, 'tree/1/2'))
    const tooMany = 'The folder contains more than 2000 folders: choose one closer to the builds'
    await expect(look(join(folder, 'tree'))).rejects.toThrow(tooMany)
  })
})
