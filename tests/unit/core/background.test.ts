import { expect, test } from 'vitest'
import { background } from '../../../server/core/background'

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('work that fails in the background is logged once in a row, and ends nothing', async () => {
  const logged: string[] = []
  const run = background({ warn: (_fields, message) => logged.push(message) }, 'it failed')
  const fail = () => {
    throw new Error('no file descriptor is left')
  }

  run(fail)
  run(() => Promise.reject(new Error('again')))
  await settled()
  expect(logged).toEqual(['it failed'])

  run(() => Promise.resolve())
  await settled()
  run(fail)
  await settled()
  expect(logged).toEqual(['it failed', 'it failed'])
})
