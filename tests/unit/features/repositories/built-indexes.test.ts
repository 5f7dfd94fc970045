import { expect, test } from 'vitest'
import { BuiltIndexes } from '../../../../server/features/repositories/built-indexes'

test('keeps the small indexes of many projects, and of large ones the last that fit', async () => {
  const built = new BuiltIndexes(() => 1)
  const ask = async (kind: string, count: number, bytes: number) => {
    let builds = 0
    for (let round = 0; round < 2; round++)
      for (let n = 0; n < count; n++)
        await built.get(`${kind}/${n}`, () => Promise.resolve((builds++, 'a'.repeat(bytes))))
    return builds
  }

  expect(await ask('small', 100, 1000)).toBe(100)
  expect(await ask('large', 100, 1_000_000)).toBe(200)
})
