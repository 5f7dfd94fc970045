import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugFor } from '../../../../server/features/projects/slug'

const free = () => false

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
])('%j becomes %j', (title, slug) => expect(slugFor(title, free)).toBe(slug))

test('a slug that is taken is numbered', () => {
  const taken = new Set(['rocket', 'rocket-2', 'rocket-3'])

  expect(slugFor('Rocket', (slug) => taken.has(slug))).toBe('rocket-4')
})

test('a long title makes a slug of 60 characters that does not end in a hyphen', () => {
  expect(slugFor('x'.repeat(200), free)).toBe('x'.repeat(60))
  expect(slugFor(`${'x'.repeat(59)} y`, free)).toBe('x'.repeat(59))
})

test('makes a slug from every title that a URL accepts unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 130 }), (title) => {
      expect(slugFor(title, free)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }),
  )
})
