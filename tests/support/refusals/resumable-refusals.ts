import { readReply } from '../../../renderer/lib/client/api-client'
import { GB } from '../../../server/contract'
import { aReport } from '../world/factories'
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

/** The path of a new link that takes files. */
const newLinks = {
  async fileRequests({ owner }: World) {
    const { file_request } = await owner.fileRequests.create({ name: 'Logs' })
    return new URL(file_request.url ?? '').pathname
  },
  async reports({ server, owner, here: { id } }: World) {
    const { url } = await owner.testers.create({ id, name: 'Berlin' })
    return `/r/${(await aReport(server, url.split('/t/')[1] ?? '')).reportToken}`
  },
}
type Group = keyof typeof newLinks

/** A client below a new link, with an upload of five bytes. */
async function aSender(w: World, group: Group) {
  const { server } = w
  const path = await newLinks[group](w)
  const client = new TusClient((to, init) => server.fetch(to.replace(/^\/api/, path), init))
  const create = (headers: Record<string, string> = {}) =>
    client.create(5, { ...named({ from: 'Kim' }), ...headers })
  const address = (await create()).headers.get('location') ?? ''
  const upload = server.inside.uploads.find(idOf(address).id)!
  const patch = (headers: Record<string, string>, body = 'bytes') =>
    refusal(client.patch(address, 0, body, headers))
  return { path, client, create, address, upload, patch }
}

type Ask = (sender: Awaited<ReturnType<typeof aSender>>, w: World) => Promise<unknown>

const announced =
  (headers: Record<string, string>, to = 'files'): Ask =>
  ({ path }, w) =>
    announce(w, `POST ${path}/${to}`, headers)

const tooMuch = { 'Content-Length': String(3 * GB) }
const noForm = { 'Content-Type': 'text/plain', 'Content-Length': '5' }
const outdated = { headers: { 'tus-resumable': '2.0.0' } }

const noFile: Ask = ({ path }, { server }) => {
  const body = new FormData()
  body.set('from', 'Kim')
  return refusal(server.fetch(`${path}/files`, { method: 'POST', body }))
}

/** What all links refuse that take files, by the end of the call. */
const ofLinks: Record<string, Ask> = {
  'startUpload precondition_failed': ({ create }) => refusal(create(outdated.headers)),
  'startUpload too_large': ({ create }) => refusal(create({ 'upload-length': String(3 * GB) })),
  'uploadInfo gone': ({ address }, { server }) => {
    server.clock.advance(HOUR)
    return refusal(server.fetch(address))
  },
  'uploadInfo precondition_failed': ({ address }, { server }) =>
    refusal(server.fetch(address, outdated)),
  'append gone': ({ patch }, { server }) => {
    server.clock.advance(HOUR)
    return patch({})
  },
  'append offset_mismatch': ({ patch }) => patch({ 'upload-offset': '3' }),
  'append locked': ({ patch, upload }, { server }) =>
    server.inside.resumable.during(upload, () => patch({})),
  'append precondition_failed': ({ patch }) => patch({ 'tus-resumable': '' }),
  'append too_large': ({ patch }) => patch({}, 'too many bytes'),
  'append unsupported_media_type': ({ patch }) => patch({ 'content-type': 'text/plain' }),
  'discard locked': ({ client, address, upload }, { server }) =>
    server.inside.resumable.during(upload, () => refusal(client.discard(address))),
  'discard precondition_failed': ({ address }, { server }) =>
    refusal(server.fetch(address, { method: 'DELETE', ...outdated })),
}

/** The ways to send a form, each with the path of its call. */
const forms: Record<string, { group: Group; ask: (headers: Record<string, string>) => Ask }> = {
  'fileRequests.send': { group: 'fileRequests', ask: (headers) => announced(headers) },
  'reports.addFile': { group: 'reports', ask: (headers) => announced(headers) },
  'reports.sendAsVisitor': {
    group: 'reports',
    ask: (headers) => async (_sender, w) => {
      await w.owner.reports.configure({ id: w.here.id, reporters: 'everyone' })
      return announce(w, `POST /p/${w.here.id}/reports`, headers)
    },
  },
  'reports.sendAsApp': {
    group: 'reports',
    ask: (headers) => (_sender, w) =>
      announce(w, `POST /api/projects/${w.here.id}/reports`, headers),
  },
  'reports.sendAsTester': {
    group: 'reports',
    ask: (headers) => async (_sender, w) => {
      const { url } = await w.owner.testers.create({ id: w.here.id, name: 'Rome' })
      return announce(w, `POST ${new URL(url).pathname}/reports`, headers)
    },
  },
}

const scenario =
  (group: Group, ask: Ask): Scenario =>
  async (w) =>
    ask(await aSender(w, group), w)

/** What people without an account are refused who send files. */
export const senderRefusals: Record<string, Scenario> = Object.fromEntries([
  ...(['fileRequests', 'reports'] as const).flatMap((group) =>
    Object.entries(ofLinks).map(([call, ask]) => [`${group}.${call}`, scenario(group, ask)]),
  ),
  ...Object.entries(forms).flatMap(([call, { group, ask }]) => [
    [`${call} length_required`, scenario(group, ask({}))],
    [`${call} too_large`, scenario(group, ask(tooMuch))],
    [`${call} unsupported_media_type`, scenario(group, ask(noForm))],
  ]),
  ['fileRequests.send file_missing', scenario('fileRequests', noFile)],
  ['reports.addFile file_missing', scenario('reports', noFile)],
])

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
