import { expect, test } from 'vitest'
import { findTarget, suggestTarget } from '../../../../renderer/features/publish/sheet-target'
import type { Unfinished } from '../../../../renderer/features/uploads/transport/unfinished'
import type { Project } from '../../../../server/contract'
import { titleOfFilename } from '../../../../server/texts/filename'

const lantern = {
  project_id: 'p1',
  downloads: [{ facts: { app_id: 'example.lantern' } }],
} as Project
const known = { place: {}, projects: [lantern], appId: undefined, begun: undefined }

test('the sheet suggests the project of the page, of the interrupted upload, or of the same application', () => {
  const place = { project: { id: 'p2', title: 'Rocket', isPublic: true } }
  expect(suggestTarget({ ...known, place, appId: 'example.lantern' })).toBe('p2')
  expect(suggestTarget({ ...known, appId: 'example.lantern' })).toBe('p1')
  expect(suggestTarget({ ...known, begun: { project_id: 'p3' } as Unfinished })).toBe('p3')
  expect(suggestTarget({ ...known, begun: { project_id: null } as Unfinished })).toBe('none')
  expect(suggestTarget({ ...known, appId: 'example.rocket' })).toBe('new')
  expect(suggestTarget({ ...known, place: { isStore: true } })).toBe('none')
  expect(suggestTarget({ ...known, place: { isStore: true }, appId: 'example.lantern' })).toBe('p1')
})

test('a chosen project that is gone is a failure, not an upload without a project', () => {
  expect(findTarget('p1', [lantern])).toBe(lantern)
  expect(findTarget('none', [lantern])).toBeUndefined()
  expect(() => findTarget('p2', [lantern])).toThrow('no longer available')
})

test.each([
  ['lantern_app-1.4.0-beta.apk', 'Lantern app'],
  ['Rocket Setup 1.3.exe', 'Rocket Setup'],
  ['src.tar.gz', 'Src'],
  ['1.4.0.zip', '1.4.0'],
  ['README', 'README'],
])('%s becomes the title %s', (filename, title) => expect(titleOfFilename(filename)).toBe(title))
