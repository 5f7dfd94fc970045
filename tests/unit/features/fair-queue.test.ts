import { expect, test } from 'vitest'
import { FairQueue } from '../../../server/features/accounts/fair-queue'

const ROOM = { atOnce: 2, waiting: 64, waitingOfOne: 4 }

/**
 * A queue whose jobs end when the test says so, and the names of the jobs in the order in which
 * they began.
 */
function gated(room = ROOM) {
  const queue = new FairQueue(room)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string) =>
    queue.run(name.split(' ')[0] ?? '', () => {
      begun.push(name)
      return new Promise<void>((resolve) => ends.push(resolve))
    })
  const endOne = async () => {
    await new Promise(setImmediate)
    ends.shift()?.()
    await new Promise(setImmediate)
  }
  return { add, begun, endOne }
}

test('a flood from one network delays another by one job', async () => {
  const { add, begun, endOne } = gated()
  for (const name of ['flood 1', 'flood 2', 'flood 3', 'flood 4', 'flood 5', 'flood 6', 'alice 1'])
    void add(name)
  for (let job = 0; job < 5; job++) await endOne()

  expect(begun).toEqual([
    'flood 1',
    'flood 2',
    'flood 3',
    'alice 1',
    'flood 4',
    'flood 5',
    'flood 6',
  ])
})

test('waiting networks take turns', async () => {
  const { add, begun, endOne } = gated({ ...ROOM, atOnce: 1 })
  for (const name of ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'c 1']) void add(name)
  for (let job = 0; job < 5; job++) await endOne()

  expect(begun).toEqual(['a 1', 'a 2', 'b 1', 'c 1', 'a 3', 'b 2'])
})

test('limits the waiting places of each network, and of all together', async () => {
  const { add, begun, endOne } = gated({ atOnce: 1, waiting: 3, waitingOfOne: 2 })
  for (const name of ['a 1', 'a 2', 'a 3']) void add(name)
  const headers = { 'Retry-After': '5' }

  await expect(add('a 4')).rejects.toMatchObject({ code: 'too_many_requests', headers })
  void add('b 1')
  await expect(add('c 1')).rejects.toMatchObject({ code: 'busy', headers })

  await endOne()
  void add('c 2')
  for (let job = 0; job < 3; job++) await endOne()
  expect(begun).toEqual(['a 1', 'a 2', 'b 1', 'a 3', 'c 2'])
})

test('a job that fails passes its turn on', async () => {
  const queue = new FairQueue({ ...ROOM, atOnce: 1 })
  const failing = queue.run('a', () => Promise.reject(new Error('it failed')))
  const next = queue.run('a', () => Promise.resolve('next'))

  await expect(failing).rejects.toThrow('it failed')
  expect(await next).toBe('next')
  expect(await queue.run('a', () => Promise.resolve('later'))).toBe('later')
})
