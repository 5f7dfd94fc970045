import { expect, test } from 'vitest'
import { DrawnPreviews } from '../../../../server/features/embeds/drawn-previews'

const MB = 1024 * 1024
const card = { title: 'Rocket', text: '', label: '', facts: '' }
const readCard = () => Promise.resolve(card)

/** Draws previews of one size, and notes which. */
function aDrawer(bytes = 10) {
  const drawn: string[] = []
  const draw = (_card: object, key: string) => {
    drawn.push(key)
    return Promise.resolve(key === 'broken' ? undefined : Buffer.alloc(bytes))
  }
  return { drawn, previews: new DrawnPreviews({ draw }) }
}

test('a preview is drawn once, also for those who ask at the same time', async () => {
  const { drawn, previews } = aDrawer()
  const [first, second] = await Promise.all([previews.get('a', readCard), previews.get('a', readCard)])
  expect(second).toBe(first)
  expect(await previews.get('a', readCard)).toBe(first)
  expect(drawn).toEqual(['a'])
})

test('8 MB of previews are kept: those that were asked for last', async () => {
  const { drawn, previews } = aDrawer(3 * MB)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await previews.get(key, readCard)
  expect(drawn).toEqual(['a', 'b', 'c', 'b'])
})

test('30 are drawn in a minute; what is kept is still there, and what failed is tried again', async () => {
  const { drawn, previews } = aDrawer()
  expect(await previews.get('broken', readCard)).toBeUndefined()
  for (let at = 0; at < 40; at++) await previews.get(String(at), readCard)
  expect(drawn).toHaveLength(30)
  expect(await previews.get('0', readCard)).toBeDefined()
  expect(await previews.get('39', readCard)).toBeUndefined()
})
