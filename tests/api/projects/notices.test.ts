import { describe, expect } from 'vitest'
import { aMailServer, linkIn } from '../../support/mail/mail-server'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY, HOUR, SECOND } from '../../support/world/test-clock'
import type { TestServer } from '../../support/world/test-server'

const KIM = 'kim@example.org'

const test = base.extend<{ at: Awaited<ReturnType<typeof aBeta>> }>({
  at: async ({ server }, use) => use(await aBeta(server)),
})

/** A private project of alice's with a link for testers of `beta`, on a host that can send mail. */
async function aBeta(server: TestServer) {
  const alice = await aUser(server, 'alice')
  const owner = server.as(alice)
  const { project_id: id } = await aProject(server, alice, { title: 'Lantern' })
  const { tester, url } = await owner.testers.create({ id, name: 'Berlin' })
  const door = new URL(url).pathname

  const useMail = (answers?: Parameters<typeof aMailServer>[0]) =>
    aMailServer(answers).then(async (mail) => {
      await server.inside.settings.update(mail.settings)
      return mail
    })
  const settle = async (ms = 0) => {
    server.clock.advance(ms)
    server.inside.notices.look()
    await server.inside.notices.idle()
  }
  const post = (path: string, fields: Record<string, string> = {}, accept = '*/*') =>
    server.fetch(path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { accept },
      redirect: 'manual',
    })
  const confirm = (mail: Mailbox['got'][number] | undefined) =>
    post(`${linkIn(mail!, '/n/')}/confirm`)
  const ask = async (email = KIM, page = door) => {
    const reply = await post(`${page}/subscribers`, { email }, 'text/html')
    await settle()
    return reply.headers.get('location')
  }
  const release = async (version: string, channel: string) => {
    await aFile(server, alice, {
      ...{ filename: `lantern-${version}.apk`, bytes: version, project_id: id, version },
    })
    await owner.releases.promote({ id, version, channel })
    await settle()
  }
  const count = () => server.inside.library.collection('subscribers').size
  return {
    id,
    owner,
    door,
    testerId: tester.tester_id,
    useMail,
    settle,
    post,
    confirm,
    ask,
    release,
    count,
  }
}

/** A subscriber who has confirmed. */
async function kimIn({ at, mail }: { at: Awaited<ReturnType<typeof aBeta>>; mail: Mailbox }) {
  await at.ask()
  await at.confirm(mail.got.at(-1))
}
type Mailbox = Pick<Awaited<ReturnType<typeof aMailServer>>, 'got'>

