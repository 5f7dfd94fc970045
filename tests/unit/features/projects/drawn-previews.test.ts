import { expect, test } from 'vitest'
import { DrawnPreviews } from '../../../../server/features/embeds/drawn-previews'

const MB = 1024 * 1024
const card = { title: 'Rocket', text: '', label: '', facts: '' }
/**
 * A wish for the preview of a project, of which each has its own, by a client at this address;
 * undefined: by the host.
 */
const wish = (key: string, address?: string, projectId = key) => ({
  ...{ key, projectId, isOfRelease: address !== undefined, readCard: () => Promise.resolve(card) },
  ...(address !== undefined && { address }),
})

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
  const [first, second] = await Promise.all([previews.get(wish('a')), previews.get(wish('a'))])
  expect(second).toBe(first)
  expect(await previews.get(wish('a'))).toBe(first)
  expect(drawn).toEqual(['a'])
})

test('8 MB of previews are kept: those that were asked for last', async () => {
  const { drawn, previews } = aDrawer(3 * MB)
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await previews.get(wish(key))
  expect(drawn).toEqual(['a', 'b', 'c', 'b'])
})

test('a network and a project have shares, and the previews of projects a reserve', async () => {
  const { drawn, previews } = aDrawer()
  const busy = {
    code: 'busy',
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) as string },
  }
  for (let at = 0; at < 10; at++) await previews.get(wish(`${at}`, 'one'))
  await expect(previews.get(wish('10', 'one'))).rejects.toMatchObject(busy)
  for (let at = 0; at < 5; at++) await previews.get(wish(`v${at}`, `two-${at}`, 'rocket'))
  await expect(previews.get(wish('v5', 'three', 'rocket'))).rejects.toMatchObject(busy)
  for (let at = 0; at < 15; at++) await previews.get(wish(`more-${at}`, `four-${at}`))
  await expect(previews.get(wish('last', 'five'))).rejects.toMatchObject(busy)
  expect(drawn).toHaveLength(30)

  expect(await previews.get(wish('10', 'one')).catch(() => 'refused')).toBe('refused')
  expect(await previews.get(wish('0', 'one'))).toBeDefined()
  expect(await previews.get(wish('of the project', undefined, 'rocket'))).toBeDefined()
  expect(await previews.get(wish('broken'))).toBeUndefined()
})
