import { createHash, randomBytes } from 'node:crypto'
import { api, tierQuota } from '../../../server/contract'
import type {
  File as FileReply,
  LinkedFile,
  Post,
  Project,
  UnfinishedUpload,
} from '../../../server/contract'
import type { SettingsData } from '../../../server/data/settings/settings-schema'
import type { Facts } from '../../../server/contract/files/facts'
import { hashOfToken } from '../../../server/access/link-token'
import type { RecordOf } from '../../../server/data/records/records'
import { noFacts } from '../../../server/libraries/package-reader/look'
import { summaryOf } from '../../../server/features/files/package-summary'
import { PASSWORD_HASH } from './password'
import { aPng } from '../packages'
import type { TestServer } from './test-server'
import { SECOND } from './test-clock'
import { upload } from './upload'
import type { UserRecord } from '../../../server/data/records/account-records'

/**
 * Everything is valid by default; a test states only what it is about. Each record is created a
 * second later.
 */

interface UserFields {
  email?: string
  tier?: UserRecord['tier']
  /** Looks after the host; there can be one only. */
  isHost?: boolean
}

export async function aUser(
  server: TestServer,
  username: string,
  fields: UserFields = {},
): Promise<UserRecord> {
  const { users, library } = server.inside
  server.clock.advance(SECOND)
  const { email = `${username.toLowerCase()}@example.com`, isHost = false, tier } = fields
  const user = await users.add({ username, email, passwordHash: PASSWORD_HASH }, () => ({ isHost }))
  if (tier === undefined) return user
  const moved = { ...user, tier }
  await library.transact((tx) => tx.put(library.collection('users'), user.id, moved))
  return moved
}

interface FileFields {
  filename?: string
  bytes?: string | Uint8Array<ArrayBuffer>
  is_public?: boolean
  version?: string
  project_id?: string
  platform?: string
}

/** A file that its owner has uploaded over HTTP. */
export async function aFile(
  server: TestServer,
  owner: UserRecord,
  fields: FileFields = {},
): Promise<FileReply> {
  const {
    filename = 'notes.txt',
    bytes = `the bytes of ${filename}`,
    is_public = false,
    ...rest
  } = fields
  server.clock.advance(SECOND)
  return upload(server.fetchAs(owner), new File([bytes], filename), {
    is_public: String(is_public),
    ...rest,
  })
}

/** The facts of an Android app that says almost nothing. */
export const someFacts = {
  ...noFacts('apk'),
  app_id: 'com.example.rocket',
  version: '1.0',
  build: '1',
}

/** A file as if its package had these facts and an icon. */
export async function anApp(
  server: TestServer,
  owner: UserRecord,
  fields: FileFields = {},
  facts: Facts = someFacts,
): Promise<FileReply> {
  const { files, blobs } = server.inside
  const { file_id: id } = await aFile(server, owner, fields)
  const { blobId } = files.find(id)!
  await blobs.sidecars.keep(blobId, 'facts.json', Buffer.from(JSON.stringify(facts)))
  await blobs.sidecars.keep(blobId, 'icon.png', aPng(48))
  await files.setFacts(id, {
    facts: summaryOf({ facts, icon: aPng(48) }),
    hasIndex: false,
    unreadable: undefined,
  })
  return (await server.as(owner).files.info({ id })).file
}

/** An upload of so many bytes that has received none. */
export async function anUpload(
  server: TestServer,
  owner: UserRecord,
  size: number,
): Promise<UnfinishedUpload> {
  server.clock.advance(SECOND)
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': String(size),
    'upload-metadata': 'filename YnVpbGQuYXBr',
  }
  const response = await server.fetchAs(owner)('/api/uploads', { method: 'POST', headers })
  return api.uploads.create.reply.parse(await response.json()).upload
}

/** An unfinished upload to a file request that has received no bytes. Returns its id. */
export async function aSentUpload(server: TestServer, token: string, size = 5): Promise<string> {
  const headers = {
    'tus-resumable': '1.0.0',
    'upload-length': String(size),
    'upload-metadata': `filename ${btoa('save.dat')},from ${btoa('Kim')}`,
  }
  const response = await server.fetch(`/u/${token}/uploads`, { method: 'POST', headers })
  return response.headers.get('location')?.split('/').at(-1) ?? ''
}