describe('notices.subscribeTester, notices.confirm and notices.end', () => {
  test('mails new releases of the channel, from the confirmation to one click', async ({
    server,
    at,
  }) => {
    const mail = await at.useMail()
    const { got } = mail
    expect(await at.ask()).toBe(`${at.door}?notices=mailed#notices`)
    expect(got).toHaveLength(1)
    expect(got[0]).toMatchObject({ to: KIM, from: 'builds@example.org' })
    expect(got[0]?.headers.get('subject')).toBe('Confirm your address for Lantern')
    const link = linkIn(got[0]!, '/n/')

    // A scanner opens the link: nothing changes.
    const page = await server.fetch(link)
    expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(await page.text()).toContain('Yes, email me')
    await at.release('1.5.0-beta.1', 'beta')
    expect(got).toHaveLength(1)

    expect((await at.confirm(got[0])).status).toBe(302)
    expect((await at.confirm(got[0])).status).toBe(404)
    expect(await (await server.fetch(link)).text()).toContain('k…@example.org')

    await at.release('1.5.0-beta.2', 'beta')
    await at.release('1.6.0-nightly', 'nightly')
    expect(got).toHaveLength(2)
    const [, notice] = got
    expect(notice?.headers.get('subject')).toBe('Lantern 1.5.0-beta.2 is available on beta')
    expect(notice?.text).toContain(`${at.door}/releases/1.5.0-beta.2`)
    expect(notice?.headers.get('content-type')).toContain('text/plain')

    // RFC 8058: a program posts this, without cookies.
    const end = /^<(.+)>$/.exec(notice?.headers.get('list-unsubscribe') ?? '')?.[1] ?? ''
    const { pathname } = new URL(end)
    expect(pathname).toBe(`${link}/end`)
    const clicked = await at.post(pathname, { 'List-Unsubscribe': 'One-Click' })
    expect(clicked.status).toBe(200)
    await at.release('1.5.0-beta.3', 'beta')
    await at.settle(DAY)
    expect(got).toHaveLength(2)
    expect(at.count()).toBe(0)

    const again = await at.post(pathname, {}, 'text/html')
    expect(again.headers.get('location')).toBe(`${link}/ended`)
    expect(await (await server.fetch(`${link}/ended`)).text()).toContain(
      'These messages have stopped',
    )
    expect((await server.fetch(link)).status).toBe(404)
  })

  test('names by https where one click ends the mails', async ({ server, at }) => {
    const mail = await at.useMail()
    await kimIn({ at, mail })
    await server.inside.settings.update({ public_url: 'https://builds.example' })
    await at.release('1.5.0-beta.1', 'beta')
    const { headers } = mail.got.at(-1)!
    expect(headers.get('list-unsubscribe')).toMatch(
      /^<https:\/\/builds\.example\/n\/[\w-]{22}\/end>$/,
    )
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    expect(headers.get('message-id')).toMatch(/^<[\w-]+@builds\.example>$/)
  })

  test('leaves an hour between two releases, and mails the newest then', async ({ at }) => {
    const mail = await at.useMail()
    await kimIn({ at, mail })
    for (const number of [1, 2, 3]) await at.release(`2.0.0-beta.${number}`, 'beta')
    expect(mail.got).toHaveLength(2)
    await at.settle(HOUR)
    expect(mail.got.map(({ headers }) => headers.get('subject')).slice(1)).toEqual([
      'Lantern 2.0.0-beta.1 is available on beta',
      'Lantern 2.0.0-beta.3 is available on beta',
    ])
  })

  test('ends with its tester link', async ({ at }) => {
    const mail = await at.useMail()
    await kimIn({ at, mail })
    await at.owner.testers.revoke({ id: at.id, testerId: at.testerId })
    expect(at.count()).toBe(0)
    expect(await at.post(`${at.door}/subscribers`, { email: KIM })).toMatchObject({ status: 404 })
    await at.release('1.5.0-beta.1', 'beta')
    expect(mail.got).toHaveLength(1)
  })

  test('sends nothing for a link that expires while a notice waits', async ({ at }) => {
    const mail = await at.useMail()
    await kimIn({ at, mail })
    await mail.close()
    await at.release('1.5.0-beta.1', 'beta')
    await at.useMail().then(async (next) => {
      await at.settle(31 * DAY)
      expect(next.got).toEqual([])
    })
  })

  test('gives the same reply whatever it knows, and sends an address few first mails', async ({
    server,
    at,
  }) => {
    const mail = await at.useMail()
    const replies = [await at.ask(), await at.ask(), await at.ask(KIM.toUpperCase())]
    expect(mail.got).toHaveLength(1)
    await at.confirm(mail.got[0])
    replies.push(await at.ask())
    expect(new Set(replies).size).toBe(1)
    expect(mail.got).toHaveLength(1)

    const doors = []
    for (let number = 0; number < 4; number++) {
      const { url } = await at.owner.testers.create({ id: at.id, name: `Group ${number}` })
      doors.push(new URL(url).pathname)
    }
    for (const door of doors) expect(await at.ask('lee@example.org', door)).toContain('mailed')
    expect(mail.got.filter(({ to }) => to === 'lee@example.org')).toHaveLength(3)

    // The link of a first mail works for a day, and an address that nobody confirms is forgotten.
    server.clock.advance(DAY)
    expect((await at.confirm(mail.got.at(-1))).status).toBe(404)
    server.clock.advance(7 * DAY)
    await server.inside.tidy()
    expect(at.count()).toBe(1)
  })

  test.for([
    'kim',
    'kim@example.org\r\nBcc: lee@example.org',
    'kim@example.org, lee@example.org',
    '"kim" <kim@example.org>',
    'kim@example.org>',
    `${'k'.repeat(65)}@example.org`,
    `kim@${'e'.repeat(250)}.org`,
    'kim@exämple.org',
  ])('refuses the address %j', async (email, { at }) => {
    const mail = await at.useMail()
    expect(await at.ask(email)).toContain('notices=invalid_input')
    expect(mail.got).toEqual([])
    expect(at.count()).toBe(0)
  })

  test('puts no header and no markup into a mail, whatever the title and notes say', async ({
    at,
  }) => {
    const mail = await at.useMail()
    await kimIn({ at, mail })
    const title = 'Lantern\r\nBcc: lee@example.org <b>ü</b>'
    await at.owner.projects.update({ id: at.id, title })
    await at.release('3.0.0-beta.1', 'beta')
    const { headers, to, text } = mail.got.at(-1)!
    expect([to, headers.has('bcc')]).toEqual([KIM, false])
    expect(text).toContain(
      'Lantern  Bcc: lee@example.org <b>ü</b> 3.0.0-beta.1 is available on beta.',
    )
  })

  test('is not there on a host without a mail server', async ({ server, at }) => {
    const page = await (await server.fetch(at.door)).text()
    expect(page).not.toContain('type="email"')
    expect(page).toContain(`${at.door}/feeds/atom.xml`)
    expect(await at.post(`${at.door}/subscribers`, { email: KIM })).toMatchObject({ status: 405 })
  })
})

