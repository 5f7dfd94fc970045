import { aDeviceAnswer } from '../network/signed-message'
import { allSubscribers, NO_MAIL_SERVER } from '../mail/a-subscriber'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { Call } from '../calls'
import type { ErrorCode } from '../../../server/contract'
import { EMPTY_RELEASE, somePeople, thingsOf } from '../access/alices-world'
import type { Fetch } from '../access/ask'
import { inputs } from '../access/inputs'
import { aDiskWith, aFullQuota, allow, anUpload } from '../world/factories'
import { basic, PASSWORD } from '../network/link-password'
import { blobPath } from '../kept-bytes'
import { metadata } from '../network/tus'
import { offer } from '../offered'
import type { TestServer } from '../world/test-server'
import { aRunningUpload, allItsReleases, crowd, NONE } from './refusals'

type Input = Record<string, unknown>

interface Given {
  fetch: Fetch
  /** What to ask of a call: one input, or one for each way to the refusal. */
  asked: (call: Call) => Input[]
  range?: string
  end?: () => void
}

/** One situation in which many calls are refused for one reason. */
export interface Family {
  code: ErrorCode
  title: string
  /** Without it: all calls that document the code. */
  among?: (call: Call) => boolean
  given: (server: TestServer) => Promise<Given>
}

/** What a family asks of a call beside its usual input. */
type Also = Partial<Record<Call, Input>>

const inProject = (project: string) => ({
  'upload-metadata': metadata({ filename: 'x', project_id: project }),
})
const ofTesters = (call: Call) =>
  ['testers.', 'fileRequests.', 'devices.'].some((it) => call.startsWith(it)) ||
  call === 'shareLinks.unlock'

/** A public project and what belongs to it. Its owner asks, at the window and signed in. */
export async function aSetting(server: TestServer, owner: 'host' | 'alice') {
  const everybody = await somePeople(server)
  const people = { ...everybody, alice: everybody[owner] }
  const things = await thingsOf(server, people, true)
  const reported = { id: things.project.project_id, reporters: 'everyone' as const }
  await server.as(people.alice).reports.configure(reported)
  await server.inside.settings.update(NO_MAIL_SERVER)
  const asked = { id: things.project.project_id, is_open: true }
  await server.as(people.alice).accessRequests.configure(asked)
  const { fetch } = (await server.atWindow(people.alice)).browser
  const inputOf = (call: Call, token: string, also: Also): Input => {
    const input = inputs[call]({ things, people, by: 'somebody' })
    const { shareToken, file } = things
    const ticket = call.endsWith('ForTesters')
      ? { ticket: server.inside.testerTicketOf(token, file.file_id) }
      : call.endsWith('ForRecipients') && { ticket: server.inside.shareTicketOf(shareToken) }
    const tokens = {
      ...('token' in input && { token }),
      ...('shareToken' in input && { shareToken }),
      ...('requestToken' in input && { requestToken: things.requestToken }),
      ...('reportToken' in input && { reportToken: things.reportToken }),
      ...('noticeToken' in input && { noticeToken: things.noticeToken }),
      ...('askerToken' in input && { askerToken: things.askerToken }),
    }
    return { ...input, ...tokens, ...ticket, ...also[call] }
  }
  return {
    ...{ me: people.alice, people, things, fetch },
    asking:
      (also: Also = {}, token = things.token) =>
      (call: Call): [Input] => [inputOf(call, token, also)],
  }
}

/** The same with a tester link that has a password, of which each caller says `password`. */
async function aLockedLink(server: TestServer, password?: string) {
  const setting = await aSetting(server, 'host')
  const link = { id: setting.things.project.slug, name: 'Locked', password: PASSWORD }
  const { url } = await server.as(setting.me).testers.create(link)
  const { file } = setting.things
  const { share_link: share } = await server
    .as(setting.me)
    .shareLinks.create({ id: file.file_id, password: PASSWORD })
  setting.things.shareToken = share.url?.split('/s/')[1] ?? ''
  await server
    .as(setting.me)
    .fileRequests.update({ requestId: setting.things.request.request_id, password: PASSWORD })
  const fetch: Fetch = (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (password !== undefined) headers.set('authorization', basic(password).authorization)
    return setting.fetch(path, { ...init, headers })
  }
  return { ...setting, fetch, token: url.split('/t/')[1] ?? '' }
}

