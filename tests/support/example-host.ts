import { scryptSync } from 'node:crypto'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { guideExamples } from '../../renderer/features/docs/examples/guide-examples'
import { chooseSample } from '../../renderer/features/docs/examples/samples'
import { hashOfToken } from '../../server/access/link-token'
import { sealText } from '../../server/access/sealed-text'
import { aSubscriber, NO_MAIL_SERVER } from './mail/a-subscriber'
import { aPicture } from './pictures'
import { anApp, anUpload, aPost, aProject, aRequest, aSentUpload, aUser } from './world/factories'
import { shell, type Desk } from './system/scripts'
import { test as base } from './world/http'
import { built } from './world/process'
import type { TestServer } from './world/test-server'
import { DAY } from './world/test-clock'
import { aWebhook } from './webhooks/a-webhook'
import type {
  InviteRecord,
  SessionRecord,
  UserRecord,
} from '../../server/data/records/account-records'
import type { FileRequestRecord, ShareLinkRecord } from '../../server/data/records/file-records'
import type { ReportRecord } from '../../server/data/records/report-records'
import type { PictureRecord, TesterRecord } from '../../server/data/records/project-records'

/** The bytes whose SHA-256 the examples name. */
export const BUILD = 'test'
export const FILENAME = String(chooseSample('filename'))

/** Builds that the guide publishes. */
const NEXT_BUILDS = ['lantern-1.5.0-beta.1.apk', 'Lantern-1.5.0.AppImage']

/**
 * `test` with a host that has everything that the examples name, by the ids that they name it by.
 * It serves the command as the built host does.
 */
export const test = base.extend<{ desk: Desk }>({
  desk: async ({ server, folder }, use) => {
    const key = await plant(server)
    for (const name of [FILENAME, ...NEXT_BUILDS]) await writeFile(join(folder, name), BUILD)
    await writeFile(join(folder, 'picture.png'), aPicture({ width: 64 }))
    await writeFile(join(folder, 'slipway.key'), `${key}\n`)
    const ofJob = { SLIPWAY_KEY: key, CI_JOB_ID: '4711', GITHUB_REF_NAME: 'v1.4.0' }
    const ofPerson = await openHome(folder, server.url)
    await use({ cwd: folder, env: { ...process.env, ...ofJob, ...ofPerson } })
  },
})

/** The home folder of a person at the host computer, with the command `slipway`. */
async function openHome(folder: string, url: string) {
  for (const path of ['cli.tgz', 'guide/preview-action.yml'])
    await cp(join(built(), '../renderer', path), join(folder, 'ui', path))
  const [share, bin, npm] = ['share', 'bin', 'npm'].map((name) => join(folder, name))
  for (const place of [share!, bin!]) await mkdir(place)
  await symlink(join(folder, 'data'), join(share!, 'slipway'))
  const command = `#!/bin/sh\nexec "${process.execPath}" "${join(built(), 'cli.js')}" "$@"\n`
  await writeFile(join(bin!, 'slipway'), command, { mode: 0o755 })
  return {
    HOME: folder,
    XDG_DATA_HOME: share,
    PATH: `${join(npm!, 'bin')}:${bin}:${process.env['PATH']}`,
    SLIPWAY_URL: url,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_prefix: npm,
  }
}

/** The typed client of the person of the examples. */
export const maya = async (server: TestServer) => server.as(server.user('maya'))

/** Signs in as the page says, which leaves cookies.txt in the folder. */
export const signIn = (desk: Desk, { url }: TestServer) => shell(guideExamples.signIn(url), desk)

/**
 * Maya, her project with a build, a post and a collaborator, a key, an unfinished upload. Returns
 * her second key.
 */
