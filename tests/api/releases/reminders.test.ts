import { describe, expect } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY, HOUR, SECOND } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend<{ at: Awaited<ReturnType<typeof aBeta>> }>({
  at: async ({ server }, use) => use(await aBeta(server)),
})

/** A project of alice's with two versions in beta, on a host that sends mail. */
async function aBeta(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const owner = server.as(alice)
  const { project_id: id } = await aProject(server, alice, { title: 'Lantern' })
  const mail = await aMailServer()
  await server.inside.settings.update(mail.settings)

  const release = async (version: string, channel = 'beta') => {
    const filename = `lantern-${version}.apk`
    const file = await aFile(server, alice, { filename, bytes: version, project_id: id, version })
    await owner.releases.promote({ id, version, channel })
    await settle()
    return file.file_id
  }
  const settle = async (ms = 0) => {
    server.clock.advance(ms)
    server.inside.notices.look()
    await server.inside.notices.idle()
  }
  const post = (path: string, fields: Record<string, string> = {}) =>
    server.fetch(path, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })

  /** A tester link by which a person downloaded a version; `emails` confirmed theirs. */
  const tester = async (name: string, version: string, emails: readonly string[] = []) => {
    const { tester, url } = await owner.testers.create({ id, name })
    const door = new URL(url).pathname
    await (await server.fetch(`${door}/releases/${version}/lantern-${version}.apk`)).arrayBuffer()
    const took = async () =>
      (await owner.testers.list({ id })).testers.find((it) => it.name === name)?.versions.length
    await expect.poll(took).toBe(1)
    for (const email of emails) {
      await post(`${door}/subscribers`, { email })
      await settle()
      await post(`${linkIn(mail.got.at(-1)!, '/n/')}/confirm`)
    }
    return { door, testerId: tester.tester_id }
  }
  const told = () =>
    mail.got.filter(({ text }) => text.includes('older version')).map(({ to }) => to)

  await release('1.4.0')
  return { owner, id, mail, release, settle, tester, told, post }
}

describe('notices.planReminder and notices.remind', () => {
  test('mail those below a version who asked for mails, and say why others get none', async ({
    server,
    bob,
    at: { owner, id, mail, release, settle, tester, told },
  }) => {
    await tester('Old', '1.4.0', ['kim@example.org', 'lee@example.org'])
    await tester('Silent', '1.4.0')
    await release('1.5.0')
    await tester('New', '1.5.0', ['max@example.org'])
    await settle(2 * DAY)
    const before = mail.got.length

    const input = { id, below: '1.5.0' }
    const plan = await owner.notices.planReminder(input)
    expect(plan).toEqual({
      mails: 2,
      browsers: 0,
      testers: [
        { name: 'Silent', version: '1.5.0', mails: 0, reason: 'no_address' },
        { name: 'Old', version: '1.5.0', mails: 2, reason: null },
      ].map((it) => ({ ...it, browsers: 0, tester_id: expect.any(String) as string })),
    })
    expect(JSON.stringify(plan)).not.toContain('example.org')
    expect(mail.got).toHaveLength(before)
    await expect(server.as(bob).notices.remind(input)).rejects.toMatchObject({ code: 'not_found' })

    // Two owners at once, and again within the day: one mail each.
    const both = await Promise.all([owner.notices.remind(input), owner.notices.remind(input)])
    expect(both.map(({ mails }) => mails)).toEqual([2, 0])
    await settle()
    await settle(23 * HOUR)
    expect((await owner.notices.remind(input)).testers.at(-1)?.reason).toBe('told')
    await settle()
    expect(told().sort()).toEqual(['kim@example.org', 'lee@example.org'])
    const notice = mail.got.at(-1)!
    expect(notice.headers.get('subject')).toBe('Lantern 1.5.0 is available on beta')
    expect(notice.headers.get('list-unsubscribe')).toMatch(/\/n\/[\w-]{22}\/end>$/)

    server.clock.advance(2 * HOUR)
    expect((await owner.notices.remind(input)).mails).toBe(2)
    const { events } = await server.inside.audit.page({ limit: 2 })
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['tester_remind', '2 emails'],
      ['tester_remind', '2 emails'],
    ])
  })

  test('tell of the newest version, but not of one that a mail told of today', async ({
    at: { owner, id, release, settle, tester, told },
  }) => {
    await tester('Old', '1.4.0', ['kim@example.org'])
    await release('1.5.0')
    const reasonOf = async (below: string) =>
      (await owner.notices.planReminder({ id, below })).testers.map(({ reason }) => reason)
    expect(await reasonOf('1.5.0')).toEqual(['told'])
    expect(await reasonOf('1.6.0')).toEqual(['not_shown'])
    // Published before its build arrives: testers cannot open it yet.
    await owner.releases.create({ id, version: '1.9.0', channel: 'beta', state: 'published' })
    expect(await reasonOf('1.6.0')).toEqual(['not_shown'])
    const versions = (await owner.testers.list({ id })).by_version.map(({ version }) => version)
    expect(versions).toEqual(['1.5.0', '1.4.0'])

    // A newer one waits for its hour: a reminder must not replace it.
    await release('1.6.0')
    expect(await reasonOf('1.5.0')).toEqual(['told'])
    await settle(DAY)
    await owner.releases.withdraw({ id, version: '1.6.0' })
    const { testers } = await owner.notices.remind({ id, below: '1.5.0' })
    expect(testers).toMatchObject([{ version: '1.5.0', mails: 1 }])
    // Still an hour after the mail about 1.6.0.
    await settle(SECOND)
    expect(told()).toEqual([])
    await settle(HOUR)
    expect(told()).toEqual(['kim@example.org'])
  })

  test('leave out ended mails and links, and a host without mail', async ({
    server,
    at: { owner, id, mail, post, release, settle, tester, told },
  }) => {
    await tester('Ended', '1.4.0', ['kim@example.org'])
    await post(`${linkIn(mail.got.at(-1)!, '/n/')}/end`)
    const revoked = await tester('Revoked', '1.4.0', ['lee@example.org'])
    await owner.testers.revoke({ id, testerId: revoked.testerId })
    const updating = await tester('Updating', '1.4.0')
    await server.fetch(`${updating.door}/feeds/fdroid/repo/index-v2.json`)
    await tester('Asking', '1.4.0', ['max@example.org'])
    await release('1.5.0')
    await settle(2 * DAY)

    await server.inside.settings.update({ mail_server: '' })
    const { mails, testers } = await owner.notices.remind({ id, below: '1.5.0' })
    expect(mails).toBe(0)
    expect(testers.map(({ name, reason }) => [name, reason])).toEqual([
      ['Asking', 'mail_off'],
      ['Updating', 'updater'],
      ['Ended', 'no_address'],
    ])
    expect(told()).toEqual([])
  })
})