export const families: Family[] = [
  {
    code: 'not_found',
    title: 'for each of its ids that does not exist',
    given: async (server) => {
      const { things, people, fetch, asking } = await aSetting(server, 'host')
      const { project, file, other, gone, post, key, upload, tester, token } = things
      const { share, shareToken, request, requestToken, sent } = things
      const known = new Set<unknown>([
        ...[
          project.project_id,
          project.slug,
          file.file_id,
          file.filename,
          other.file_id,
          gone.file_id,
          post.post_id,
        ],
        ...[key.id, upload.upload_id, tester.tester_id, token, '1.0', EMPTY_RELEASE],
        ...[share.share_id, shareToken, request.request_id, requestToken, sent],
        ...[things.reportId, things.reportToken, things.reportUpload, things.attachmentId],
        things.noticeToken,
        things.askerToken,
        ...[people.alice, people.bob, people.carol, people.dora].flatMap(({ id, username }) => [
          id,
          username,
        ]),
      ])
      const asked = asking({
        'apiKeys.create': { name: 'CI', project_id: NONE },
        'invites.create': { project_id: NONE },
        'uploads.create': inProject(NONE),
        'backups.change': { folder: 'f'.repeat(43) },
        'files.put': { filename: 'any.txt' },
        'fileRequests.create': { project_id: NONE },
        'registry.read': { path: `${NONE}/tags/list` },
      })
      return {
        fetch,
        asked: (call) => {
          const [input] = asked(call)
          const ids = Object.keys(input).filter((name) => known.has(input[name]))
          return ids.length === 0 ? [input] : ids.map((name) => ({ ...input, [name]: NONE }))
        },
      }
    },
  },
  {
    code: 'forbidden',
    title: 'to a person who sees the project, and may not change it',
    given: async (server) => {
      const { people, things, asking } = await aSetting(server, 'alice')
      const { slug: project_id } = things.project
      const { code } = await server.visitor().pairings.start({ name: 'CI' })
      const { upload_id: id } = await anUpload(server, people.host, 5)
      const offer_id = await offer(server, join(server.dataDir, '..'))
      const { file_request } = await server.as(people.host).fileRequests.create({ name: 'Logs' })
      return {
        fetch: (await server.atWindow(people.host)).browser.fetch,
        asked: asking({
          'apiKeys.create': { project_id },
          'invites.create': { project_id },
          'pairings.answer': { code, approve: true, project_id },
          'uploads.change': { id, project_id },
          'localFiles.publish': { offer_id, project_id },
          'fileRequests.create': { project_id },
          'fileRequests.update': { requestId: file_request.request_id, project_id },
        }),
      }
    },
  },
  {
    code: 'precondition_failed',
    title: 'where If-Match names other bytes',
    given: async (server) => {
      const { fetch, asking } = await aSetting(server, 'host')
      return { fetch, asked: (call) => asking({ [call]: { 'if-match': '"another"' } })(call) }
    },
  },
  {
    code: 'range_not_satisfiable',
    title: 'where the range begins after the end',
    given: async (server) => {
      const { fetch, asking } = await aSetting(server, 'host')
      return { fetch, asked: asking(), range: 'bytes=5000000-' }
    },
  },
  {
    code: 'file_damaged',
    title: 'where the stored bytes are not those of the upload',
    given: async (server) => {
      const { me, fetch, asking } = await aSetting(server, 'host')
      for (const { blobId } of server.inside.files.ownedBy(me.id))
        await truncate(blobPath(server.dataDir, blobId), 1)
      return { fetch, asked: asking(), end: () => void server.log.takeErrors() }
    },
  },
  {
    code: 'too_many_requests',
    title: 'while the address has as many transfers as it may',
    among: (call) => !ofTesters(call),
    given: async (server) => {
      const { me, asking } = await aSetting(server, 'host')
      await allow(server, { transfers_per_address: 1 })
      // The window has no such limit.
      return { fetch: server.fetchAs(me), asked: asking(), end: await aRunningUpload(server, me) }
    },
  },
  {
    code: 'too_many_requests',
    title: 'after guesses of the password of a tester link',
    among: ofTesters,
    given: async (server) => {
      const { fetch, asking, token, things } = await aLockedLink(server, 'wrong')
      for (let guess = 0; guess < 3; guess++) {
        await fetch(`/t/${token}/feeds/atom.xml`)
        await fetch(`/s/${things.shareToken}/download`)
        await fetch(`/u/${things.requestToken}/uploads/${things.sent}`)
      }
      const wrong = { password: 'wrong' }
      const also = {
        ...{ 'testers.unlock': wrong, 'shareLinks.unlock': wrong },
        'fileRequests.unlock': wrong,
      }
      return { fetch, asked: asking(also, token) }
    },
  },
  {
    code: 'bad_credentials',
    title: 'without the right password',
    given: async (server) => {
      const { fetch, asking, token } = await aLockedLink(server)
      const wrong = {
        'accounts.login': { password: 'wrong' },
        'accounts.update': { email: 'new@example.com', current_password: 'wrong' },
        'accounts.changePassword': { current_password: 'wrong' },
        'testers.unlock': { password: 'wrong' },
      }
      return { fetch, asked: asking(wrong, token) }
    },
  },
  {
    code: 'busy',
    title: 'while many others sign in',
    given: async (server) => {
      const { fetch, asking, token } = await aLockedLink(server, PASSWORD)
      const password = { password: PASSWORD }
      const { id } = server.user('alice')
      const { token: link } = await server.inside.users.createPasswordLink(id)
      const also = {
        'accounts.update': { email: 'new@example.com', current_password: PASSWORD },
        'accounts.usePasswordLink': { link },
        'testers.unlock': password,
        'testers.create': password,
        'testers.update': password,
        'shareLinks.create': password,
        'shareLinks.update': password,
        'shareLinks.unlock': password,
        'fileRequests.create': password,
        'fileRequests.update': password,
        'fileRequests.unlock': password,
      }
      return {
        fetch,
        asked: asking(also, token),
        end: crowd(server, 66, (person) => `network ${person}`),
      }
    },
  },
  {
    code: 'quota_exceeded',
    title: 'where the quota is full',
    given: async (server) => {
      const { me, fetch, asking } = await aSetting(server, 'alice')
      const offer_id = await offer(server, join(server.dataDir, '..'))
      await aFullQuota(server, me, 0)
      const also = {
        'posts.update': { content: 'More news' },
        'releases.create': { notes: 'Faster' },
        'localFiles.publish': { offer_id },
        'accessRequests.ask': { note: 'Let me in' },
      }
      return { fetch, asked: asking(also) }
    },
  },
  {
    code: 'too_many_records',
    title: 'where the account has as many as it may',
    given: async (server) => {
      const { me, people, things, fetch, asking } = await aSetting(server, 'alice')
      const { slug: id } = things.project
      const as = server.as(me)
      await allItsReleases(server, me, id)
      for (let number = 1; number < 100; number++)
        await as.testers.create({ id, name: `Group ${number}` })
      for (let number = 1; number < 100; number++)
        await as.shareLinks.create({ id: things.file.file_id })
      for (let number = 1; number < 100; number++) await as.fileRequests.create({ name: 'Logs' })
      await as.fileRequests.update({ requestId: things.request.request_id, most_files: 1 })
      const reports = server.inside.library.collection('reports')
      const report = reports.get(things.reportId)!
      const [file] = report.attachments
      const reply = { id: NONE, text: 'More', createdAt: report.createdAt }
      const full = {
        attachments: Array.from({ length: 5 }, () => file!),
        replies: Array.from({ length: 50 }, () => reply),
      }
      await server.inside.library.transact((tx) =>
        tx.put(reports, report.id, { ...report, ...full }),
      )
      await allSubscribers(server)
      for (let number = 0; number < 9; number++)
        await as.webhooks.create({ id, name: 'CI', url: 'https://ci.example' })
      const { client } = await server.signedIn(me)
      for (let number = 0; number < 19; number++) {
        const job = { provider: 'github', repository: `lea/app-${number}`, branch: 'main' } as const
        await client.trustedPublishers.add({ id, ...job })
      }
      for (let number = 0; number < 20; number++)
        await as.retention.update({ id, channel: `c${number}`, keep: 1 })
      for (let number = 1; number < 100; number++)
        await as.previews.put({ id, name: `pr-${number}` })
      await as.projects.remove({ id: people.another.project_id })
      await allow(server, {
        ...{ projects_per_account: 1, posts_per_account: 1, api_keys_per_account: 1 },
        unfinished_uploads_per_account: 1,
      })
      const { code } = await server.visitor().pairings.start({ name: 'CI' })
      const also = {
        'trash.restore': { id: people.another.project_id },
        'pairings.answer': { code, approve: true, project_id: id },
        'previews.put': { name: 'one-more' },
      }
      return { fetch, asked: asking(also) }
    },
  },
  {
    code: 'read_only',
    title: 'while the library takes no changes',
    given: async (server) => {
      const { fetch, asking, things } = await aSetting(server, 'host')
      const CHALLENGE = server.inside.testerTicketOf(things.token, 'device')
      const fields = { UDID: 'a'.repeat(40), PRODUCT: 'iPhone15,2', CHALLENGE }
      const file = new Blob([await aDeviceAnswer(fields)])
      await server.inside.library.close()
      return { fetch, asked: asking({ 'devices.add': { file } }) }
    },
  },
  {
    code: 'disk_full',
    title: 'while the disk is full',
    given: async (server) => {
      const { fetch, asking } = await aSetting(server, 'host')
      const offer_id = await offer(server, join(server.dataDir, '..'))
      aDiskWith(server, 0)
      return { fetch, asked: asking({ 'localFiles.publish': { offer_id } }) }
    },
  },
]