async function plant(server: TestServer): Promise<string> {
  const { clock, inside } = server
  const maya = await aUser(server, String(chooseSample('username')))
  await inside.users.setPassword(maya.id, hashOf(String(chooseSample('password'))))
  await aUser(server, 'sam')
  const key = await server.keyOf(maya)
  clock.nextIds = [String(chooseSample('project_id'))]
  const project = await aProject(server, maya, {
    title: String(chooseSample('title')),
    is_public: true,
  })
  clock.nextIds = [String(chooseSample('file_id'))]
  const published = {
    is_public: true,
    project_id: project.slug,
    version: String(chooseSample('version')),
  }
  await anApp(server, maya, { filename: FILENAME, bytes: BUILD, ...published })
  clock.nextIds = [String(chooseSample('post_id'))]
  await aPost(server, maya, project)
  clock.nextIds = ['k7Hq2mXv9RbT']
  await inside.apiKeys.create(maya.id, 'Laptop', null)
  clock.nextIds = [String(chooseSample('upload_id'))]
  await anUpload(server, maya, BUILD.length)
  clock.nextIds = []
  await server.as(maya).collaborators.add({ id: project.slug, username: 'sam' })
  await anInvite(server, maya.id)
  await aTesterLink(server, project.project_id, maya.id)
  await server.as(maya).previews.put({ id: project.slug, name: 'pr-128' })
  await aShareLink(server, maya.id)
  await aFileRequest(server, maya.id)
  await aSubscriber(server, {
    token: String(chooseSample('noticeToken')),
    projectId: project.project_id,
    testerId: String(chooseSample('testerId')),
  })
  await server.inside.settings.update(NO_MAIL_SERVER)
  await aReportOf(server, project.project_id, maya.id)
  await server.as(maya).accessRequests.configure({ id: project.slug, is_open: true })
  const [id] = chooseSample('request_ids') as [string]
  await aRequest(server, project.project_id, maya.id, {
    ...{ id, token: String(chooseSample('askerToken')) },
  })
  await aScreenshot(server, project.project_id)
  const [webhookId, deliveryId] = [
    String(chooseSample('webhookId')),
    String(chooseSample('deliveryId')),
  ]
  await aWebhook(server, { projectId: project.project_id, ownerId: maya.id, webhookId, deliveryId })
  await aPairing(server)
  await aSession(server, maya)
  return key
}

/** A session elsewhere with the id that the examples name, and a link for a new password. */
async function aSession({ clock, inside }: TestServer, maya: UserRecord): Promise<void> {
  const { library } = inside
  const now = clock.now()
  const session: SessionRecord = {
    id: String(chooseSample('file_id')),
    userId: maya.id,
    createdAt: now.toISOString(),
    lastSeenAt: now.toISOString(),
  }
  const passwordLink = {
    tokenHash: hashOfToken(String(chooseSample('link'))),
    expiresAt: new Date(now.getTime() + DAY).toISOString(),
  }

  await library.transact((tx) => {
    tx.put(library.collection('sessions'), session.id, session)
    const user = library.collection('users').get(maya.id) ?? maya
    tx.put(library.collection('users'), maya.id, { ...user, passwordLink })
  })
}

/** A terminal that waits, with the code and the secret that the examples name. */
async function aPairing({ clock, inside }: TestServer): Promise<void> {
  clock.nextIds = [String(chooseSample('file_id'))]
  const { pairing } = await inside.pairings.start({
    name: 'CI',
    address: '192.168.1.7',
    project: null,
  })
  pairing.code = String(chooseSample('code')).replace('-', '')
  pairing.secretHash = hashOfToken(String(chooseSample('secret')))
}

/** A tester link, whose token is the one that the examples name. */
async function aTesterLink(
  { clock, inside }: TestServer,
  projectId: string,
  ownerId: string,
): Promise<void> {
  const { library } = inside
  const link: TesterRecord = {
    id: String(chooseSample('testerId')),
    projectId,
    ownerId,
    name: 'Beta group, Berlin',
    channel: 'beta',
    tokenHash: hashOfToken(String(chooseSample('token'))),
    passwordHash: null,
    createdAt: clock.now().toISOString(),
    expiresAt: new Date(clock.now().getTime() + DAY).toISOString(),
  }
  await library.transact((tx) => tx.put(library.collection('testers'), link.id, link))
}

/** A share link of her build, whose token is the one that the examples name. */
async function aShareLink({ clock, inside }: TestServer, ownerId: string): Promise<void> {
  const { library } = inside
  const token = String(chooseSample('shareToken'))
  const link: ShareLinkRecord = {
    id: String(chooseSample('shareId')),
    fileId: String(chooseSample('file_id')),
    ownerId,
    name: 'Kim, QA',
    tokenHash: hashOfToken(token),
    sealedToken: sealText(inside.secrets.sessionKeys, token),
    passwordHash: null,
    createdAt: clock.now().toISOString(),
    expiresAt: new Date(clock.now().getTime() + DAY).toISOString(),
    mostDownloads: null,
    completed: 0,
    unfinished: [],
  }
  await library.transact((tx) => tx.put(library.collection('shareLinks'), link.id, link))
}

