import { createHash, randomBytes } from 'node:crypto'
import Uppy from '@uppy/core'
import Tus from '@uppy/tus'
import type { FileReader } from 'tus-js-client'
import { expect } from 'vitest'
import { test } from '../../support/world/http'
import { alices } from '../../support/network/tus'

/** Outside of a browser tus-js-client does not read blobs by itself. */
const blobs: FileReader = {
  openFile: (blob: Blob) =>
    Promise.resolve({
      size: blob.size,
      slice: async (start: number, end: number) => {
        const bytes = Buffer.from(await blob.slice(start, end).arrayBuffer())
        return { value: Object.assign(bytes, { size: bytes.length }), done: end >= blob.size }
      },
      close: () => undefined,
    }),
}

test('Uppy uploads a file with the defaults of its tus plugin', async ({ server }) => {
  const { alice, as } = await alices(server)
  const bytes = randomBytes(1_000_000)
  const headers = { 'X-API-Key': await server.keyOf(alice) }
  const uppy = new Uppy().use(Tus, {
    endpoint: `${server.url}/api/uploads`,
    headers,
    fileReader: blobs,
  })
  uppy.addFile({ name: 'app.apk', data: new File([bytes], 'app.apk') })

  const result = await uppy.upload()

  expect(result?.failed?.map(({ error }) => error)).toEqual([])
  const { files } = await as.files.mine({})
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(files).toMatchObject([{ filename: 'app.apk', size: bytes.length, sha256 }])
})
