import { createHash } from 'node:crypto'
import { readReply } from '../../../renderer/lib/client/api-client'
import { api, GB, MB } from '../../../server/contract'
import { aDiskWith, allow, aProject, anUpload } from '../factories'
import { asking, nothing, type World } from './refusals'
import { DAY } from '../test-clock'
import { metadata, TusClient } from '../network/tus'
import { aManifest, anApk } from '../packages'

const other = createHash('sha256').update('other').digest('hex')
const named = (more: Record<string, string>) => ({ 'upload-metadata': metadata({ filename: 'x', ...more }) })
const idOf = (address: string) => ({ id: address.split('/').at(-1)! })

/** Fails with what the response says. */
const refusal = async (responding: Promise<Response>): Promise<unknown> => {
  const response = await responding
  return readReply(api.uploads.append, response.status, await response.text())
}

const tusOf = ({ server, alice }: World) => TusClient.of(server, alice)
const create = (w: World, headers: Record<string, string>) => refusal(tusOf(w).create(5, headers))

/** Resumes an upload at `offset`. */
async function append(
  w: World,
  body: string,
  headers: Record<string, string> = {},
  begin: Record<string, string> = {},
) {
  const client = tusOf(w)
  return refusal(client.patch(await client.begin(5, begin), 0, body, headers))
}

const closed = async ({ server }: World) => server.context.data.library.close()

async function whileSomebodyIsAtIt(w: World, work: (address: string) => Promise<unknown>): Promise<unknown> {
  const address = await tusOf(w).begin(5)
  const { resumable } = w.server.context.transfers
  const { uploads } = w.server.context.files
  return resumable.during(uploads.find(idOf(address).id)!, () => work(address))
}

async function expired(w: World): Promise<string> {
  const address = await tusOf(w).begin(5)
  w.server.clock.advance(7 * DAY)
  return address
}

/** What leads to each refusal of an upload in several turns. */
export const turnedDown = {
  create: {
    quota_exceeded: (w: World) => create(w, { 'upload-length': String(101 * MB) }),
    forbidden: async (w: World) => refusal(TusClient.of(w.server, w.carol).create(5, named({ project_id: w.here.id }))),
    not_found: async (w: World) => create(w, named({ project_id: (await aProject(w.server, w.bob)).slug })),
    too_many_records: async (w: World) => {
      await allow(w.server, { unfinishedUploadsPerAccount: 1 })
      await anUpload(w.server, w.alice, 1)
      return create(w, {})
    },
    precondition_failed: (w: World) => create(w, { 'tus-resumable': '2.0.0' }),
    too_large: (w: World) => create(w, { 'upload-length': String(3 * GB) }),
    read_only: async (w: World) => {
      await w.owner.files.mine({})
      await closed(w)
      return create(w, {})
    },
    disk_full: async (w: World) => {
      aDiskWith(w.server, 0)
      return create(w, { 'upload-length': String(90 * MB) })
    },
  },
  info: {
    not_found: ({ owner }: World) => owner.uploads.info(nothing),
    gone: async (w: World) => w.owner.uploads.info(idOf(await expired(w))),
    precondition_failed: async (w: World) => {
      const upload = idOf(await tusOf(w).begin(5))
      return (await asking(w, 'tus-resumable', '2.0.0')).uploads.info(upload)
    },
  },
  append: {
    not_found: (w: World) => refusal(tusOf(w).patch(`/api/uploads/${nothing.id}`, 0, 'bytes')),
    gone: async (w: World) => refusal(tusOf(w).patch(await expired(w), 0, 'bytes')),
    offset_mismatch: (w: World) => append(w, 'bytes', { 'upload-offset': '3' }),
    locked: (w: World) => whileSomebodyIsAtIt(w, (address) => refusal(tusOf(w).patch(address, 0, 'bytes'))),
    precondition_failed: (w: World) => append(w, 'bytes', { 'tus-resumable': '' }),
    too_large: (w: World) => append(w, 'too many bytes'),
    unsupported_media_type: (w: World) => append(w, 'bytes', { 'content-type': 'text/plain' }),
    build_mismatch: async (w: World) => {
      const bytes = new Uint8Array(anApk(aManifest('1.4.2')))
      const strict = named({ filename: 'x.apk', project_id: w.here.id, strict: 'true' })
      const client = tusOf(w)
      return refusal(client.patch(await client.begin(bytes.length, strict), 0, bytes))
    },
    digest_mismatch: (w: World) => append(w, 'bytes', {}, named({ sha256: other })),
    read_only: async (w: World) => {
      const address = await tusOf(w).begin(5)
      await closed(w)
      return refusal(tusOf(w).patch(address, 0, 'bytes'))
    },
    disk_full: async (w: World) => {
      const address = await tusOf(w).begin(5)
      aDiskWith(w.server, 0)
      return refusal(tusOf(w).patch(address, 0, 'bytes'))
    },
  },
  change: {
    not_found: ({ owner }: World) => owner.uploads.change({ ...nothing, is_public: false }),
    forbidden: async ({ server, carol, here, collaborator }: World) => {
      const { upload_id: id } = await anUpload(server, carol, 1)
      return collaborator.uploads.change({ id, is_public: false, project_id: here.id })
    },
    gone: async (w: World) => w.owner.uploads.change({ ...idOf(await expired(w)), is_public: false }),
    locked: (w: World) =>
      whileSomebodyIsAtIt(w, (address) => w.owner.uploads.change({ ...idOf(address), is_public: false })),
  },
  discard: {
    not_found: ({ owner }: World) => owner.uploads.discard(nothing),
    locked: (w: World) => whileSomebodyIsAtIt(w, (address) => w.owner.uploads.discard(idOf(address))),
    precondition_failed: async (w: World) => {
      const upload = idOf(await tusOf(w).begin(5))
      return (await asking(w, 'tus-resumable', '2.0.0')).uploads.discard(upload)
    },
  },
}
