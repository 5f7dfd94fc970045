import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { readReply, type Client } from '../../../renderer/lib/client/api-client'
import { createClient } from '../network/client'
import type { RouterAccess } from '../../../server/features/internet/needs'
import { multipartType } from '../multipart'
import { aFile, aLink, aProject, aUser } from '../world/factories'
import { RawClient } from '../network/raw-client'
import { noNetwork } from '../network/small-routers'
import { test as base } from '../world/http'
import type { TestServer } from '../world/test-server'
import type { UserRecord } from '../../../server/data/records/account-records'

export type World = Awaited<ReturnType<typeof aWorld>>
/** Does what leads to the refusal, and fails with it. */
export type Scenario = (world: World) => Promise<unknown>

/** Asking this network takes a while. */
const routers: RouterAccess = { ...noNetwork, place: () => pause(300, undefined) }
const limits = { registrations_per_hour: 1, failed_sign_ins_per_account: 3 }
export const test = base.extend({
  routers,
  config: { rateLimits: true, patience: { silentMs: 200 } },
  settings: limits,
})

/** Alice's public project with a file and carol as collaborator, and the host account. */
export async function aWorld(server: TestServer) {
  const host = await aUser(server, 'host', { isHost: true })
  const alice = await aUser(server, 'alice')
  await aUser(server, 'carol')
  const project = await aProject(server, alice, { is_public: true })
  const file = await aFile(server, alice, { is_public: true, filename: 'a.apk' })
  await aLink(server, alice, project, file)
  await server.as(alice).collaborators.add({ id: project.slug, username: 'carol' })
  const here = { id: project.slug, file_id: file.file_id }
  // From another machine: at this one, registration never closes.
  const visitor = createClient(server.url, { headers: { 'x-forwarded-for': '192.0.2.1' } })
  return { server, host, alice, here, visitor, owner: server.as(alice) }
}

export const NONE = 'nothing-that-there-is'
export const session = async ({ server, alice }: World): Promise<Client> =>
  (await server.signedIn(alice)).client
export const window = async ({ server, host }: World): Promise<Client> =>
  (await server.atWindow(host)).client

/** The owner's client with a header beside the key. */
export const asking = async (
  { server, alice }: World,
  name: string,
  value: string,
): Promise<Client> =>
  createClient(server.url, { headers: { 'x-api-key': await server.keyOf(alice), [name]: value } })

/** A connection on which an upload says this of its body, and sends none of it or its beginning. */
export async function begun(
  { server, alice }: Pick<World, 'server' | 'alice'>,
  line: string,
  headers: Record<string, string>,
  beginning: string | Buffer = '',
): Promise<RawClient> {
  const raw = await RawClient.connect(server.port)
  const type = line.startsWith('POST') ? multipartType : 'application/octet-stream'
  const all = { 'X-API-Key': await server.keyOf(alice), 'Content-Type': type, ...headers }
  return raw.head(server.port, line, all).write(beginning)
}

/** An upload that runs until the returned function is called. */
export async function aRunningUpload(server: TestServer, alice: UserRecord): Promise<() => void> {
  const upload = await begun({ server, alice }, 'PUT /api/files/upload/x.bin', {
    'Content-Length': '5',
  })
  await expect.poll(() => server.inside.transfers.count).toBe(1)
  return () => {
    upload.close()
  }
}

/** What such an upload is answered. */
export async function announce(...upload: Parameters<typeof begun>): Promise<unknown> {
  const raw = await begun(...upload)
  const { status, body } = await raw.reply()
  raw.close()
  return readReply(status, body)
}

/**
 * So many people who sign in repeatedly from these networks, until the returned function is called.
 */
export function crowd(
  { inside }: TestServer,
  people: number,
  networkOf: (person: number) => string,
): () => void {
  const costly =
    '$scrypt$ln=12,r=8,p=1$c2xpcHdheS10ZXN0LXNhbHQ$jbh9eTXU100Y1ntg05UJSnGEUxDHkJTm52bo16aYg9w'
  let isOver = false
  const signIn = async (network: string): Promise<void> => {
    while (!isOver) await inside.passwords.verify('x', costly, network).catch(() => pause(1))
  }
  for (let person = 0; person < people; person++) void signIn(networkOf(person))
  return () => (isOver = true)
}

/** Creates releases in the project of this slug until it takes no more. */
export async function allItsReleases(
  { inside }: TestServer,
  { id: ownerId }: UserRecord,
  slug: string,
): Promise<void> {
  const { projects: store } = inside
  const project = { id: store.find(slug)!.id, ownerId }
  const details = { notes: '', state: 'draft' as const }
  const versions = Array.from({ length: 5000 }, (_, number) => `0.0.${number}`)
  await Promise.allSettled(
    versions.map((version) => store.releases.create(project, version, details)),
  )
}

/** Fails as the last of so many attempts does. */
export async function tries(count: number, once: () => Promise<unknown>): Promise<unknown> {
  for (let time = 1; time < count; time++) await once().catch(() => undefined)
  return once()
}
