import { readReply } from '../../../renderer/lib/client/api-client'
import { GB } from '../../../server/contract'
import { DAY, HOUR } from '../world/test-clock'
import { metadata, TusClient } from '../network/tus'
import { aManifest, anApk } from '../packages'
import { announce, asking, type Scenario, type World } from './refusals'

const named = (more: Record<string, string>) => ({
  'upload-metadata': metadata({ filename: 'x', ...more }),
})
const idOf = (address: string) => ({ id: address.split('/').at(-1)! })
const tusOf = ({ server, alice }: World) => TusClient.of(server, alice)

/** Fails with what the response says. */
const refusal = async (responding: Promise<Response>): Promise<unknown> => {
  const response = await responding
  return readReply(response.status, await response.text())
}

const create = (w: World, headers: Record<string, string>) => refusal(tusOf(w).create(5, headers))

/** Resumes an upload of five bytes. */
async function append(
  w: World,
  body: string,
  headers: Record<string, string>,
  begin: Record<string, string> = {},
) {
  const client = tusOf(w)
  return refusal(client.patch(await client.begin(5, begin), 0, body, headers))
}

async function whileLocked(
  w: World,
  work: (address: string) => Promise<unknown>,
): Promise<unknown> {
  const address = await tusOf(w).begin(5)
  const { resumable } = w.server.inside
  return resumable.during(w.server.inside.uploads.find(idOf(address).id)!, () => work(address))
}

async function expired(w: World): Promise<string> {
  const address = await tusOf(w).begin(5)
  w.server.clock.advance(7 * DAY)
  return address
}

/** A client below a new file request, with an upload of five bytes. */
async function aSender({ server, owner }: World) {
  const { file_request } = await owner.fileRequests.create({ name: 'Logs' })
  const path = new URL(file_request.url ?? '').pathname
  const client = new TusClient((to, init) => server.fetch(to.replace(/^\/api/, path), init))
  const create = (headers: Record<string, string> = {}) =>
    client.create(5, { ...named({ from: 'Kim' }), ...headers })
  const address = (await create()).headers.get('location') ?? ''
  const upload = server.inside.uploads.find(idOf(address).id)!
  const patch = (headers: Record<string, string>, body = 'bytes') =>
    refusal(client.patch(address, 0, body, headers))
  return { path, client, create, address, upload, patch }
}

const ofSender =
  (ask: (sender: Awaited<ReturnType<typeof aSender>>, w: World) => Promise<unknown>): Scenario =>
  async (w) =>
    ask(await aSender(w), w)

const announced = (headers: Record<string, string>) =>
  ofSender(({ path }, w) => announce(w, `POST ${path}/files`, headers))

/** What senders of files are refused. */
export const senderRefusals = {
  'fileRequests.send length_required': announced({}),
  'fileRequests.send too_large': announced({ 'Content-Length': String(3 * GB) }),
  'fileRequests.send unsupported_media_type': announced({
    'Content-Type': 'text/plain',
    'Content-Length': '5',
  }),
  'fileRequests.send file_missing': ofSender(({ path }, { server }) => {
    const body = new FormData()
    body.set('from', 'Kim')
    return refusal(server.fetch(`${path}/files`, { method: 'POST', body }))
  }),
  'fileRequests.startUpload precondition_failed': ofSender(({ create }) =>
    refusal(create({ 'tus-resumable': '2.0.0' })),
  ),
  'fileRequests.startUpload too_large': ofSender(({ create }) =>
    refusal(create({ 'upload-length': String(3 * GB) })),
  ),
  'fileRequests.uploadInfo gone': ofSender(({ address }, { server }) => {
    server.clock.advance(HOUR)
    return refusal(server.fetch(address))
  }),
  'fileRequests.uploadInfo precondition_failed': ofSender(({ address }, { server }) =>
    refusal(server.fetch(address, { headers: { 'tus-resumable': '2.0.0' } })),
  ),
  'fileRequests.append gone': ofSender(({ patch }, { server }) => {
    server.clock.advance(HOUR)
    return patch({})
  }),
  'fileRequests.append offset_mismatch': ofSender(({ patch }) => patch({ 'upload-offset': '3' })),
  'fileRequests.append locked': ofSender(({ patch, upload }, { server }) =>
    server.inside.resumable.during(upload, () => patch({})),
  ),
  'fileRequests.append precondition_failed': ofSender(({ patch }) =>
    patch({ 'tus-resumable': '' }),
  ),
  'fileRequests.append too_large': ofSender(({ patch }) => patch({}, 'too many bytes')),
  'fileRequests.append unsupported_media_type': ofSender(({ patch }) =>
    patch({ 'content-type': 'text/plain' }),
  ),
  'fileRequests.discard locked': ofSender(({ client, address, upload }, { server }) =>
    server.inside.resumable.during(upload, () => refusal(client.discard(address))),
  ),
  'fileRequests.discard precondition_failed': ofSender(({ address }, { server }) => {
    const headers = { 'tus-resumable': '2.0.0' }
    return refusal(server.fetch(address, { method: 'DELETE', headers }))
  }),
} satisfies Record<string, Scenario>

/** What resumable uploads refuse. */
export const resumableRefusals = {
  'uploads.create precondition_failed': (w) => create(w, { 'tus-resumable': '2.0.0' }),
  'uploads.create too_large': (w) => create(w, { 'upload-length': String(3 * GB) }),
  'uploads.info gone': async (w) => w.owner.uploads.info(idOf(await expired(w))),
  'uploads.info precondition_failed': async (w) => {
    const upload = idOf(await tusOf(w).begin(5))
    return (await asking(w, 'tus-resumable', '2.0.0')).uploads.info(upload)
  },
  'uploads.append gone': async (w) => refusal(tusOf(w).patch(await expired(w), 0, 'bytes')),
  'uploads.append offset_mismatch': (w) => append(w, 'bytes', { 'upload-offset': '3' }),
  'uploads.append locked': (w) =>
    whileLocked(w, (address) => refusal(tusOf(w).patch(address, 0, 'bytes'))),
  'uploads.append precondition_failed': (w) => append(w, 'bytes', { 'tus-resumable': '' }),
  'uploads.append too_large': (w) => append(w, 'too many bytes', {}),
  'uploads.append unsupported_media_type': (w) =>
    append(w, 'bytes', { 'content-type': 'text/plain' }),
  'uploads.append build_mismatch': async (w) => {
    const bytes = new Uint8Array(anApk(aManifest('1.4.2')))
    const strict = named({ filename: 'x.apk', project_id: w.here.id, strict: 'true' })
    const client = tusOf(w)
    return refusal(client.patch(await client.begin(bytes.length, strict), 0, bytes))
  },
  'uploads.append digest_mismatch': (w) =>
    append(w, 'bytes', {}, named({ sha256: '0'.repeat(64) })),
  'uploads.change gone': async (w) =>
    w.owner.uploads.change({ ...idOf(await expired(w)), is_public: false }),
  'uploads.change locked': (w) =>
    whileLocked(w, (address) => w.owner.uploads.change({ ...idOf(address), is_public: false })),
  'uploads.discard locked': (w) =>
    whileLocked(w, (address) => w.owner.uploads.discard(idOf(address))),
  'uploads.discard precondition_failed': async (w) => {
    const upload = idOf(await tusOf(w).begin(5))
    return (await asking(w, 'tus-resumable', '2.0.0')).uploads.discard(upload)
  },
} satisfies Record<string, Scenario>