describe('a notice', () => {
  test('waits for a mail server that is away, and goes on with its id', async ({ at }) => {
    const first = await at.useMail()
    await kimIn({ at, mail: first })
    await first.close()
    await at.release('1.5.0-beta.1', 'beta')

    const next = await at.useMail()
    await at.settle(14 * SECOND)
    expect(next.got).toEqual([])
    await at.settle(SECOND)
    expect(next.got).toHaveLength(1)
    await at.settle(HOUR)
    expect(next.got).toHaveLength(1)
  })

  test('is tried later where the mailbox is busy, and ends an address that refuses three', async ({
    at,
  }) => {
    const mail = await at.useMail({
      words: '5.1.1 No such user',
      refuse: (_to, count) => (count === 2 ? 450 : count > 3 ? 550 : undefined),
    })
    await kimIn({ at, mail })
    await at.release('1.0.0-beta.1', 'beta')
    expect(mail.got).toHaveLength(1)
    await at.settle(15 * SECOND)
    expect(mail.got).toHaveLength(2)
    for (const number of [2, 3, 4]) {
      expect(at.count()).toBe(1)
      await at.release(`1.0.0-beta.${number}`, 'beta')
      await at.settle(HOUR)
    }
    expect(at.count()).toBe(0)
  })

  test('waits for the next hour after as many as the host allows', async ({ server, at }) => {
    const mail = await at.useMail()
    await server.inside.settings.update({ mails_per_hour: 2 })
    for (const name of ['a', 'b', 'c']) await at.ask(`${name}@example.org`)
    expect(mail.got).toHaveLength(2)
    await at.settle(HOUR)
    expect(mail.got).toHaveLength(3)
  })
})

describe('notices.subscribeReporter and notices.reportFeed', () => {
  test('mail and list the answers to a report, and the version that fixes it', async ({
    server,
    at,
  }) => {
    const mail = await at.useMail()
    const sent = await server.fetch(`${at.door}/reports`, {
      method: 'POST',
      body: JSON.stringify({ text: 'It crashes.' }),
      headers: { 'content-type': 'application/json' },
    })
    const { url } = (await sent.json()) as { url: string }
    const page = new URL(url).pathname
    await at.ask(KIM, page)
    await at.confirm(mail.got[0])

    const [report] = (await at.owner.reports.list({ id: at.id })).reports
    const path = { id: at.id, reportId: report!.report_id }
    await at.owner.reports.reply({ ...path, text: 'Which <phone> is it?' })
    await at.settle()
    await at.owner.reports.update({ ...path, state: 'fixed', fixed_in: '1.4.1' })
    await at.settle()
    await at.post(`${page}/replies`, { text: 'Thanks' })
    await at.settle()
    expect(mail.got.slice(1).map(({ headers }) => headers.get('subject'))).toEqual([
      'Answer to your report on Lantern',
      'Your report on Lantern is fixed in 1.4.1',
    ])
    expect(mail.got[1]?.text).toContain('Which <phone> is it?')
    expect(linkIn(mail.got[1]!, '/r/')).toBe(page)

    const feed = await server.fetch(`${page}/atom.xml`)
    const atom = await feed.text()
    expect(atom).toContain('&lt;p&gt;Which &amp;lt;phone&amp;gt; is it?')
    expect(atom).toContain('Fixed in 1.4.1')
    expect(atom).not.toContain('Thanks')
    expect(feed.headers.get('cache-control')).toBe('private, no-store')
    const etag = feed.headers.get('etag') ?? ''
    const again = await server.fetch(`${page}/atom.xml`, { headers: { 'if-none-match': etag } })
    expect(again.status).toBe(304)

    await at.owner.reports.remove(path)
    expect((await server.fetch(`${page}/atom.xml`)).status).toBe(404)
    expect(at.count()).toBe(0)
  })
})