describe('notices.subscribeTester', () => {
  test('mails an asker who is approved, and then new releases', async ({
    server,
    at: { owner, id, mail, post, release, settle },
  }) => {
    await owner.projects.update({ id, is_public: true })
    await owner.accessRequests.configure({ id, is_open: true })
    const page = await ask(server, id)
    server.clock.advance(SECOND)
    const other = await ask(server, id)
    expect(await (await server.fetch(page)).text()).toMatch(
      /Get notified of your approval.*value="kim@example\.com"/s,
    )
    for (const [path, email] of [
      [page, 'kim@example.com'] as const,
      [other, 'no@example.com'] as const,
    ]) {
      await post(`${path}/subscribers`, { email })
      await settle()
      await post(`${linkIn(mail.got.at(-1)!, '/n/')}/confirm`)
    }

    const [second, first] = (await owner.accessRequests.list({ id })).access_requests
    await owner.accessRequests.decline({ id, request_ids: [second!.request_id] })
    await owner.accessRequests.approve({ id, request_ids: [first!.request_id] })
    await settle()
    const { to, headers, text } = mail.got.at(-1)!
    expect([to, headers.get('subject')]).toEqual(['kim@example.com', 'You can now test Lantern'])
    expect(text).toContain(page)

    await release('1.5.0')
    expect(mail.got.at(-1)).toMatchObject({ to: 'kim@example.com' })
    expect(mail.got.at(-1)?.text).toContain(`${page}/releases/1.5.0`)
    // A declined person reads it on their page only, where nothing is offered any more.
    expect(mail.got.filter((it) => it.to === 'no@example.com')).toHaveLength(1)
    expect(await (await server.fetch(other)).text()).not.toContain('Get notified')
    await post(`${other}/withdraw`)
    const left = [...server.inside.library.collection('subscribers').values()]
    expect(left.map(({ target }) => target.kind)).toEqual(['tester'])
  })
})

/** Asks for access, and returns the path of the private page. */
async function ask(server: TestServer, id: string): Promise<string> {
  const body = new URLSearchParams({ email: 'kim@example.com' })
  const reply = await server.fetch(`/p/${id}/requests`, { method: 'POST', body })
  return new URL(((await reply.json()) as { url: string }).url).pathname
}
