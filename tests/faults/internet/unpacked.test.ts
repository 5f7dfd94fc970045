import { expect, test } from 'vitest'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { run, unpacked } from '../../support/system/debian'

const named = (name: string) => (cannotUnpack === undefined ? name : `${name} (not run: ${cannotUnpack})`)

test.skipIf(cannotUnpack)(named('unpacks programs with their libraries, also when two tests ask at once'), async () => {
  const [first, second] = await Promise.all([unpacked('coturn', 'pebble'), unpacked('coturn')])
  const turn = first.coturn.file('usr/bin/turnserver')
  const { stdout } = await run(turn, ['--version'], { env: { ...process.env, ...first.coturn.env } })

  expect(stdout).toMatch(/^\d+\.\d+/m)
  expect(second.coturn.file('usr/bin/turnserver')).toBe(turn)
  expect(first.pebble.file('usr/bin/pebble-challtestsrv')).toContain('pebble')
})

test.skipIf(cannotUnpack)(named('says which file a package lacks'), async () => {
  const { natpmpc } = await unpacked('natpmpc')

  expect(() => natpmpc.file('usr/bin/nothing')).toThrow('The Debian package natpmpc has no usr/bin/nothing')
})
