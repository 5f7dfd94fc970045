import { describe, expect } from 'vitest'
import { hashOfToken } from '../../../server/access/link-token'
import { NO_MAIL_SERVER } from '../../support/mail/a-subscriber'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { refusal } from '../../support/network/reply'
import { aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { PASSWORD } from '../../support/world/password'
import { DAY, HOUR, MINUTE } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const test = base.extend<{ at: Awaited<ReturnType<typeof aTeam>> }>({
  at: async ({ server }, use) => use(await aTeam(server)),
})

/** Alice's public project with a collaborator, on a host that sends mail. */
async function aTeam(server: TestServer) {
  const [alice, carol] = [await aUser(server, 'alice'), await aUser(server, 'carol')]
  const [owner, other] = [await server.signedIn(alice), await server.signedIn(carol)]
  const { project_id: id } = await aProject(server, alice, { title: 'Lantern', is_public: true })
  await owner.client.collaborators.add({ id, username: 'carol' })
  await owner.client.accessRequests.configure({ id, is_open: true })
  const { url } = await owner.client.testers.create({ id, name: 'Berlin' })
  const request = await owner.client.fileRequests.create({ name: 'Save games' })
  const mail = await aMailServer()
  await server.inside.settings.update(mail.settings)

  const settle = async (ms = 0) => {
    server.clock.advance(ms)
    server.inside.notices.look()
    await server.inside.notices.idle()
  }
  const post = async (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams(fields)
    return server.fetch(path, { method: 'POST', body, redirect: 'manual' })
  }
  const reportsPath = `${new URL(url).pathname}/reports`
  const report = async (text: string) => {
    const reply = await server.fetch(reportsPath, reportForm(text))
    expect(reply.status).toBe(201)
    return new URL(((await reply.json()) as { url: string }).url).pathname
  }
  const ask = (name: string) => post(`/p/${id}/requests`, { name })
  const send = async (name: string, from: string) => {
    const body = new FormData()
    body.set('from', from)
    body.set('file', new Blob(['level 3']), name)
    const path = new URL(request.file_request.url ?? '').pathname
    const reply = await server.fetch(`${path}/files`, { method: 'POST', body, redirect: 'manual' })
    expect(reply.status).toBeLessThan(400)
  }
  /** Turns the digest of a person on, and confirms the address. */
  const turnOn = async ({ client }: typeof owner) => {
    await client.accounts.update({ email_digest: true })
    await settle()
    await post(`${linkIn(mail.got.at(-1)!, '/n/')}/confirm`)
    mail.got.length = 0
  }
  const queued = () => [...server.inside.library.collection('notices').values()]
  const reportsOf = async ({ client }: typeof owner) => (await client.reports.list({ id })).reports
  const subjects = () => mail.got.map(({ to, headers }) => [to, headers.get('subject')])
  return {
    ...{ id, alice, carol, owner, other, mail, settle, post, report, ask, send, turnOn, queued },
    ...{ reportsOf, reportsPath, subjects },
  }
}

const reportForm = (text: string) => ({
  method: 'POST',
  body: JSON.stringify({ text }),
  headers: { 'content-type': 'application/json' },
})

const anotherReport = (number: number) => ({
  id: `report-${number}`,
  tokenHash: hashOfToken(`report-${number}`),
})

describe('accounts.update', () => {
  test('turns the digest on once the address is confirmed, and one click turns it off', async ({
    server,
    at: { owner, mail, settle, post, report, subjects },
  }) => {
    const stateOf = async () => (await owner.client.accounts.me({})).email_digest
    expect(await stateOf()).toBe('off')
    const both = [1, 2].map(() => owner.client.accounts.update({ email_digest: true }))
    expect((await Promise.all(both)).map((it) => it.email_digest)).toEqual(
      Array(2).fill('unconfirmed'),
    )
    await settle()
    expect(subjects()).toEqual([['alice@example.com', "Confirm your address for alice's account"]])
    await report('Nobody hears of it.')
    await settle(HOUR)
    expect(mail.got).toHaveLength(1)

    await post(`${linkIn(mail.got[0]!, '/n/')}/confirm`)
    expect(await stateOf()).toBe('on')
    await server.inside.settings.update({ public_url: 'https://builds.example' })
    await report('It crashes.')
    await settle(5 * MINUTE)
    const { headers } = mail.got.at(-1)!
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const end = /^<https:\/\/builds\.example(\/n\/[\w-]+\/end)>$/.exec(
      headers.get('list-unsubscribe') ?? '',
    )
    await server.inside.settings.update({ public_url: null })
    expect((await post(end?.[1] ?? '')).status).toBe(200)
    expect(await stateOf()).toBe('off')
    await report('It still crashes.')
    await settle(DAY)
    expect(mail.got).toHaveLength(2)
  })

  test('mails an address at most three first mails a week, whoever asks', async ({
    at: { owner, mail, settle },
  }) => {
    for (let asked = 0; asked < 5; asked++) {
      expect((await owner.client.accounts.update({ email_digest: true })).email_digest).toBe(
        'unconfirmed',
      )
      await settle()
      expect((await owner.client.accounts.update({ email_digest: false })).email_digest).toBe('off')
    }
    expect(mail.got).toHaveLength(3)
  })

  test('ends the digest with the address and with the account', async ({
    server,
    at: { owner, other, mail, settle, report, turnOn },
  }) => {
    await turnOn(owner)
    await turnOn(other)
    await report('It crashes.')
    const email = 'new@example.org'
    const changed = await owner.client.accounts.update({ email, current_password: PASSWORD })
    expect(changed.email_digest).toBe('off')
    await other.client.accounts.remove({ current_password: PASSWORD })
    await settle(HOUR)
    expect(mail.got.map(({ headers }) => headers.get('subject'))).toEqual([
      'Your email address was changed',
    ])
    expect(server.inside.library.collection('subscribers').size).toBe(0)
  })

  test('refuses the digest where no mail can be sent', async ({ server, at: { owner } }) => {
    const on = () => owner.client.accounts.update({ email_digest: true })
    await owner.client.accounts.update({ email: 'alice@exämple.org', current_password: PASSWORD })
    await expect(on()).rejects.toMatchObject(refusal('invalid_input', 'email_digest'))
    await server.inside.settings.update({ mail_server: '' })
    await expect(on()).rejects.toMatchObject(refusal('not_supported', 'email_digest'))
    expect((await owner.client.accounts.update({ email_digest: false })).email_digest).toBe('off')
  })
})

describe('a digest', () => {
  test('collects what came in one mail, with counts, the newest lines and links', async ({
    server,
    at: { id, owner, mail, settle, report, ask, send, turnOn, subjects },
  }) => {
    await turnOn(owner)
    for (let number = 1; number <= 5; number++) {
      await report(`Crash ${number}\r\n-- \r\n<b>\u202e${'x'.repeat(90)}`)
      server.clock.advance(1000)
    }
    await ask('Kim\u2028Bcc: lee@example.org')
    await send('save.dat', 'Lee')
    await settle(4 * MINUTE)
    expect(mail.got).toEqual([])
    await settle(MINUTE)
    expect(subjects()).toEqual([
      ['alice@example.com', '5 new reports, 1 request for access, and 1 received file'],
    ])
    const { text } = mail.got[0]!
    expect(text).toContain('1 received file\n- save.dat, from Lee\nhttp')
    expect(text).toContain('Lantern: 1 request for access\n- KimBcc: lee@example.org\nhttp')
    expect(text).toMatch(
      /Lantern: 5 new reports\n- Crash 5 -- <b>x+…\n- Crash 4 .*\n- Crash 3 .*\n- and 2 more\nhttp/,
    )
    expect(text).toContain(`/projects/${id}/reports\n`)
    expect(text).toContain(`/projects/${id}/people\n`)
    expect(text.match(/^-- $/gm)).toHaveLength(1)
    expect(mail.got[0]?.headers.has('bcc')).toBe(false)
  })

  test('leaves out what was seen, answered, done by its reader, or deleted', async ({
    at: { id, owner, mail, settle, report, ask, send, turnOn, queued, reportsOf, reportsPath },
  }) => {
    await turnOn(owner)
    await report('Answered')
    const [answered] = await reportsOf(owner)
    await owner.client.reports.reply({ id, reportId: answered!.report_id, text: 'Thanks' })
    await report('Deleted')
    await ask('Kim')
    await send('save.dat', 'Lee')
    const [gone] = await reportsOf(owner)
    await owner.client.reports.remove({ id, reportId: gone!.report_id })
    const { access_requests: asked } = await owner.client.accessRequests.list({ id })
    await owner.client.accessRequests.decline({ id, request_ids: [asked[0]!.request_id] })
    await owner.client.fileRequests.markSeen({})
    await settle(5 * MINUTE)
    expect([mail.got, queued()]).toEqual([[], []])

    // Its list was open when it came.
    await report('Seen')
    await reportsOf(owner)
    await owner.browser.fetch(reportsPath, reportForm('Written by its reader'))
    await settle(5 * MINUTE)
    expect([mail.got, queued()]).toEqual([[], []])
  })

  test('tells of an answer by the reporter', async ({
    at: { id, owner, mail, settle, post, report, turnOn, reportsOf, subjects },
  }) => {
    await turnOn(owner)
    const page = await report('It crashes.')
    const [{ report_id: reportId } = { report_id: '' }] = await reportsOf(owner)
    await owner.client.reports.reply({ id, reportId, text: 'Which phone?' })
    await post(`${page}/replies`, { text: 'A Pixel' })
    await settle(5 * MINUTE)
    expect(subjects()).toEqual([['alice@example.com', '1 answer by a reporter for Lantern']])
    expect(mail.got[0]?.text).toContain('\n- A Pixel\n')
  })

  test('goes to collaborators who asked for it, while they may open the project', async ({
    at: { id, carol, owner, other, mail, settle, report, send, turnOn, subjects },
  }) => {
    await turnOn(other)
    await report('It crashes.')
    await send('save.dat', 'Lee')
    await settle(5 * MINUTE)
    expect(subjects()).toEqual([['carol@example.com', '1 new report for Lantern']])
    expect(mail.got[0]?.text).not.toContain('save.dat')

    await report('It crashes again.')
    await owner.client.collaborators.remove({ id, collaboratorId: carol.id })
    await settle(DAY)
    expect(mail.got).toHaveLength(1)
  })

  test('says nothing of a project in the trash, or to a disabled account', async ({
    server,
    at: { id, alice, owner, other, mail, settle, report, turnOn },
  }) => {
    await turnOn(owner)
    await turnOn(other)
    await report('It crashes.')
    await server.inside.users.change(alice.id, { disabled: true })
    await settle(5 * MINUTE)
    await server.inside.users.change(alice.id, { disabled: false })
    await report('It crashes again.')
    await server.as(alice).projects.remove({ id })
    await settle(DAY)
    expect(mail.got).toEqual([])
  })

  test('leaves an hour after the last one, and more while they follow at once', async ({
    at: { owner, mail, settle, report, turnOn, subjects },
  }) => {
    await turnOn(owner)
    const hours: number[] = []
    for (let hour = 0; hour < 40; hour++) {
      await report(`Hour ${hour}`)
      const before = mail.got.length
      await settle(HOUR)
      if (mail.got.length > before) hours.push(hour)
    }
    expect(hours).toEqual([0, 1, 3, 7, 15, 23, 31, 39])
    expect(subjects().at(-1)?.[1]).toBe('8 new reports for Lantern')

    await settle(2 * DAY)
    await report('Later')
    await settle(5 * MINUTE)
    await report('Much later')
    await settle(HOUR)
    expect(
      subjects()
        .slice(-2)
        .map(([, subject]) => subject),
    ).toEqual(Array(2).fill('1 new report for Lantern'))
  })

  test('tells what comes while it is sent in the next one, and nothing twice', async ({
    server,
    at: { owner, mail, settle, report, turnOn, queued },
  }) => {
    await turnOn(owner)
    const taken = Promise.withResolvers<undefined>()
    const slow = await aMailServer({ after: (count) => (count === 1 ? taken.promise : undefined) })
    await server.inside.settings.update(slow.settings)
    await report('First')
    server.clock.advance(5 * MINUTE)
    server.inside.notices.look()
    await expect.poll(() => slow.got.length).toBe(1)
    await report('Second')
    taken.resolve(undefined)
    await settle()
    expect(queued()).toHaveLength(1)
    await settle(59 * MINUTE)
    expect(slow.got).toHaveLength(1)
    await settle(MINUTE)
    expect(slow.got.map(({ text }) => /- (\w+)\n/.exec(text)?.[1])).toEqual(['First', 'Second'])
    expect([queued(), mail.got]).toEqual([[], []])
  })

  test('counts to 100 and says that there is more', async ({
    server,
    at: { id, owner, mail, settle, report, turnOn, queued },
  }) => {
    await turnOn(owner)
    await report('The first')
    const reports = server.inside.library.collection('reports')
    const [first] = reports.values()
    await server.inside.library.transact((tx) => {
      for (let number = 0; number < 120; number++)
        tx.put(reports, `report-${number}`, { ...first!, ...anotherReport(number) })
    })
    await report('The last')
    expect(queued()[0]?.news).toMatchObject({ items: { length: 100 } })
    await settle(5 * MINUTE)
    expect(mail.got[0]?.headers.get('subject')).toBe('100 new reports for Lantern')
    expect(mail.got[0]?.text).toContain('This email counts 100 at most')
    expect(mail.got[0]?.text).toContain(`/projects/${id}/reports`)
  })

  test('waits for a mail server that is away, and is not queued where the host has none', async ({
    server,
    at: { owner, mail, settle, report, turnOn, queued },
  }) => {
    await turnOn(owner)
    await server.inside.settings.update(NO_MAIL_SERVER)
    await report('First')
    await settle(5 * MINUTE)
    await server.inside.settings.update(mail.settings)
    await report('Second')
    await settle(MINUTE)
    expect(mail.got[0]?.text).toMatch(/- Second\n- First\n/)

    await server.inside.settings.update({ mail_server: '' })
    await report('Third')
    expect(queued()).toEqual([])
  })

  test('is sent after a restart', async ({ server, at: { owner, mail, report, turnOn } }) => {
    await turnOn(owner)
    await report('It crashes.')
    await server.close()
    const { inside } = await server.restart()
    server.clock.advance(5 * MINUTE)
    inside.notices.look()
    await inside.notices.idle()
    expect(mail.got.map(({ headers }) => headers.get('subject'))).toEqual([
      '1 new report for Lantern',
    ])
  })
})
