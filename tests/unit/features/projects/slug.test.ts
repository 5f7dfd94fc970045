import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findFreeSlug, slugify } from '../../../../server/features/projects/slug'

test.each([
  ['Rocket', 'rocket'],
  ['  Rocket  Launcher! ', 'rocket-launcher'],
  ['Crème Brûlée', 'creme-brulee'],
  ['Straße', 'strasse'],
  ['C++ & C#', 'c-c'],
  ['../../etc/passwd', 'etc-passwd'],
  ['RocketLauncher', 'rocketlauncher'],
  ['Ракета', 'raketa'],
  ['Πύραυλος', 'pyraylos'],
  ['Smørrebrød', 'smorrebrod'],
  ['Łódź Tool', 'lodz-tool'],
  ['Tiếng Việt đẹp', 'tieng-viet-dep'],
  ['日本語', 'project'],
  ['!!!', 'project'],
])('%j becomes %j', async (title, slug) => expect(await slugify(title)).toBe(slug))

test('a slug that is taken is numbered', () => {
  const taken = new Set(['rocket', 'rocket-2', 'rocket-3'])

  expect(findFreeSlug('rocket', (slug) => taken.has(slug))).toBe('rocket-4')
})

test('a long title makes a slug of 60 characters that does not end in a hyphen', async () => {
  expect(await slugify('x'.repeat(200))).toBe('x'.repeat(60))
  expect(await slugify(`${'x'.repeat(59)} y`)).toBe('x'.repeat(59))
})

test('makes a slug from every title that a URL accepts unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 130 }), async (title) => {
      expect(await slugify(title)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }),
  )
})
