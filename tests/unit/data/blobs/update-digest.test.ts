import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { updateDigest } from '../../../../server/data/blobs/block-map/update-digest'
import { test } from '../../../support/world/http'

const bytes = Buffer.alloc(40 * 1024 * 1024, 'some content')

test('reads a file in turns, and ends at once when it is aborted', async ({ folder }) => {
  const path = join(folder, 'file')
  await writeFile(path, bytes)
  let turns = 0
  const turn = () => Promise.resolve(void turns++)
  const order = { path, size: bytes.length, map: 'none' } as const
  const { sha512 } = await updateDigest(order, { pause: turn })
  expect([sha512, turns]).toEqual([createHash('sha512').update(bytes).digest('base64'), 2])

  const ending = new AbortController()
  const waiting = () => {
    ending.abort(new Error('The host stops'))
    return new Promise<void>(() => undefined)
  }
  await expect(updateDigest(order, { pause: waiting, signal: ending.signal })).rejects.toThrow(
    'The host stops',
  )
  await expect(updateDigest(order, ending)).rejects.toThrow('The host stops')
})

test('throws for a file that is missing or too short', async ({ folder }) => {
  const path = join(folder, 'file')
  const order = { path, size: 5, map: 'make' } as const
  await expect(updateDigest(order)).rejects.toThrow('ENOENT')
  await writeFile(path, 'abc')
  await expect(updateDigest(order)).rejects.toThrow('shorter')
})
