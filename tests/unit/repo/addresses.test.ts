import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { addresses } from '../../../scripts/package/addresses'

test('every address in packages comes from the address of the repository', () => {
  expect(addresses({ SLIPWAY_REPOSITORY: 'https://github.com/maya/slipway' })).toEqual({
    homepage: 'https://github.com/maya/slipway',
    feed: 'https://github.com/maya/slipway/releases/latest/download',
    maintainer: 'maya <maya@users.noreply.github.com>',
  })
  expect(addresses({})).not.toHaveProperty('homepage')
  for (const wrong of ['slipway', 'https://github.com/maya', 'https://github.com/maya/a b'])
    expect(() => addresses({ SLIPWAY_REPOSITORY: wrong })).toThrow(wrong)
})

test('no file that is packaged or read by people has a placeholder of an address', () => {
  const args = ['grep', '-lIF', 'slipway.example', '--', '.', ':!tests']
  expect(() => execFileSync('git', args, { stdio: 'pipe' })).toThrow()
})
