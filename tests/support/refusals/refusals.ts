import { setTimeout as pause } from 'node:timers/promises'
import { createClient, readReply, type Client } from '../../../renderer/lib/client/api-client'
import { api } from '../../../server/contract'
import { multipartType } from '../multipart'
import { aFile, aLink, aPost, aProject, aUser } from '../factories'
import { RawClient } from '../network/raw-client'
import type { TestServer } from '../test-server'

export type World = Awaited<ReturnType<typeof aWorld>>

/** Alice's public project with a file and carol as collaborator; bob has no access, and each has their own records. */
export async function aWorld(server: TestServer) {
  const [host, alice, bob, carol] = [
    await aUser(server, 'host', { isHost: true }),
    await aUser(server, 'alice'),
    await aUser(server, 'bob'),
    await aUser(server, 'carol', { tier: 'Enterprise' }),
  ]
  const project = await aProject(server, alice, { is_public: true })
  const [file, gone] = [await aFile(server, alice, { is_public: true, filename: 'a.apk' }), await aFile(server, alice)]
  const post = await aPost(server, alice, project)
  await aLink(server, alice, project, file)
  await server.as(alice).files.remove({ id: gone.file_id })
  await server.as(alice).collaborators.add({ id: project.slug, username: 'carol' })
  const here = { id: project.slug, file_id: file.file_id, downloadId: file.file_id, postId: post.post_id }
  const ofFile = { id: file.file_id }
  // From another machine: at this one, registration never closes.
  const elsewhere = createClient(server.url, { headers: { 'x-forwarded-for': '192.0.2.1' } })
  const people = {
    visitor: elsewhere,
    owner: server.as(alice),
    stranger: server.as(bob),
    collaborator: server.as(carol),
  }
  return { server, host, alice, bob, carol, here, ofFile, sha256: file.sha256, gone: { id: gone.file_id }, ...people }
}

export const NONE = 'nothing-that-there-is'
export const nothing = { id: NONE, downloadId: NONE, postId: NONE, file_id: NONE, ids: NONE }
export const session = async ({ server, alice }: World): Promise<Client> => (await server.signedIn(alice)).client
export const window = async ({ server, host }: World): Promise<Client> => (await server.atWindow(host)).client

/** The owner's client with a header beside the key. */
export const asking = async ({ server, alice }: World, name: string, value: string): Promise<Client> =>
  createClient(server.url, { headers: { 'x-api-key': await server.keyOf(alice), [name]: value } })

/** A connection on which an upload says this of its body, and sends none of it or its beginning. */
export async function begun(
  { server, alice }: World,
  line: string,
  headers: Record<string, string>,
  beginning: string | Buffer = '',
): Promise<RawClient> {
  const raw = await RawClient.connect(server.port)
  const type = line.startsWith('POST') ? multipartType : 'application/octet-stream'
  const all = { 'X-API-Key': await server.keyOf(alice), 'Content-Type': type, ...headers }
  return raw.head(server.port, line, all).write(beginning)
}

/** What such an upload is answered. */
export async function announce(...upload: Parameters<typeof begun>): Promise<unknown> {
  const raw = await begun(...upload)
  const { status, body } = await raw.reply()
  raw.close()
  return readReply(api.files.upload, status, body)
}

/** So many people who sign in repeatedly from these networks, until the returned function is called. */
export function crowd({ context }: TestServer, people: number, networkOf: (person: number) => string): () => void {
  const costly = '$scrypt$ln=12,r=8,p=1$c2xpcHdheS10ZXN0LXNhbHQ$jbh9eTXU100Y1ntg05UJSnGEUxDHkJTm52bo16aYg9w'
  let isOver = false
  const signIn = async (network: string): Promise<void> => {
    while (!isOver) await context.accounts.passwords.verify('x', costly, network).catch(() => pause(1))
  }
  for (let person = 0; person < people; person++) void signIn(networkOf(person))
  return () => (isOver = true)
}

/** Fills all places for concurrent sign-ins. */
export function crowded({ server }: World, next: () => Promise<unknown>): Promise<unknown> {
  return next().finally(crowd(server, 66, (person) => `network ${person}`))
}

/** Fails as the last of so many attempts does. */
export async function tries(count: number, once: () => Promise<unknown>): Promise<unknown> {
  for (let time = 1; time < count; time++) await once().catch(() => undefined)
  return once()
}
