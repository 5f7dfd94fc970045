import { describe, expect, test } from 'vitest'
import { Digests } from '../../../server/features/notices/digests'
import type { Outcome } from '../../../server/features/notices/mailer'
import { NoticeQueue } from '../../../server/features/notices/notice-queue'
import { NoticeSender } from '../../../server/features/notices/notice-sender'
import { SubscriberStore } from '../../../server/features/notices/subscriber-store'
import { SendingSlots } from '../../../server/features/webhooks/sending-slots'
import { openLibrary, silentLog } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'
import { DAY, TestClock } from '../../support/world/test-clock'

const KIM = 'kim@example.org'
const TARGET = { kind: 'tester', id: 'berlin' } as const

const slots = (most: number, perAccount = most, slow = most) =>
  new SendingSlots({ most, perAccount, slow })

async function aHost() {
  const library = await openLibrary(await tempDir())
  const clock = new TestClock()
  const queue = new NoticeQueue(library, clock)
  const sessionKeys = ['k'.repeat(64)]
  const subscribers = new SubscriberStore(library, { sources: clock, sessionKeys, queue })
  const all = () => [...library.collection('subscribers').values()]

  const ask = async (address = KIM) => {
    const before = [...library.collection('notices').values()].length
    const way = { kind: 'mail', address } as const
    await subscribers.askByMail({ projectId: 'lantern', target: TARGET, way, page: '/t/berlin' })
    return [...library.collection('notices').values()].length - before
  }
  const forget = () => library.transact((tx) => subscribers.forgetTarget(tx, TARGET))
  return { library, clock, queue, subscribers, all, ask, forget }
}

describe('first mails', () => {
  test('are three a week to an address, also where strangers withdraw between', async () => {
    const { clock, subscribers, ask, forget } = await aHost()
    const mails: number[] = []
    for (let asked = 0; asked < 4; asked++) {
      mails.push(await ask(asked === 1 ? KIM.toUpperCase() : KIM))
      await forget()
    }
    expect(mails).toEqual([1, 1, 1, 0])

    clock.advance(6 * DAY)
    await subscribers.sweep()
    expect(await ask()).toBe(0)
    clock.advance(DAY)
    await subscribers.sweep()
    expect(await ask()).toBe(1)
  })

  test('are three a week to an address that nobody confirms', async () => {
    const { clock, ask } = await aHost()
    const mails: number[] = []
    for (let day = 0; day < 7; day++) {
      mails.push(await ask())
      clock.advance(DAY)
    }
    expect(mails).toEqual([1, 1, 1, 0, 0, 0, 0])
  })

  test('end for a week with one click, and leave no address', async () => {
    const { library, clock, subscribers, all, ask } = await aHost()
    await ask()
    await subscribers.end(subscribers.linksOf(all()[0]!)!.token)
    expect([all(), await ask()]).toEqual([[], 0])
    expect([...library.counterNames()].join()).not.toContain('kim')

    clock.advance(7 * DAY)
    await subscribers.sweep()
    expect([...library.counterNames()]).toEqual([])
  })
})