/** A file request with an unfinished upload, whose token is the one that the examples name. */
async function aFileRequest(server: TestServer, ownerId: string): Promise<void> {
  const { clock, inside } = server
  const { library } = inside
  const token = String(chooseSample('requestToken'))
  const request: FileRequestRecord = {
    id: String(chooseSample('requestId')),
    ownerId,
    name: 'Save games',
    tokenHash: hashOfToken(token),
    sealedToken: sealText(inside.secrets.sessionKeys, token),
    passwordHash: null,
    projectId: null,
    createdAt: clock.now().toISOString(),
    expiresAt: new Date(clock.now().getTime() + DAY).toISOString(),
    mostFiles: 20,
    mostBytes: null,
    files: 0,
    bytes: 0,
  }
  await library.transact((tx) => tx.put(library.collection('fileRequests'), request.id, request))
  clock.nextIds = [String(chooseSample('uploadId'))]
  await aSentUpload(server, token, BUILD.length)
  clock.nextIds = []
}

/** A report with a file and an unfinished upload, by the ids and secret of the examples. */
async function aReportOf(server: TestServer, projectId: string, ownerId: string): Promise<void> {
  const { clock, inside } = server
  const draft = await inside.blobs.begin()
  draft.stream.end('trace')
  const { blobId, size, sha256 } = await draft.publish()

  const createdAt = clock.now().toISOString()
  const attachment = { id: String(chooseSample('attachmentId')), filename: 'trace.log' }
  const report: ReportRecord = {
    ...{ id: String(chooseSample('reportId')), projectId, ownerId, createdAt },
    tokenHash: hashOfToken(String(chooseSample('reportToken'))),
    ...{ kind: 'problem', text: 'It crashes at level 3.', device: {}, state: 'new', replies: [] },
    attachments: [{ ...attachment, size, sha256, blobId, isPicture: false, addedAt: createdAt }],
    updatedAt: createdAt,
  }
  const { library } = inside
  await library.transact((tx) => tx.put(library.collection('reports'), report.id, report))
  await server.as(server.user('maya')).reports.configure({ id: projectId, reporters: 'everyone' })

  clock.nextIds = [String(chooseSample('reportUploadId'))]
  const reply = await server.fetch(`/r/${String(chooseSample('reportToken'))}/uploads`, {
    method: 'POST',
    headers: {
      ...{ 'tus-resumable': '1.0.0', 'upload-length': String(BUILD.length) },
      'upload-metadata': `filename ${btoa('more.log')}`,
    },
  })
  if (reply.status !== 201) throw new Error(await reply.text())
  clock.nextIds = []
}

/** A screenshot with the id that the examples name, which is not the digest of its bytes. */
async function aScreenshot({ clock, inside }: TestServer, projectId: string): Promise<void> {
  const size = { width: 720, height: 1440 }
  const draft = await inside.blobs.begin()
  draft.stream.end(aPicture(size))
  const blob = await draft.publish()
  const screenshot: PictureRecord = {
    ...blob,
    ...size,
    id: String(chooseSample('pictureId')),
    kind: 'screenshot',
    alt: '',
    color: '#112233',
    sizes: [{ ...size, size: blob.size }],
    addedAt: clock.now().toISOString(),
  }
  await inside.projects.update(projectId, () => ({ pictures: [screenshot] }))
}

/** An open invite link, whose token is the one that the examples name. */
async function anInvite(
  { inside: { library }, clock }: TestServer,
  createdBy: string,
): Promise<void> {
  const invite: InviteRecord = {
    id: 'inviteOfMaya0000',
    tokenHash: hashOfToken(String(chooseSample('invite'))),
    tier: null,
    projectId: null,
    createdBy,
    createdAt: clock.now().toISOString(),
    expiresAt: new Date(clock.now().getTime() + DAY).toISOString(),
  }
  await library.transact((tx) => tx.put(library.collection('invites'), invite.id, invite))
}

/** As the server keeps a password, at a cost that takes no time. */
function hashOf(password: string): string {
  const salt = Buffer.from('a salt of sixteen')
  const hash = scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 })
  const [saltText, hashText] = [salt, hash].map((bytes) =>
    bytes.toString('base64').replaceAll('=', ''),
  )
  return `$scrypt$ln=4,r=8,p=1$${saltText}$${hashText}`
}
