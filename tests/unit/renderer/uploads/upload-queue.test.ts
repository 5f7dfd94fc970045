import { expect, test } from 'vitest'
import { ApiError } from '../../../../renderer/lib/client/api-client'
import { shareDone } from '../../../../renderer/features/uploads/upload'
import { aFile, aQueue, settle, states, stored } from '../support/a-queue'

const aProject = { id: 'project-1', title: 'Lantern', isPublic: true }

test('files are sent one after the other, with what was chosen for them', async () => {
  const { queue, sent, settled } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: true })
  expect(states(queue)).toEqual(['sending', 'waiting'])
  expect(sent.map(({ file, options }) => [file.name, options.options.isPublic])).toEqual([
    ['one', true],
  ])
  sent[0]?.end(stored)
  await settle()
  expect(states(queue)).toEqual(['done', 'sending'])
  sent[1]?.end(stored)
  await settle()
  expect(settled.map(({ state }) => state)).toEqual(['done', 'done'])
})

test('progress is nine tenths of the job until the host has answered', async () => {
  const { queue, sent, clock } = aQueue()
  queue.add([aFile()], { isPublic: false })
  const share = () => queue.list().map(shareDone)[0]
  clock.now = 1000
  sent[0]?.options.onProgress(500)
  expect(share()).toBeCloseTo(0.45)
  clock.now = 2000
  sent[0]?.options.onProgress(1000)
  expect(states(queue)).toEqual(['checking'])
  expect(share()).toBeCloseTo(0.9)
  sent[0]?.end(stored)
  await settle()
  expect(share()).toBe(1)
})

test('a stored file is added to its project, with version and platform where they were given', async () => {
  const { queue, sent, links, settled } = aQueue()
  queue.add([aFile()], { isPublic: false, project: aProject, version: '1.0', platform: 'Android' })
  sent[0]?.end(stored)
  await settle()
  expect(links).toEqual([['project-1', 'stored-file', { version: '1.0', platform: 'Android' }]])
  expect(settled.map(({ state }) => state)).toEqual(['done'])
})

const debugBuild = { code: 'debug_build', message: 'This is a debug build.' } as const

test('warnings about a build stay with its upload, from the transfer or from the link', async () => {
  const { queue, sent, warnLinks } = aQueue()
  const isOver = () => queue.list().map(({ state, warnings }) => [state, warnings])
  queue.add([aFile()], { isPublic: false, project: aProject })
  sent[0]?.end({ ...stored, linkedTo: aProject.id, warnings: [debugBuild] } as typeof stored)
  await settle()
  expect(isOver()).toEqual([['done', [debugBuild]]])
  queue.clear()

  warnLinks([debugBuild])
  queue.add([aFile()], { isPublic: false, project: aProject })
  sent[1]?.end(stored)
  await settle()
  expect(isOver()).toEqual([['done', [debugBuild]]])
})

test('a file that could not be added stays stored; another try only adds it', async () => {
  const { queue, sent, failLinks, links } = aQueue()
  failLinks(new ApiError('not_found', 'Project not found', 404))
  queue.add([aFile()], { isPublic: false, project: aProject })
  sent[0]?.end(stored)
  await settle()
  expect(queue.list()).toMatchObject([
    { state: 'unlinked', error: { message: 'Project not found' } },
  ])
  failLinks(undefined)
  queue.resume(1)
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'done' }])
  expect(queue.list()[0]).not.toHaveProperty('error')
  expect([sent.length, links.length]).toEqual([1, 2])
})

test('a failed upload keeps the host’s message, starts the next one, and restarts on retry', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  sent[0]?.fail(new ApiError('quota_exceeded', 'Your storage is full', 403))
  await settle()
  expect(queue.list()).toMatchObject([
    { state: 'failed', error: { message: 'Your storage is full' } },
    { state: 'sending' },
  ])
  queue.resume(1)
  sent[1]?.end(stored)
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'sending', sent: 0 }, { state: 'done' }])
})

test('a cancelled upload is forgotten without a word, and the next one goes', async () => {
  const { queue, sent, settled } = aQueue()
  queue.add([aFile('one'), aFile('two'), aFile('three')], { isPublic: false })
  queue.remove(2)
  queue.remove(1)
  expect(sent[0]?.options.signal.aborted).toBe(true)
  await settle()
  expect(queue.list().map(({ file, state }) => [file.name, state])).toEqual([['three', 'sending']])
  expect(settled).toEqual([])
})

test('a held upload waits, stored and private, for the decision, which then does the rest', async () => {
  const { queue, sent, links, visibilities, settled } = aQueue()
  queue.add([aFile()], { isPublic: false }, new Map(), true)
  sent[0]?.end(stored)
  await settle()
  expect([states(queue), settled]).toEqual([['ready'], []])
  queue.release([1], { isPublic: true, project: aProject, version: '1.0' })
  await settle()
  expect(states(queue)).toEqual(['done'])
  expect(visibilities).toEqual([[stored.file_id, true]])
  expect(links).toEqual([[aProject.id, stored.file_id, { version: '1.0' }]])
})

test('a decision during a resumable upload starts it again, so that the host knows it', async () => {
  const { queue, sent } = aQueue()
  const decided = { isPublic: true, project: aProject }
  queue.add([aFile()], { isPublic: false }, new Map(), true)
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 0 })
  queue.release([1], decided)
  await settle()
  expect(sent[1]?.options).toMatchObject({ keptAt: '/api/uploads/1', options: decided })

  queue.add([aFile('b.apk')], { isPublic: false }, new Map(), true)
  sent[1]?.end(stored)
  await settle()
  // Before the host has the upload.
  queue.release([2], decided)
  sent[2]?.options.onKept({ address: '/api/uploads/2', offset: 0 })
  await settle()
  expect(sent[3]?.options).toMatchObject({ keptAt: '/api/uploads/2', options: decided })
})

test('an upload that is taken back stays on the host where it can be resumed', () => {
  const { queue, sent, discarded } = aQueue()
  queue.add([aFile()], { isPublic: false }, new Map(), true)
  sent[0]?.options.onKept({ address: '/api/uploads/1', offset: 100 })
  queue.remove(1, true)
  expect([queue.list(), discarded]).toEqual([[], []])
})
