import { describe, expect, test } from 'vitest'
import type { Actor } from '../../../server/access/actor'
import { definePolicy } from '../../../server/access/policy'

const visitor: Actor = { kind: 'visitor' }

describe('require', () => {
  const policy = definePolicy<{ shown: boolean }>()('Thing', {
    read: (_actor, { shown }) => shown,
    change: () => false,
  })

  test('says what may be seen and not done', () => {
    const refused = { code: 'forbidden', message: 'You may not change this thing' }

    expect(() => policy.require(visitor, 'change', { shown: true })).toThrow(
      expect.objectContaining(refused),
    )
  })

  test('says it in words of its own where the name of the action is none of them', () => {
    const rules = { read: () => true, link: () => false }
    const worded = definePolicy<object>()('Thing', rules, {
      link: 'change the files of this thing',
    })
    const refused = { code: 'forbidden', message: 'You may not change the files of this thing' }

    expect(() => worded.require(visitor, 'link', {})).toThrow(expect.objectContaining(refused))
  })
})
