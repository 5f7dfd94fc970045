import { readReply } from '../../../renderer/lib/client/api-client'
import { GB } from '../../../server/contract'
import { DAY } from '../world/test-clock'
import { metadata, TusClient } from '../network/tus'
import { aManifest, anApk } from '../packages'
import { asking, type Scenario, type World } from './refusals'

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
