import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { test } from '../../support/world/http'
import { alices } from '../../support/network/tus'
import { sendByTus } from '../../support/network/tus-upload'
import { sha256 } from '../../support/system/sha256'

describe('tus-js-client', () => {
  test.for([
    ['in one request', {}],
    ['in chunks', { chunkSize: 100_000 }],
  ] as const)('uploads %s', async ([, options], { server }) => {
    const { alice, as } = await alices(server)
    const bytes = randomBytes(1_000_000)

    const { fileId } = await sendByTus(server, alice, bytes, { options })

    const { file } = await as.files.info({ id: fileId })
    expect(file).toMatchObject({ filename: 'ä.apk', size: bytes.length, sha256: sha256(bytes) })
    expect((await as.files.mine({})).total).toBe(1)
    expect(server.inside.quota.held()).toBe(0)
  })
})
