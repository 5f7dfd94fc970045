import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { openLocalFile } from '../../../server/features/local-files/local-file'
import { test } from '../../support/world/http'

const OURS = 'a build of the folder'
const THEIRS = 'a secret somewhere else'

/**
 * A watched folder with a build in a subfolder, and beside it a private folder with a file of the
 * same name.
 */
async function aSharedFolder(folder: string) {
  const [watched, own] = [join(folder, 'watched'), join(folder, 'own')]
  await mkdir(join(watched, 'below'), { recursive: true })
  await mkdir(own)
  await writeFile(join(watched, 'below', 'a.apk'), OURS)
  await writeFile(join(own, 'a.apk'), THEIRS)
  return { watched, own, below: join(watched, 'below'), path: join(watched, 'below', 'a.apk') }
}

describe('a build below a watched folder', () => {
  test('is not opened where the folder below has become a link', async ({ server, folder }) => {
    const { watched, own, below, path } = await aSharedFolder(folder)
    await rename(below, `${below}-before`)
    await symlink(own, below)

    await expect(openLocalFile({ path, within: watched }, server.dataDir)).rejects.toMatchObject({
      code: 'precondition_failed',
    })
  })

  test('is not opened where a link leads to another folder of the same watched one', async ({
    server,
    folder,
  }) => {
    const { watched, below, path } = await aSharedFolder(folder)
    await rename(below, `${below}-before`)
    await symlink(`${below}-before`, below)

    await expect(openLocalFile({ path, within: watched }, server.dataDir)).rejects.toMatchObject({
      code: 'precondition_failed',
    })
  })

  test('is opened where the watched folder is itself a link', async ({ server, folder }) => {
    const { watched } = await aSharedFolder(folder)
    const within = join(folder, 'link')
    await symlink(watched, within)

    const { handle } = await openLocalFile(
      { path: join(within, 'below', 'a.apk'), within },
      server.dataDir,
    )
    expect(await handle.readFile('utf8')).toBe(OURS)
    await handle.close()
  })

  test('is never another file, though its folder becomes a link', async ({ server, folder }) => {
    const { watched, own, below, path } = await aSharedFolder(folder)
    const [aside, link] = [join(folder, 'aside'), join(folder, 'link')]
    await symlink(own, link)
    let isOver = false
    const swapping = async () => {
      while (!isOver) {
        await rename(below, aside)
        await rename(link, below)
        await rename(below, link)
        await rename(aside, below)
      }
    }
    const swapped = swapping()
    const seen = new Set<string>()
    let caught = 0
    while (!seen.has(THEIRS) && (caught === 0 || !seen.has(OURS))) {
      const opened = await openLocalFile({ path, within: watched }, server.dataDir).catch(
        (cause: unknown) => {
          if ((cause as { code?: string }).code === 'precondition_failed') caught++
          return undefined
        },
      )
      if (opened) seen.add(await opened.handle.readFile('utf8'))
      await opened?.handle.close()
    }
    isOver = true
    await swapped

    expect([...seen]).toEqual([OURS])
    expect(await readFile(join(own, 'a.apk'), 'utf8')).toBe(THEIRS)
  })
})
