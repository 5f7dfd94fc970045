import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { strengthOf } from '../../../server/texts/account-texts'
import { ApiError } from '../../../renderer/lib/client/api-client'
import { failureField, failureText } from '../../../renderer/lib/client/failure'
import { shareUrl } from '../../../renderer/lib/host/host'

test.each([
  ['http://192.168.1.20:4780', 'http://127.0.0.1:4780', 'http://192.168.1.20:4780/p/x'],
  ['http://127.0.0.1:4780', 'http://127.0.0.1:4780', 'http://127.0.0.1:4780/p/x'],
  ['http://localhost:4780', 'https://builds.example', 'https://builds.example/p/x'],
  ['http://[::1]:4780', 'http://192.168.1.20:4780', 'http://192.168.1.20:4780/p/x'],
  ['https://builds.example/', 'http://192.168.1.20:4780', 'https://builds.example/p/x'],
])('a host shared at %s, seen from %s, has the link %s', (share_url, origin, link) => {
  expect(shareUrl({ share_url }, '/p/x', origin)).toBe(link)
})

test.each([
  ['123456', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['lantern92', 'fair'],
  ['Lantern92!', 'good'],
  ['readinglight', 'good'],
  ['correct horse battery', 'strong'],
])('%s is %s', (password, strength) => expect(strengthOf(password)).toBe(strength))

test('shows the host’s message for a failure, if there is one', () => {
  const texts = { failed: 'Login failed', unreachable: 'An error occurred during login' }
  expect(failureText(new ApiError('bad_credentials', 'Wrong password', 401), texts)).toBe(
    'Wrong password',
  )
  expect(failureText(new ApiError('internal', 'The host answered 502', 502), texts)).toBe(
    'Login failed: the host had an error',
  )
  expect(failureText(new ApiError('offline', 'The host cannot be reached', 0), texts)).toBe(
    texts.unreachable,
  )
  expect(
    failureText(new ApiError('offline', 'The host cannot be reached', 0), {
      failed: 'Failed to add post',
    }),
  ).toMatch(/^Failed to add post: /)
  expect(failureText(new TypeError('x'), texts)).toBe(texts.unreachable)
  expect(failureField(new ApiError('taken', 'Taken', 409, 'email'), ['email'])).toBe('email')
  expect(failureField(new ApiError('taken', 'Taken', 409, 'other'), ['email'])).toBeUndefined()
})

test('no class of visitors’ pages gets a property from two style sheets', () => {
  const setBy = new Map<string, string>()
  for (const sheet of globSync('renderer/visitor/**/*.css')) {
    const rules = readFileSync(sheet, 'utf8').replace(/\/\*.*?\*\//gs, '')
    for (const [, selectors = '', body = ''] of rules.matchAll(/([^{}]+)\{([^{}]*)\}/g))
      for (const [name] of selectors.matchAll(/(?<=^\s*|,\s*)\.[\w-]+(?=\s*(,|$))/g))
        for (const [property] of body.matchAll(/[\w-]+(?=:)/g)) {
          const place = `${name} ${property}`
          expect([undefined, sheet], `${place} in ${sheet}`).toContain(setBy.get(place))
          setBy.set(place, sheet)
        }
  }
  expect(setBy.get('.notice padding')).toBeDefined()
})
