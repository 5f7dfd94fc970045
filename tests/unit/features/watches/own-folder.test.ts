import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLocalFile } from '../../../../server/features/local-files/local-file'
import { requireApart } from '../../../../server/features/watches/wanted-folder'
import { tempDir } from '../../../support/system/temp-dir'

test('the data folder is not watched, and none of its files is published', async () => {
  const top = await tempDir()
  const own = join(top, 'data')
  await mkdir(join(own, 'below'), { recursive: true })
  const [path, link] = [join(own, 'below', 'private.apk'), `${own}.apk`]
  await writeFile(path, 'private')
  await symlink(path, link)
  for (const folder of [own, join(own, 'below')])
    await expect(requireApart({ folder, pattern: '', withBelow: false }, own)).rejects.toThrow(
      'itself',
    )
  for (const file of [path, link])
    await expect(openLocalFile({ path: file }, own)).rejects.toThrow(
      'belongs to the data folder of Slipway',
    )
  await expect(requireApart({ folder: top, pattern: '', withBelow: true }, own)).rejects.toThrow(
    'contains',
  )
  await requireApart({ folder: top, pattern: '', withBelow: false }, own)
})
