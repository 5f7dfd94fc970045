import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { api, type Endpoint } from '../../../server/contract'

const endpoints = Object.values(api).flatMap((calls) => Object.values(calls) as Endpoint[])
const paths = endpoints
  .filter(({ method }) => method === 'GET')
  .map(({ path }) => path.replaceAll(/:\w+/g, 'x'))
const text = await readFile('renderer/public/robots.txt', 'utf8')

/** As RFC 9309 reads a rule: a prefix, in which a star is any text. */
const rules = [...text.matchAll(/^Disallow: (.+)$/gm)].map(
  ([, rule = '']) => new RegExp(`^${rule.replaceAll('*', '.*')}`),
)
const isKeptOut = (path: string) => rules.some((rule) => rule.test(path))

test('search engines fetch no bytes of files: they would be counted, and fill the line', () => {
  const bytes = paths.filter((path) => /\/download$|\/latest\//.test(path))
  expect(bytes.length).toBeGreaterThan(5)
  expect(bytes.filter((path) => !isKeptOut(path))).toEqual([])
})

test('robots may ask for all that public pages show, which they draw as a visitor sees them', () => {
  const shown = [
    api.projects.bySlug,
    api.projects.listPublic,
    api.posts.list,
    api.files.listPublic,
    api.host.about,
  ]
  expect(shown.map(({ path }) => path).filter(isKeptOut)).toEqual([])
})