/** A report with a file and an unfinished upload, by a tester link. */
export async function aReport(server: TestServer, testerToken: string) {
  const reportToken = randomBytes(16).toString('base64url')
  const form = new FormData()
  form.set('text', 'It crashes.')
  form.set('key', reportToken)
  form.set('file', new Blob(['trace']), 'trace.log')
  const sent = await server.fetch(`/t/${testerToken}/reports`, { method: 'POST', body: form })
  if (sent.status !== 201) throw new Error(await sent.text())

  const upload = await server.fetch(`/r/${reportToken}/uploads`, {
    method: 'POST',
    headers: {
      ...{ 'tus-resumable': '1.0.0', 'upload-length': '5' },
      'upload-metadata': `filename ${btoa('more.log')}`,
    },
  })
  const reports = [...server.inside.library.collection('reports').values()]
  const { id: reportId, attachments } = reports.at(-1)!
  const uploadId = upload.headers.get('location')?.split('/').at(-1) ?? ''
  return { reportToken, reportId, attachmentId: attachments[0]!.id, reportUpload: uploadId }
}

/** A request for access, also to a private project. Returns the secret of its page. */
export async function aRequest(
  { clock, inside: { library } }: TestServer,
  projectId: string,
  ownerId: string,
  { id = clock.newId(), token = randomBytes(16).toString('base64url') } = {},
): Promise<string> {
  const request: RecordOf<'accessRequests'> = {
    ...{ id, projectId, ownerId, name: 'Kim', tokenHash: hashOfToken(token), state: 'waiting' },
    asked: { email: 'kim@example.com', note: 'Let me in.', at: clock.now().toISOString() },
  }
  await library.transact((tx) => tx.put(library.collection('accessRequests'), id, request))
  return token
}

/** A file that counts as so many bytes of storage: a record without a blob. Returns its id. */
export async function aHollowFile(
  { inside, clock }: TestServer,
  { id: ownerId }: Pick<UserRecord, 'id'>,
  fields: { filename: string; size: number; isPublic?: boolean },
): Promise<string> {
  clock.advance(SECOND)
  const blobId = createHash('sha256')
    .update(`${ownerId} ${fields.filename}`)
    .digest('hex')
    .slice(0, 32)
  const record = {
    ownerId,
    blobId,
    sha256: '0'.repeat(64),
    isPublic: false,
    version: null,
    ...fields,
  }
  return (await inside.library.transact((tx) => inside.files.add(tx, record))).id
}

/** Fills the quota of a Free account except for so many bytes. */
export async function aFullQuota(
  server: TestServer,
  owner: UserRecord,
  but: number,
): Promise<void> {
  await aHollowFile(server, owner, { filename: 'full.bin', size: tierQuota.Free - but })
}

/** Limits every account to so many of something. */
export async function allow(
  { inside: { settings } }: TestServer,
  limits: Partial<SettingsData>,
): Promise<void> {
  await settings.update(limits)
}

/** Makes the disk appear to have so many bytes free. Returns a function that undoes it. */
export function aDiskWith({ inside: { blobs } }: TestServer, free: number): () => void {
  const really = blobs.free.bind(blobs)
  blobs.free = () => Promise.resolve(free)
  return () => void (blobs.free = really)
}

type ProjectFields = Partial<
  Pick<Project, 'title' | 'short_description' | 'description' | 'is_public' | 'project_url'>
>

export async function aProject(
  server: TestServer,
  owner: UserRecord,
  fields: ProjectFields = {},
): Promise<Project> {
  server.clock.advance(SECOND)
  const { project } = await server.as(owner).projects.create({ title: 'Rocket', ...fields })
  return project
}

/** A public file in the release of this version. */
export const aReleasedFile = (
  server: TestServer,
  owner: UserRecord,
  projectId: string,
  version: string,
  filename = 'rocket.apk',
): Promise<FileReply> =>
  aFile(server, owner, { filename, project_id: projectId, version, is_public: true })

/** Offers a file on a project. */
export async function aLink(
  server: TestServer,
  owner: UserRecord,
  project: Project,
  file: FileReply,
  release: { version?: string; platform?: string } = {},
): Promise<LinkedFile> {
  server.clock.advance(SECOND)
  const link = { id: project.project_id, file_id: file.file_id, ...release }
  return (await server.as(owner).projects.link(link)).download
}

export async function aPost(
  server: TestServer,
  author: UserRecord,
  project: Project,
  content = 'News',
): Promise<Post> {
  server.clock.advance(SECOND)
  return (await server.as(author).posts.add({ id: project.project_id, content })).post
}

/** A project Rocket of alice's, and what publishes a file in it. */
export async function aRocket(server: TestServer, is_public = true) {
  const alice = await aUser(server, 'alice')
  const { project_id: id } = await aProject(server, alice, { is_public })
  const publish = (filename: string, fields: FileFields = {}) =>
    aFile(server, alice, { filename, project_id: id, is_public, ...fields })
  return { id, alice, owner: server.as(alice), publish }
}
