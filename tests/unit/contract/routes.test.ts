import { expect, test } from 'vitest'
import { fillRoute, isPagePath, matchRoute, routes } from '../../../server/contract/routes'

test.for([
  ['/', true],
  ['/my-files', true],
  ['/my-files/', true],
  ['/host/data', true],
  ['/projects/rocket/people', true],
  ['/p/rocket/releases/1.4.0', true],
  ['/p/rocket/install', true],
  ['/my-file', false],
  ['/projects/rocket/nothing', false],
  ['/host/data/more', false],
  ['//', false],
] as const)('%s is the path of a page: %s', ([path, expected]) => {
  expect(isPagePath(path)).toBe(expected)
})

test('a path and its parameters become each other', () => {
  expect(matchRoute(routes.publicRelease, '/p/rocket/releases/1.0%20b')).toEqual({
    slug: 'rocket',
    version: '1.0%20b',
  })
  expect(matchRoute(routes.publicRelease, '/p/rocket/releases')).toBeUndefined()
  expect(fillRoute(routes.publicRelease, { slug: 'rocket', version: '1.0 b' })).toBe(
    '/p/rocket/releases/1.0%20b',
  )
})
