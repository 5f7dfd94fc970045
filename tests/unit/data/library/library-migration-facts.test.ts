import { expect, test } from 'vitest'
import { collectionAs, openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

test('a version that was read from a package stays, and makes the host read the rest', async () => {
  const dir = await tempDir()
  const old = await openLibrary(dir, { schema: 8 })
  const files = collectionAs<object>(old, 'files')
  const trashed = { filename: 'gone.exe', packageVersion: '0.9' }
  await old.transact((tx) => {
    tx.put(files, 'a', { id: 'a', filename: 'rocket.APK', packageVersion: '1.4.2' })
    tx.put(files, 'b', { id: 'b', filename: 'notes.txt' })
    tx.put(collectionAs<object>(old, 'trash'), 'c', {
      id: 'c',
      kind: 'file',
      value: { file: trashed, links: [] },
    })
  })
  await old.close()

  const library = await openLibrary(dir)
  expect([...collectionAs<object>(library, 'files').values()]).toEqual([
    { id: 'a', filename: 'rocket.APK', facts: { kind: 'apk', version: '1.4.2', isPartial: true } },
    { id: 'b', filename: 'notes.txt' },
  ])
  expect(collectionAs<object>(library, 'trash').get('c')).toEqual({
    id: 'c',
    kind: 'file',
    value: {
      file: { filename: 'gone.exe', facts: { kind: 'exe', version: '0.9', isPartial: true } },
      links: [],
    },
  })
  await library.close()
})
