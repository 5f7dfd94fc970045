import type { Context } from 'koa'
import { expect, test } from 'vitest'
import { SharedReplies } from '../../../server/http/endpoint/shared-replies'
import { SECOND, TestClock } from '../../support/world/test-clock'

/**
 * Visitors who ask for a key; `make` answers with this body and status. Returns whether a reply was
 * made.
 */
function setUp() {
  const clock = new TestClock()
  const library = { revision: 0 }
  const replies = new SharedReplies(clock, library)
  async function ask(
    key: string | undefined,
    body = Buffer.from(key ?? ''),
    status = 200,
    during = () => {},
  ) {
    const ctx = { status: 404 } as Context
    let isMade = false
    await replies.answer(
      ctx,
      key,
      (kept) => expect(kept).toEqual(body),
      async () => {
        isMade = true
        during()
        Object.assign(ctx, { body, status })
      },
    )
    return isMade
  }
  return { clock, library, replies, ask }
}

test('makes a reply once for its key, for two seconds', async () => {
  const { clock, ask } = setUp()
  expect([await ask('/a'), await ask('/a'), await ask('/b')]).toEqual([true, false, true])
  clock.advance(2 * SECOND)
  expect([await ask('/a'), await ask('/b')]).toEqual([true, true])
})

test('makes a reply again after a change, also one that was being made', async () => {
  const { library, replies, ask } = setUp()
  for (const change of [() => library.revision++, () => replies.forget()]) {
    await ask('/a')
    change()
    expect(await ask('/a', undefined, 200, change)).toBe(true)
    expect([await ask('/a'), await ask('/a')]).toEqual([true, false])
  }
})

test('shares nothing without a key, no failure, and nothing large', async () => {
  const { ask } = setUp()
  for (const round of [1, 2]) {
    expect([round, await ask(undefined)]).toEqual([round, true])
    expect(await ask('/404', Buffer.from('gone'), 404)).toBe(true)
    expect(await ask('x'.repeat(301))).toBe(true)
    expect(await ask('/large', Buffer.alloc(4 * 1024 * 1024 + 1))).toBe(true)
  }
})

test('holds at most 500 replies and 4 MiB', async () => {
  const { ask } = setUp()
  for (let page = 0; page < 500; page++) await ask(`/${page}`)
  expect(await ask('/0')).toBe(false)
  await ask('/500')
  expect([await ask('/500'), await ask('/0')]).toEqual([false, true])

  const large = Buffer.alloc(3 * 1024 * 1024)
  await ask('/large', large)
  expect(await ask('/large', large)).toBe(false)
  await ask('/larger', large)
  expect([await ask('/larger', large), await ask('/large', large)]).toEqual([false, true])
})
