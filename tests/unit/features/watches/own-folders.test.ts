import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocalFile } from '../../../../server/features/local-files/local-file'
import { requireApart } from '../../../../server/features/watches/wanted-folder'
import { tempDir } from '../../../support/system/temp-dir'

test('neither the data folder nor that of --blobs is watched, and none of their files is published', async () => {
  const top = await tempDir()
  const ownFolders = ['data', 'bytes'].map((name) => join(top, name))
  for (const own of ownFolders) await mkdir(join(own, 'below'), { recursive: true })
  for (const own of ownFolders) {
    const [path, link] = [join(own, 'below', 'private.apk'), `${own}.apk`]
    await writeFile(path, 'private')
    await symlink(path, link)
    for (const folder of [own, join(own, 'below')])
      await expect(
        requireApart({ folder, pattern: '', withBelow: false }, ownFolders),
      ).rejects.toThrow('itself')
    for (const file of [path, link])
      await expect(openLocalFile({ path: file }, ownFolders)).rejects.toThrow(
        'belongs to the data folder of Slipway',
      )
  }
  await expect(
    requireApart({ folder: top, pattern: '', withBelow: true }, ownFolders),
  ).rejects.toThrow('contains')
  await requireApart({ folder: top, pattern: '', withBelow: false }, ownFolders)
})
