import { expect, test } from 'vitest'
import { pathInArguments, pathOfLink } from '../../../main/files/link-path'

test.each([
  ['slipway://open?project=my-app', '/p/my-app'],
  ['slipway://open/?project=aB3_x-9Z', '/p/aB3_x-9Z'],
  ['SLIPWAY://OPEN?project=my-app', '/p/my-app'],
])('%s leads to %s', (link, path) => {
  expect(pathOfLink(link)).toBe(path)
})

test.each([
  '',
  'slipway:',
  'slipway://open',
  'slipway://open?project=',
  'slipway://open?project=..%2F..%2Fapi',
  'slipway://open?project=a/b',
  'slipway://open?project=%2F%2Fevil.example',
  'slipway://open?project=a%0Ab',
  'slipway://open?project=a?x=y',
  `slipway://open?project=${'a'.repeat(129)}`,
  'slipway://open?project=a&project=b',
  'slipway://open?project=a&host=evil.example',
  'slipway://open/p/a?project=a',
  'slipway://open#project=a',
  'slipway://me:pw@open?project=a',
  'slipway://open:80?project=a',
  'slipway://evil.example?project=a',
  'https://open?project=a',
  'javascript:alert(1)',
])('%j leads nowhere', (link) => {
  expect(pathOfLink(link)).toBeUndefined()
})

test('a link is found among the arguments of a start, wherever it stands', () => {
  const argv = [
    '/opt/Slipway/slipway',
    '--data',
    '/x',
    'slipway://open?project=a',
    '--allow-file-access',
  ]
  expect(pathInArguments(argv)).toBe('/p/a')
  expect(pathInArguments(['/opt/Slipway/slipway', 'https://slipway://open'])).toBeUndefined()
})
