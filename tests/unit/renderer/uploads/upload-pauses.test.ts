import { expect, test } from 'vitest'
import { ApiError } from '../../../../renderer/lib/client/api-client'
import { aFile, aQueue, settle, states, stored } from '../support/a-queue'

test('a paused upload starts the next one, and resumes at the host’s offset', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 0 })
  sent[0]?.options.onProgress(400)
  queue.pause(1)
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'paused', sent: 400 }, { state: 'sending' }])
  expect(queue.list()[0]).not.toHaveProperty('rate')
  queue.resume(1)
  sent[1]?.end(stored)
  await settle()
  expect(sent[2]?.options).toMatchObject({ keptAt: '/api/uploads/1' })
  sent[2]?.options.onKept({ address: '/api/uploads/1', offset: 300 })
  expect(queue.list()[0]).toMatchObject({ state: 'sending', sent: 300 })
})

test('pausing and resuming at once does not send a file twice at the same time', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile('one')], { isPublic: false })
  queue.pause(1)
  queue.resume(1)
  expect(sent).toHaveLength(1)
  await settle()
  expect(sent).toHaveLength(2)
  expect(sent[0]?.options.signal.aborted).toBe(true)
  expect(states(queue)).toEqual(['sending'])
})

test('shows an interruption until the next byte', () => {
  const { queue, sent } = aQueue()
  queue.add([aFile()], { isPublic: false })
  const lost = new ApiError('offline', 'The connection to the host was lost', 0)
  sent[0]?.options.onProgress(500)
  sent[0]?.options.onInterrupted(lost)
  expect(queue.list()).toMatchObject([{ state: 'interrupted', sent: 500, error: lost }])
  sent[0]?.options.onProgress(1000)
  expect(queue.list()).toMatchObject([{ state: 'checking' }])
  expect(queue.list()[0]).not.toHaveProperty('error')
})

test('retrying an interrupted upload at once ends the wait', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile()], { isPublic: false })
  sent[0]?.options.onInterrupted(new ApiError('offline', 'The connection to the host was lost', 0))
  queue.resume(1)
  await settle()
  expect(sent.map(({ options }) => options.signal.aborted)).toEqual([true, false])
  expect(states(queue)).toEqual(['sending'])
})

test('an upload whose session ended waits for its owner, and is no failure', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile()], { isPublic: false })
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 100 })
  sent[0]?.fail(new ApiError('sign_in_required', 'Sign in', 401))
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'paused', sent: 100, keptAt: '/api/uploads/1' }])
})

test('cancelling discards the upload on the host, also when the host creates it later', async () => {
  const { queue, sent, discarded } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 0 })
  queue.remove(1)
  await settle()
  queue.remove(2)
  sent[1]?.options.onKept({ address: '/api/uploads/2', offset: 0 })
  expect(discarded).toEqual(['/api/uploads/1', '/api/uploads/2'])
})

test('dismissing a failed upload leaves its part on the host', async () => {
  const { queue, sent, discarded } = aQueue()
  queue.add([aFile()], { isPublic: false })
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 500 })
  sent[0]?.fail(new ApiError('disk_full', 'The disk of the host is full', 507))
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'failed', keptAt: '/api/uploads/1' }])
  queue.remove(1)
  expect([queue.list(), discarded]).toEqual([[], []])
})

test('does not resume an upload that the host no longer has, or one of another file', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile()], { isPublic: false }, new Map())
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 500 })
  sent[0]?.fail(new ApiError('not_found', 'Gone', 404))
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'failed', sent: 0 }])
  queue.resume(1)
  expect(sent[1]?.options).not.toHaveProperty('keptAt')
})

test('a finished upload counts until the queue is through', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  sent[0]?.end(stored)
  await settle()
  queue.retire(1)
  expect(queue.list()).toMatchObject([{ state: 'done', retired: true }, { state: 'sending' }])
  sent[1]?.end(stored)
  await settle()
  queue.retire(2)
  expect(queue.list()).toEqual([])
})
