import { truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import { GB } from '../../../server/contract'
import { keptBytes } from '../kept-bytes'
import { filePart, multipartBody } from '../multipart'
import { json } from '../network/reply'
import { offer, offerThat, publishOffered } from '../offered'
import { aManifest, anApk } from '../packages'
import { announce, asking, begun, window, type Scenario } from './refusals'

const aFileOf = (size: number) => new File(['x'.repeat(size)], 'x.txt')
/** An app that is not signed, which is a warning. */
const unsigned = new Uint8Array(anApk(aManifest('1.4.2')))
const anUnsigned = new File([unsigned], 'x.apk')

/** What both ways to upload refuse: `line` begins a request that says much and sends little. */
const uploads = (line: string, send: (client: Client, file: File) => Promise<unknown>) =>
  ({
    length_required: (w) => announce(w, line, {}),
    too_large: (w) => announce(w, line, { 'Content-Length': String(3 * GB) }),
    unsupported_media_type: (w) =>
      announce(w, line, {
        'Content-Type': 'text/plain',
        'Content-Encoding': 'gzip',
        'Content-Length': '5',
      }),
    digest_mismatch: async (w) =>
      send(await asking(w, 'x-content-sha256', '0'.repeat(64)), aFileOf(1)),
    in_progress: async (w) => {
      const keyed = { 'Idempotency-Key': 'job-17', 'Content-Length': '500' }
      const beginning = multipartBody(filePart('x'.repeat(300))).subarray(0, 250)
      const first = await begun(w, line, keyed, beginning)
      await expect.poll(async () => (await keptBytes(w.server)).drafts).toBe(1)
      return announce(w, line, keyed, beginning).finally(() => first.close())
    },
    key_reused: async (w) => {
      const client = await asking(w, 'idempotency-key', 'job-17')
      await send(client, aFileOf(1))
      return send(client, aFileOf(2))
    },
  }) satisfies Record<string, Scenario>

const form = uploads('POST /api/files/upload', (client, file) => client.files.upload({ file }))
const raw = uploads('PUT /api/files/upload/x.txt', (client, file) =>
  client.files.put({ filename: 'x.txt', file }),
)

/** What uploads in one request refuse, and files of the host's own machine. */
export const uploadRefusals = {
  'files.upload length_required': form.length_required,
  'files.upload too_large': form.too_large,
  'files.upload unsupported_media_type': form.unsupported_media_type,
  'files.upload digest_mismatch': form.digest_mismatch,
  'files.upload in_progress': form.in_progress,
  'files.upload key_reused': form.key_reused,
  'files.upload file_missing': ({ owner }) =>
    owner.files.upload({ file: undefined as unknown as Blob }),
  'files.upload build_mismatch': ({ owner, here }) =>
    owner.files.upload({ file: anUnsigned, project_id: here.id, strict: 'true' }),
  'files.put length_required': raw.length_required,
  'files.put too_large': raw.too_large,
  'files.put unsupported_media_type': raw.unsupported_media_type,
  'files.put digest_mismatch': raw.digest_mismatch,
  'files.put in_progress': raw.in_progress,
  'files.put key_reused': raw.key_reused,
  'files.put build_mismatch': ({ owner, here }) =>
    owner.files.put({ filename: 'x.apk', file: anUnsigned, project_id: here.id, strict: 'true' }),
  'localFiles.publish precondition_failed': async (w) => {
    const offer_id = await offer(w.server, join(w.server.dataDir, '..'))
    await truncate(join(w.server.dataDir, '../rocket.apk'), 1)
    return (await window(w)).localFiles.publish({ offer_id })
  },
  'localFiles.publish build_mismatch': async (w) => {
    const { browser } = await w.server.atWindow(w.alice)
    const offer_id = await offer(w.server, join(w.server.dataDir, '..'), { bytes: unsigned })
    const strictly = json('POST', { offer_id, project_id: w.here.id, strict: true })
    return publishOffered({ fetch: (to) => browser.fetch(to, strictly) }, offer_id)
  },
  'localFiles.publish too_large': async (w) => {
    const path = join(w.server.dataDir, '../rocket.apk')
    await writeFile(path, '')
    await truncate(path, 2 * GB + 1)
    return (await window(w)).localFiles.publish({ offer_id: await offerThat(w.server, path) })
  },
} satisfies Record<string, Scenario>
