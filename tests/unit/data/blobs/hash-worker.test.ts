import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { crc32 } from 'node:zlib'
import { expect } from 'vitest'
import { test } from '../../../support/world/http'

const WORKER = new URL('../../../../server/data/blobs/hash-worker.ts', import.meta.url)

// The host hashes by itself where the worker fails, so that no other test would notice.
test('the worker runs from its source, and computes both digests', async ({ folder }) => {
  const path = join(folder, 'file')
  await writeFile(path, 'some content')
  const worker = new Worker(WORKER)
  worker.postMessage({ id: 1, path, withCrc32: true, upTo: 12, isLast: true })

  const [answer] = (await once(worker, 'message')) as unknown[]
  const sha256 = createHash('sha256').update('some content').digest('hex')
  expect(answer).toEqual({ id: 1, digests: { sha256, crc32: crc32('some content') } })
  await worker.terminate()
})
