import { expect, test } from 'vitest'
import { drawBadge } from '../../../server/features/embeds/badge'

const titleOf = (svg: string) => /<title>(.*)<\/title>/.exec(svg)?.[1]

test('a badge escapes its value, and shortens one that is too long', () => {
  const svg = drawBadge('version', `<b>&"${'9'.repeat(60)}`)
  expect(titleOf(svg)).toBe(`version: &lt;b&gt;&amp;&quot;${'9'.repeat(34)}…`)
  expect(svg).not.toContain('<b>')
})

test('each text of a badge has the width of its half, less the padding', () => {
  const svg = drawBadge('downloads', '12.3k')
  const widths = [...svg.matchAll(/(?:<rect[^>]*? width|textLength)="(\d+)"/g)].map(([, width]) =>
    Number(width),
  )
  const [all, left = 0, right = 0, , ...texts] = widths
  expect(all).toBe(left + right)
  expect(texts).toEqual([left - 12, left - 12, right - 12, right - 12])
})