describe('a mail server', () => {
  /** Sends notices to addresses, each with the outcome that its server gives. */
  async function aSender(perHour = 100) {
    const host = await aHost()
    const { library, queue, subscribers } = host
    let outcome: Outcome = { result: 'sent' }
    const sent: string[] = []
    const sender = new NoticeSender({
      ...{ library, queue, subscribers, sources: host.clock, log: silentLog },
      digests: new Digests({ library, queue, subscribers, sources: host.clock, isOn: () => true }),
      lanes: {
        mail: { slots: slots(1), isOpen: () => true, perHour: () => perHour },
        push: { slots: slots(0), isOpen: () => false },
      },
      ownerOf: () => undefined,
      prepare: ({ news }) =>
        Promise.resolve(() => {
          sent.push(news.kind)
          return Promise.resolve(outcome)
        }),
    })

    const send = async (address: string, result: Outcome) => {
      outcome = result
      const [to] = host.all().filter(({ way }) => way.kind === 'mail' && way.address === address)
      const { id: subscriberId, projectId } = to!
      const news = { kind: 'approved' } as const
      await library.transact((tx) => queue.add(tx, { way: 'mail', subscriberId, projectId, news }))
      sender.look()
      await sender.idle()
      return host.all().length
    }
    const subscribe = async (address: string) => {
      await host.ask(address)
      for (const { id } of [...library.collection('notices').values()])
        await library.transact((tx) => queue.remove(tx, id))
    }
    return { ...host, sender, subscribe, send, sent }
  }

  const refused = { result: 'refused', problem: 'No' } as const

  test('a server that refuses every mail removes nobody, and one address after three', async () => {
    const { subscribe, send } = await aSender()
    for (const address of [KIM, 'lee@example.org']) await subscribe(address)

    for (let tries = 0; tries < 5; tries++) expect(await send(KIM, refused)).toBe(2)
    await send('lee@example.org', { result: 'sent' })
    expect(await send(KIM, refused)).toBe(2)
    await send('lee@example.org', { result: 'sent' })
    expect(await send(KIM, refused)).toBe(1)
  })

  test('a server that names the address removes it after three', async () => {
    const { subscribe, send } = await aSender()
    await subscribe(KIM)
    for (const left of [1, 1, 0])
      expect(await send(KIM, { ...refused, isOfAddress: true })).toBe(left)
  })

  test('a server gets mails about passwords also when the hour is used up', async () => {
    const { ask, library, queue, sender, sent } = await aSender(0)
    await ask()
    const news = { kind: 'password', userId: 'alice' } as const
    await library.transact((tx) => queue.add(tx, { way: 'mail', news }))
    sender.look()
    await sender.idle()
    expect(sent).toEqual(['password'])
  })
})

describe('push services', () => {
  /** Sends notices to the browsers of projects `owner/name`. Those of some owners stay silent. */
  async function aSender(push: SendingSlots) {
    const { library, clock, queue, subscribers } = await aHost()
    const ownerOf = (projectId: string) => projectId.split('/')[0]
    const asked: string[] = []
    const sender = new NoticeSender({
      ...{ library, queue, subscribers, sources: clock, log: silentLog, ownerOf },
      digests: new Digests({ library, queue, subscribers, sources: clock, isOn: () => false }),
      lanes: {
        mail: { slots: slots(0), isOpen: () => false },
        push: { slots: push, isOpen: () => true },
      },
      prepare: ({ projectId = '' }) =>
        Promise.resolve(() => {
          asked.push(projectId)
          if (projectId.startsWith('silent')) return new Promise(() => undefined)
          return Promise.resolve({ result: 'sent' })
        }),
    })

    const release = async (projectId: string, browsers: number) => {
      for (let n = 0; n < browsers; n++) {
        const endpoint = `https://${ownerOf(projectId)}.example/${n}`
        await subscribers.addBrowser({
          ...{ projectId, target: { kind: 'tester', id: projectId }, page: '/t/berlin' },
          way: { kind: 'push', endpoint, p256dh: '', auth: '' },
        })
      }
      await library.transact((tx) => {
        for (const { id: subscriberId } of subscribers.ofProject(projectId))
          queue.add(tx, { way: 'push', subscriberId, projectId, news: { kind: 'approved' } })
      })
    }
    const expected: string[] = []
    const expectNext = async (...projectIds: string[]) => {
      expected.push(...projectIds)
      sender.look()
      await expect.poll(() => asked).toEqual(expected)
    }
    return { release, expectNext }
  }

  test('a silent push service delays no other account, in however many projects', async () => {
    const { release, expectNext } = await aSender(slots(8, 2, 4))
    await release('alice/1', 1)
    await expectNext('alice/1')

    for (let n = 1; n <= 18; n++) await release(`silent-a/${n}`, 12)
    await expectNext('silent-a/1', 'silent-a/2')
    for (const owner of ['silent-b', 'silent-c']) await release(`${owner}/1`, 12)
    await expectNext('silent-b/1', 'silent-c/1')
    await release('alice/2', 3)
    await expectNext('alice/2', 'alice/2', 'alice/2')
  })

  test('push services are asked for each account in turn, and for each of its projects', async () => {
    const { release, expectNext } = await aSender(slots(1))
    for (const id of ['kim/1', 'kim/2', 'lee/1']) await release(id, 2)
    await expectNext('kim/1', 'lee/1', 'kim/2', 'lee/1', 'kim/1', 'kim/2')
  })
})
