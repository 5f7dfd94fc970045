import { expect, test } from 'vitest'
import { ApiError } from '../../../renderer/lib/api-client'
import { shareDone, UploadQueue, type Upload } from '../../../renderer/features/files/upload-queue'
import type { SendOptions } from '../../../renderer/features/files/upload-request'
import type { File as StoredFile } from '../../../server/contract'

const stored = { file_id: 'stored-file' } as StoredFile
const aFile = (name = 'a.apk', size = 1000) => new File([new Uint8Array(size)], name)
const aProject = { id: 'project-1', title: 'Lantern', isPublic: true }

/** A queue whose transfers the test ends itself. */
function aQueue() {
  const sent: { file: File; options: SendOptions; end: (file: StoredFile) => void; fail: (cause: Error) => void }[] = []
  const links: unknown[][] = []
  const clock = { now: 0 }
  let linking: () => Promise<unknown> = () => Promise.resolve()
  const queue = new UploadQueue({
    send: (file, options) =>
      new Promise((end, fail) => {
        sent.push({ file, options, end, fail })
        options.signal.addEventListener('abort', () => fail(new Error('Cancelled')))
      }),
    link: (...given) => {
      links.push(given)
      return linking()
    },
    now: () => clock.now,
  })
  const settled: Upload[] = []
  queue.onSettled((upload) => settled.push(upload))
  const failLinks = (cause: Error | undefined) => {
    linking = () => (cause ? Promise.reject(cause) : Promise.resolve())
  }
  return { queue, sent, links, clock, settled, failLinks }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))
const states = (queue: UploadQueue) => queue.list().map(({ state }) => state)

test('files are sent one after the other, with what was chosen for them', async () => {
  const { queue, sent, settled } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: true })
  expect(states(queue)).toEqual(['sending', 'waiting'])
  expect(sent.map(({ file, options }) => [file.name, options.isPublic])).toEqual([['one', true]])
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

test('the speed is told once it is known', () => {
  const { queue, sent, clock } = aQueue()
  queue.add([aFile('a', 10_000)], { isPublic: false })
  const report = (at: number, bytes: number) => {
    clock.now = at
    sent[0]?.options.onProgress(bytes)
    return queue.list()[0]?.rate
  }
  expect(report(0, 100)).toBeUndefined()
  expect(report(500, 1100)).toBeUndefined()
  expect(report(1000, 2100)).toBe(2000)
})

test('a stored file is added to its project, with version and platform where they were given', async () => {
  const { queue, sent, links, settled } = aQueue()
  queue.add([aFile()], { isPublic: false, project: aProject, version: '1.0', platform: 'Android' })
  sent[0]?.end(stored)
  await settle()
  expect(links).toEqual([['project-1', 'stored-file', { version: '1.0', platform: 'Android' }]])
  expect(settled.map(({ state }) => state)).toEqual(['done'])
})

test('a file that could not be added stays stored; another try only adds it', async () => {
  const { queue, sent, failLinks, links } = aQueue()
  failLinks(new ApiError('not_found', 'Project not found', 404))
  queue.add([aFile()], { isPublic: false, project: aProject })
  sent[0]?.end(stored)
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'unlinked', error: { message: 'Project not found' } }])
  failLinks(undefined)
  queue.retry(1)
  await settle()
  expect(queue.list()).toMatchObject([{ state: 'done' }])
  expect(queue.list()[0]).not.toHaveProperty('error')
  expect([sent.length, links.length]).toEqual([1, 2])
})

test('a failed upload keeps the words of the host, lets the next one go, and starts anew at another try', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  sent[0]?.fail(new ApiError('quota_exceeded', 'Your storage is full', 403))
  await settle()
  expect(queue.list()).toMatchObject([
    { state: 'failed', error: { message: 'Your storage is full' } },
    { state: 'sending' },
  ])
  queue.retry(1)
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

test('removing a finished upload does not stop the running one', async () => {
  const { queue, sent } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  sent[0]?.end(stored)
  await settle()
  queue.remove(1)
  expect(sent[1]?.options.signal.aborted).toBe(false)
  expect(states(queue)).toEqual(['sending'])
})

test('clearing stops and forgets everything', async () => {
  const { queue, sent, settled } = aQueue()
  queue.add([aFile('one'), aFile('two')], { isPublic: false })
  queue.clear()
  await settle()
  expect(queue.list()).toEqual([])
  expect(sent).toHaveLength(1)
  expect(settled).toEqual([])
})
