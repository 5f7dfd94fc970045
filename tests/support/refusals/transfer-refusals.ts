import { expect } from 'vitest'
import type { Client } from '../../../renderer/lib/client/api-client'
import { GB, MB } from '../../../server/contract'
import { aDiskWith, aFile, aFullQuota, anApp } from '../factories'
import { keptBytes } from '../kept-bytes'
import { filePart, multipartBody } from '../multipart'
import { aManifest, anApk } from '../packages'
import { announce, asking, begun, NONE, nothing, type World } from './refusals'

export const aFileOf = (size = 1) => new File(['x'.repeat(size)], 'x.txt')
/** What all downloads have in common. */
export const downloads = <In extends object>(
  call: (client: Client, input: In) => Promise<unknown>,
  input: (w: World) => In,
) => ({
  not_found: (w: World) => call(w.owner, { ...input(w), ...nothing }),
  precondition_failed: async (w: World) => call(await asking(w, 'if-match', '"another"'), input(w)),
  too_many_requests: async (w: World) => {
    const { settings } = w.server.context.data
    await settings.update({ limits: { ...settings.get().limits, transfersPerAddress: 1 } })
    const upload = await begun(w, 'PUT /api/files/upload/x.bin', { 'Content-Length': '5' })
    await expect.poll(() => w.server.context.transfers.running.count).toBe(1)
    return call(w.owner, input(w)).finally(() => upload.close())
  },
  range_not_satisfiable: async (w: World) => call(await asking(w, 'range', 'bytes=5000-'), input(w)),
})

const askForIcon = async (world: World, header: string, value: string) =>
  (await asking(world, header, value)).files.icon({ id: (await anApp(world.server, world.alice)).file_id })

/** What refuses an icon. */
export const icons = {
  not_found: ({ owner, ofFile }: World) => owner.files.icon(ofFile),
  precondition_failed: (world: World) => askForIcon(world, 'if-match', '"another"'),
  range_not_satisfiable: (world: World) => askForIcon(world, 'range', 'bytes=5000-'),
}

/** An app that is not signed, which is a warning. */
const unsigned = new File([new Uint8Array(anApk(aManifest('1.4.2')))], 'x.apk')

/** Links such an app so that a warning rejects it. */
export async function linkStrictly({ server, alice, owner, here }: World): Promise<unknown> {
  const { file_id } = await aFile(server, alice, { filename: 'x.apk', bytes: await unsigned.bytes() })
  return owner.projects.link({ id: here.id, file_id, strict: true })
}

/** What all uploads have in common: `line` begins a request that says much and sends little. */
export const uploads = (
  line: string,
  send: (client: Client, bytes: number, project_id?: string) => Promise<unknown>,
) => ({
  quota_exceeded: async ({ server, alice, owner }: World) => {
    await aFullQuota(server, alice, 1)
    return send(owner, 2)
  },
  forbidden: ({ collaborator, here }: World) => send(collaborator, 1, here.id),
  not_found: ({ owner }: World) => send(owner, 1, NONE),
  length_required: (w: World) => announce(w, line, {}),
  too_large: (w: World) => announce(w, line, { 'Content-Length': String(3 * GB) }),
  unsupported_media_type: (w: World) =>
    announce(w, line, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip', 'Content-Length': '5' }),
  digest_mismatch: async (w: World) => send(await asking(w, 'x-content-sha256', '0'.repeat(64)), 1),
  in_progress: async (w: World) => {
    const keyed = { 'Idempotency-Key': 'job-17', 'Content-Length': '500' }
    const beginning = multipartBody(filePart('x'.repeat(300))).subarray(0, 250)
    const first = await begun(w, line, keyed, beginning)
    await expect.poll(async () => (await keptBytes(w.server)).drafts).toBe(1)
    return announce(w, line, keyed, beginning).finally(() => first.close())
  },
  build_mismatch: ({ owner, here }: World) => {
    const strictly = { file: unsigned, project_id: here.id, strict: 'true' }
    return line.startsWith('PUT') ? owner.files.put({ filename: 'x.apk', ...strictly }) : owner.files.upload(strictly)
  },
  key_reused: async (w: World) => {
    const client = await asking(w, 'idempotency-key', 'job-17')
    await send(client, 1)
    return send(client, 2)
  },
  read_only: async ({ server, owner }: World) => {
    await owner.files.mine({})
    await server.context.data.library.close()
    return send(owner, 1)
  },
  disk_full: async (w: World) => {
    aDiskWith(w.server, 0)
    return announce(w, line, { 'Content-Length': String(90 * MB) })
  },
})
