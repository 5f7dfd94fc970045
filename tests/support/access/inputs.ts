import type { z } from 'zod'
import { calls, endpointOf, type Call } from '../calls'
import { aPicture } from '../pictures'
import { PASSWORD } from '../world/password'
import { EMPTY_RELEASE, PREVIEW, type People, type Things } from './alices-world'

/** The target of a call. `by` separates the callers where each creates its own. */
export interface About {
  things: Things
  people: People
  by: string
}

/** What an `id` names, by the group of its call; in other groups, the project. */
const ids: Record<string, (about: About) => string> = {
  apiKeys: ({ things }) => things.key.id,
  files: ({ things }) => things.file.file_id,
  shareLinks: ({ things }) => things.file.file_id,
  builds: ({ things }) => things.file.file_id,
  uploads: ({ things }) => things.upload.upload_id,
  trash: ({ things }) => things.gone.file_id,
  people: ({ people }) => people.bob.id,
  manage: () => 'no-such-session-',
  activity: () => 'no-such-transfer',
  pairings: () => 'nosuchpairing',
  invites: () => 'nosuchinvite',
  factors: () => 'nosuchpasskey',
}

/** What becomes of the files of others is tests/api/files/many-files.test.ts. */
const noIds = ['nosuchfile']
/** The browser of the example in RFC 8291. */
const BROWSER = {
  endpoint: 'https://push.example.org/kim',
  keys: {
    p256dh:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
}
const tus = { 'tus-resumable': '1.0.0' }
/** Other bytes than those of the screenshot. */
const ICON = new Uint8Array(aPicture({ width: 16 }))

/** A value of each field that calls need, by its name. */
const valuesFor = ({ things, people }: About): Readonly<Record<string, unknown>> => ({
  ...{
    username: people.alice.username,
    password: PASSWORD,
    current_password: PASSWORD,
    new_password: PASSWORD,
  },
  ...{ slug: things.project.slug, file_id: things.file.file_id, downloadId: things.file.file_id },
  ...{ filename: things.file.filename, sha256: things.file.sha256, ids: things.file.file_id },
  ...{
    testerId: things.tester.tester_id,
    postId: things.post.post_id,
    watchId: things.post.post_id,
  },
  ...{
    pictureId: things.picture.picture_id,
    picture: `${things.picture.picture_id}-${things.picture.width}.webp`,
  },
  // Real tokens: tests/security/access/31-testers.test.ts and tests/api/files/share-links.test.ts.
  ...{ ...things.webhook, ticket: things.ticket, token: 'no-such-token' },
  ...{ shareId: things.share.share_id, shareToken: 'no-such-token' },
  ...{ requestId: things.request.request_id, requestToken: 'no-such-token' },
  ...{ uploadId: things.sent, from: 'Kim' },
  ...{ reportId: things.reportId, attachmentId: things.attachmentId, reportToken: 'no-such-token' },
  ...{ noticeToken: 'no-such-token', email: 'kim@example.org' },
  ...{ state: 'open', reporters: 'everyone', is_open: true, askerToken: 'no-such-token' },
  ...{ screenshots: [things.picture.picture_id], collaboratorId: people.carol.username },
  ...{ file_ids: noIds, trash_ids: noIds, request_ids: noIds, name: 'CI', title: 'Rocket' },
  ...{
    version: '1.0',
    platform: 'android',
    arch: 'arm64',
    channel: 'nightly',
    keep: 1,
    content: 'News',
  },
  ...{
    feed: 'latest-linux.yml',
    format: 'apt',
    path: 'pool/1.0/rocket.apk',
    kind: 'icon',
    text: 'rocket',
  },
  ...{
    offer_id: 'z'.repeat(32),
    folder: 'f'.repeat(43),
    link: 'A'.repeat(22),
    nonce: 'a-nonce-of-16-up',
  },
  ...{ response: {}, setup: 'nosuchsetup', sign_in_ticket: 'nosuchticket' },
  ...{ code: 'BCDF-GHJK', secret: 'wrong', invite: 'nosuchinvite', approve: false, accept: false },
  ...{ is_public: false, open: true, way: 'router', copies: 'keep' },
  // A real provider: tests/api/single-sign-on/sign-in.test.ts.
  ...{ query: '?code=nosuchcode', logout_token: 'nosuchtoken' },
  // Nothing answers at its address.
  ...{ endpoint: 'http://127.0.0.1:9', bucket: 'builds' },
})

const aBucket = () => ({ access_key_id: 'GK31', secret_access_key: 'b4c0ffee' })
const JOB = { provider: 'github', repository: 'lea/lantern', branch: 'main' }
/** An unsigned token of a job. */
const aToken = `${btoa('{"alg":"ES256"}')}.${btoa('{"aud":"x"}')}.AAAA`.replaceAll('=', '')
const onStable = () => ({ channel: 'stable' })

/** What a call takes beside that, or in place of it. */
const also: Partial<Record<Call, (about: About) => Record<string, unknown>>> = {
  'accounts.register': ({ by }) => ({
    username: by,
    email: `${by}@example.com`,
    password: 'secret',
  }),
  // A real deletion: tests/api/accounts/delete-account.test.ts.
  'accounts.changePassword': () => ({ current_password: PASSWORD }),
  'accounts.remove': () => ({
    current_password: PASSWORD,
    hand_over: [{ project_id: 'no-such-project', username: 'carol' }],
  }),
  // Real factors: tests/api/accounts/45-factors.test.ts.
  'factors.prove': () => ({ password: PASSWORD }),
  'files.upload': ({ things }) => ({ project_id: things.project.slug }),
  'files.put': ({ things }) => ({ project_id: things.project.slug }),
  'files.setVisibility': () => ({ is_public: true }),
  'uploads.create': ({ things }) => ({
    ...{ ...tus, 'upload-length': '5' },
    'upload-metadata': `filename eA==,project_id ${btoa(things.project.slug)}`,
  }),
  'uploads.append': () => ({
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  }),
  'uploads.change': () => ({ is_public: false }),
  'fileRequests.startUpload': () => ({
    ...{ ...tus, 'upload-length': '5' },
    'upload-metadata': `filename eA==,from ${btoa('Kim')}`,
  }),
  'fileRequests.append': () => ({
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  }),
  'reports.reply': () => ({ text: 'Thanks' }),
  'reports.answer': () => ({ text: 'Thanks' }),
  'reports.sendAsVisitor': () => ({ text: 'It crashes' }),
  'reports.sendAsTester': () => ({ text: 'It crashes' }),
  'reports.sendAsApp': () => ({ text: 'It crashes' }),
  'reports.startUpload': () => ({
    ...{ ...tus, 'upload-length': '5' },
    'upload-metadata': `filename ${btoa('x.log')}`,
  }),
  'reports.uploadInfo': ({ things }) => ({ reportUploadId: things.reportUpload }),
  'reports.discard': ({ things }) => ({ reportUploadId: things.reportUpload }),
  'reports.append': ({ things }) => ({
    ...{ ...tus, reportUploadId: things.reportUpload },
    'content-type': 'application/offset+octet-stream',
    'upload-offset': '0',
  }),
  'projects.update': () => ({ title: 'Spaceship' }),
  'projects.link': ({ things }) => ({ file_id: things.other.file_id }),
  'pictures.add': () => ({ file: new Blob([ICON]) }),
  'pictures.update': () => ({ alt: 'The start' }),
  'notices.pushTester': () => BROWSER,
  'notices.pushReporter': () => BROWSER,
  'notices.planReminder': () => ({ below: '1.4.0' }),
  'notices.remind': () => ({ below: '1.4.0' }),
  'testers.update': () => ({ name: 'Beta' }),
  'testers.searchWinget': onStable,
  'trustedPublishers.add': () => JOB,
  'trustedPublishers.remove': ({ things }) => ({ publisherId: things.publisherId }),
  'trustedPublishers.exchange': () => ({ project: 'rocket', token: aToken }),
  'previews.put': () => ({ name: PREVIEW, file_ids: undefined, keep: 2 }),
  'previews.end': () => ({ name: PREVIEW }),
  'releases.create': () => ({ version: '2.0' }),
  'releases.update': () => ({ notes: 'Faster' }),
  'releases.remove': () => ({ version: EMPTY_RELEASE }),
  'collaborators.add': ({ people }) => ({ username: people.bob.username }),
  'collaborators.change': () => ({ role: 'maintainer' }),
  'feeds.searchWinget': onStable,
  'registry.read': ({ things }) => ({
    path: `${things.project.slug}/blobs/sha256:${things.file.sha256}`,
  }),
  'mirror.test': aBucket,
  'mirror.setUp': aBucket,
  'webhooks.create': () => ({ url: 'https://ci.example/slipway' }),
  'settings.change': () => ({ host_name: 'Quay' }),
  'people.update': () => ({ tier_name: 'Pro' }),
  'people.resetPassword': ({ people }) => ({ id: people.dora.id }),
  'people.createPasswordLink': ({ people }) => ({ id: people.dora.id }),
  'invites.create': () => ({ tier_name: 'Pro' }),
}

/** The input of a call: each field that it needs, by its name. */
function inputOf(call: Call, about: About): Record<string, unknown> {
  const id = (ids[call.split('.')[0] ?? ''] ?? (() => about.things.project.project_id))(about)
  const values = { ...valuesFor(about), id }
  const shape = endpointOf(call).input.shape as Record<string, z.ZodType>
  const needed = Object.entries(shape).filter(([, schema]) => !schema.safeParse(undefined).success)
  return {
    ...Object.fromEntries(needed.map(([name]) => [name, Reflect.get(values, name)])),
    ...also[call]?.(about),
  }
}

/** The input of every call of the contract. */
export const inputs = Object.fromEntries(
  calls.map((call) => [call, (about: About) => inputOf(call, about)]),
) as Record<Call, (about: About) => Record<string, unknown>>
