import { aSubscriber } from '../mail/a-subscriber'
import { aWebhook } from '../webhooks/a-webhook'
import type { Scope } from '../../../server/contract/index'
import { aPicture } from '../pictures'
import {
  aFile,
  aLink,
  anApp,
  anUpload,
  aPost,
  aProject,
  aReport,
  aRequest,
  aSentUpload,
  aUser,
} from '../world/factories'
import { PASSWORD_HASH } from '../world/password'
import type { TestServer } from '../world/test-server'
import { DAY } from '../world/test-clock'
import type { UserRecord } from '../../../server/data/records/account-records'

/** Who calls, in the order of the columns of docs/permissions.md. */
export const actorNames = [
  'visitor',
  'other user',
  'collaborator',
  'maintainer',
  'removed collaborator',
  'owner',
  'key of the owner',
  'read-only key',
  'key for another project',
  'host at the window',
  'revoked key',
  'expired key',
  'session of a disabled account',
  'key of a disabled account',
] as const
export type ActorName = (typeof actorNames)[number]

type Fetch = (path: string, init?: RequestInit) => Promise<Response>

export type People = Awaited<ReturnType<typeof somePeople>>
export type Things = Awaited<ReturnType<typeof thingsOf>>

/** Alice and all callers that may try to reach her data. */
export async function somePeople(server: TestServer) {
  const names = ['alice', 'bob', 'carol', 'mia', 'dave', 'dora'] as const
  const host = await aUser(server, 'host', { isHost: true })
  const users = {} as Record<(typeof names)[number], UserRecord>
  for (const name of names) users[name] = await aUser(server, name)
  const another = await aProject(server, users.alice, { title: 'Another' })
  return { ...users, host, another }
}

/** The version of a release without files. */
export const PREVIEW = 'pr-128'
export const EMPTY_RELEASE = '0.9'

const PICTURE = new Uint8Array(aPicture({ width: 8 }))

/** Whom alice's project trusts. */
const CI_JOBS = { provider: 'github', repository: 'alice/rocket', branch: 'main' } as const

/**
 * Alice's project with carol as a collaborator, mia as a maintainer, an app as 1.0, a screenshot,
 * an empty release, a post, a webhook, a key, and a trashed file.
 */
export async function thingsOf(
  server: TestServer,
  { alice, carol, mia, dave }: People,
  is_public: boolean,
) {
  const project = await aProject(server, alice, { is_public })
  const file = await anApp(server, alice, { filename: 'rocket.apk', is_public })
  const other = await aFile(server, alice, { filename: 'other.apk', is_public })
  const gone = await aFile(server, alice, { filename: 'gone.apk', is_public })
  await server.as(alice).files.remove({ id: gone.file_id })
  await aLink(server, alice, project, file, { version: '1.0' })
  await server.as(alice).releases.create({ id: project.slug, version: EMPTY_RELEASE })
  const forUpdater = {
    filename: 'rocket.AppImage',
    version: '1.0.0',
    project_id: project.project_id,
  }
  await aFile(server, alice, { ...forUpdater, is_public })
  const post = await aPost(server, alice, project)
  const { collaborators } = server.as(alice)
  await collaborators.add({ id: project.slug, username: carol.username })
  await collaborators.add({ id: project.slug, username: mia.username, role: 'maintainer' })
  await collaborators.add({ id: project.slug, username: dave.username })
  await collaborators.remove({ id: project.slug, collaboratorId: dave.username })
  const { id: publisherId } = await server.inside.trustedPublishers.add(project.project_id, CI_JOBS)
  const { record: key } = await server.inside.apiKeys.create(alice.id, 'hers', null)
  const upload = await anUpload(server, alice, 5)
  const ticket = server.inside.ticketOf(project.slug, file.file_id)
  const { tester, url } = await server
    .as(alice)
    .testers.create({ id: project.slug, name: 'Beta group' })
  const token = url.slice(url.lastIndexOf('/') + 1)
  const picture = await server
    .as(alice)
    .pictures.add({ id: project.slug, kind: 'screenshot', file: new Blob([PICTURE]) })
  await server.as(alice).previews.put({ id: project.slug, name: PREVIEW })
  const { share_link: share } = await server.as(alice).shareLinks.create({ id: file.file_id })
  const { file_request: request } = await server.as(alice).fileRequests.create({ name: 'Logs' })
  const requestToken = request.url?.split('/u/')[1] ?? ''
  const sent = await aSentUpload(server, requestToken)
  const { reportToken, ...ofReport } = await aReport(server, token)
  const askerToken = await aRequest(server, project.project_id, alice.id)
  const webhook = { webhookId: server.clock.newId(), deliveryId: server.clock.newId() }
  const noticeToken = server.clock.newId()
  const subscribed = { projectId: project.project_id, testerId: tester.tester_id }
  await aSubscriber(server, { ...subscribed, token: noticeToken })
  await aWebhook(server, { projectId: project.project_id, ownerId: alice.id, ...webhook })
  return {
    ...picture,
    webhook,
    publisherId,
    project,
    file,
    other,
    gone,
    post,
    key,
    upload,
    ticket,
    tester,
    token,
    share,
    shareToken: share.url?.split('/s/')[1] ?? '',
    request,
    requestToken,
    sent,
    reportToken,
    askerToken,
    ...ofReport,
    noticeToken,
  }
}

/** Returns a fetch with a fresh session, which no earlier test has ended. */
export type Come = (actor: ActorName) => Promise<Fetch>

/**
 * All callers of the table. Creates expired and revoked credentials once, and advances the clock by
 * a day.
 */
export async function everybody(server: TestServer, people: People): Promise<Come> {
  const { alice, bob, carol, mia, dave, dora, host } = people
  const { apiKeys, users } = server.inside
  const [revoked, expired] = [
    await apiKeys.create(alice.id, 'old', null),
    await apiKeys.create(alice.id, 'short', 1),
  ]
  const ofDisabled = await apiKeys.create(dora.id, 'of a disabled account', null)
  const disabled = (await server.signedIn(dora)).browser
  await apiKeys.revoke(revoked.record)
  await users.change(dora.id, { disabled: true })
  server.clock.advance(DAY)
  const bySession = async (user: UserRecord) => {
    // Changing the password has paid for a real hash; the next sign-ins need not.
    await users.setPassword(user.id, PASSWORD_HASH)
    return (await server.signedIn(user)).browser.fetch
  }
  const grant = async (scopes: Scope[], projectId: string | null) =>
    byKey(server, (await apiKeys.create(alice.id, 'of its own', null, { scopes, projectId })).key)
  const come: Record<ActorName, () => Fetch | Promise<Fetch>> = {
    visitor: () => server.fetch,
    'other user': () => bySession(bob),
    collaborator: () => bySession(carol),
    maintainer: () => bySession(mia),
    'removed collaborator': () => bySession(dave),
    owner: () => bySession(alice),
    'key of the owner': () => server.fetchAs(alice),
    'read-only key': () => grant(['read'], null),
    'key for another project': () => grant(['read', 'upload', 'manage'], people.another.project_id),
    'host at the window': async () => (await server.atWindow(host)).browser.fetch,
    'revoked key': () => byKey(server, revoked.key),
    'expired key': () => byKey(server, expired.key),
    'session of a disabled account': () => disabled.fetch,
    'key of a disabled account': () => byKey(server, ofDisabled.key),
  }
  return async (actor) => come[actor]()
}

function byKey(server: TestServer, key: string): Fetch {
  return (path, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('x-api-key', key)
    return server.fetch(path, { ...init, headers })
  }
}
