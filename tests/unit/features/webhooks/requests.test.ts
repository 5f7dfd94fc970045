import { describe, expect, test } from 'vitest'
import type { DeliveryRecord, WebhookRecord } from '../../../../server/data/records/webhook-records'
import { writeRequest } from '../../../../server/features/webhooks/requests'
import { judge, MOST_TRIES, pauseMs } from '../../../../server/features/webhooks/retries'

const now = new Date('2030-01-02T03:04:05.000Z')
const DAY = 86_400_000

const webhook = (fields: Partial<WebhookRecord> = {}): WebhookRecord => ({
  ...{
    id: 'w7Yd2pRw9KfM',
    projectId: 'projectId',
    ownerId: 'ownerIdId',
    name: 'Chat',
    service: 'json',
    events: [],
  },
  ...{
    url: 'https://chat.example/hooks/s3cret',
    target: null,
    token: null,
    secret: null,
    isOn: true,
  },
  ...{ createdAt: now.toISOString(), failures: 0, restsUntil: null, ...fields },
})

const delivery = (fields: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  ...{
    id: 'd3Kq8nWv5TxB',
    webhookId: 'w7Yd2pRw9KfM',
    projectId: 'projectId',
    ownerId: 'ownerIdId',
    number: 1,
  },
  ...{
    createdAt: now.toISOString(),
    state: 'waiting',
    tries: 0,
    nextTryAt: now.toISOString(),
    lastTry: null,
  },
  happening: {
    ...{
      kind: 'release.published',
      projectId: 'projectId',
      slug: 'lantern',
      title: '<!channel> @all *Lantern*|x',
    },
    release: {
      version: '1.0',
      channel: 'beta',
      state: 'published',
      notes: 'Hi @everyone, <https://evil.example|me>',
    },
  },
  ...fields,
})

function send(fields: Partial<WebhookRecord>) {
  const request = writeRequest(webhook(fields), delivery(), {
    origin: 'https://builds.example',
    version: '1.2.3',
    now,
  })
  return { ...request, url: request.url.href, body: JSON.parse(request.body) as unknown }
}

const LINK = 'https://builds.example/p/lantern/releases/1.0'
const PLAIN = `<!channel> @all *Lantern*|x 1.0 was released on beta\n\nHi @everyone, <https://evil.example|me>\n\n${LINK}`

describe('a request', () => {
  test.each([
    [
      'discord',
      {},
      'POST https://chat.example/hooks/s3cret',
      {
        embeds: [
          {
            title: String.raw`\<!channel\> @all \*Lantern\*\|x 1.0 was released on beta`,
            description: 'Hi @everyone, <https://evil.example|me>',
            url: LINK,
          },
        ],
        allowed_mentions: { parse: [] },
      },
    ],
    [
      'slack',
      {},
      'POST https://chat.example/hooks/s3cret',
      {
        text: `*<${LINK}|&lt;!channel&gt; @all *Lantern*¦x 1.0 was released on beta>*\nHi @everyone, &lt;https://evil.example|me&gt;`,
      },
    ],
    [
      'mattermost',
      {},
      'POST https://chat.example/hooks/s3cret',
      {
        text: `**[\\<!channel\\> @\u200Ball \\*Lantern\\*\\|x 1.0 was released on beta](${LINK})**\nHi @\u200Beveryone, <https://evil.example|me>`,
      },
    ],
    [
      'matrix',
      { url: 'https://matrix.example', target: '!r/oom:matrix.example', token: 'syt_1' },
      'PUT https://matrix.example/_matrix/client/v3/rooms/!r%2Foom%3Amatrix.example/send/m.room.message/d3Kq8nWv5TxB',
      { msgtype: 'm.notice', body: PLAIN, 'm.mentions': {} },
    ],
    [
      'ntfy',
      { url: 'https://ntfy.example/sub/my-topic/', token: 'tk_1' },
      'POST https://ntfy.example/sub/',
      {
        topic: 'my-topic',
        title: '<!channel> @all *Lantern*|x 1.0 was released on beta',
        message: 'Hi @everyone, <https://evil.example|me>',
        click: LINK,
      },
    ],
    [
      'telegram',
      { url: 'https://api.telegram.org', target: '@lantern', token: '123:AA/..%2F?x' },
      'POST https://api.telegram.org/bot123:AA%2F..%252F%3Fx/sendMessage',
      { chat_id: '@lantern', text: PLAIN, link_preview_options: { is_disabled: true } },
    ],
  ] as const)(
    'to %s notifies no channel and keeps secrets where they belong',
    (service, fields, line, body) => {
      const request = send({ service, ...fields })
      expect(`${request.method} ${request.url}`).toBe(line)
      expect(request.body).toEqual(body)
      const token =
        'token' in fields && service !== 'telegram'
          ? { authorization: `Bearer ${fields.token}` }
          : {}
      expect(request.headers).toMatchObject({
        'content-type': 'application/json',
        'user-agent': 'Slipway/1.2.3',
        ...token,
      })
      expect(request.headers).not.toHaveProperty('webhook-signature')
    },
  )

  test('to ntfy is less than 4096 bytes, however long the notes are', () => {
    const { happening } = delivery()
    const notes = '漢'.repeat(2000)
    const long = delivery({
      happening: {
        ...happening,
        release: { version: '1.0', channel: 'beta', state: 'published', notes },
      },
    })
    const { body } = writeRequest(webhook({ service: 'ntfy' }), long, {
      origin: null,
      version: '1.2.3',
      now,
    })
    const { message } = JSON.parse(body) as { message: string }
    expect(Buffer.byteLength(message)).toBeLessThan(4096)
    expect(message).toMatch(/^漢{1000,}…$/)
  })

  test('signs requests to a server of one’s own by the secret and, for a day, by the one before', () => {
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
    const oldSecret = {
      secret: `whsec_${Buffer.alloc(32, 2).toString('base64')}`,
      until: now.toISOString(),
    }
    const later = { ...oldSecret, until: new Date(now.getTime() + 1).toISOString() }
    const count = (fields: Partial<WebhookRecord>) =>
      send(fields).headers['webhook-signature']?.split(' ').length

    expect(count({ secret })).toBe(1)
    expect(count({ secret, oldSecret: later })).toBe(2)
    expect(count({ secret, oldSecret })).toBe(1)
  })
})

describe('the tries of a message', () => {
  const fail = { status: 500, error: 'It refused the message (500)', reply: '' }

  test('take a day, whatever the clock says, and then turn the webhook off', () => {
    let state = { webhook: webhook(), delivery: delivery() }
    let waited = 0
    for (let n = 1; n < MOST_TRIES; n++) {
      state = judge(state, fail, new Date(n % 2 === 0 ? 0 : 8e15))
      expect(state.webhook.isOn && state.delivery.state).toBe('waiting')
      waited += pauseMs(n)
    }
    expect(waited).toBeGreaterThanOrEqual(DAY)
    expect(waited).toBeLessThan(DAY + 4 * 3_600_000)
    expect(judge(state, fail, now)).toMatchObject({
      webhook: { isOn: false, offReason: 'failures' },
      delivery: { state: 'failed', tries: MOST_TRIES },
    })
  })

  test('end at once where the receiver is gone, and wait as long as it asks', () => {
    const state = { webhook: webhook(), delivery: delivery() }
    expect(judge(state, { ...fail, status: 410 }, now).webhook).toMatchObject({
      isOn: false,
      offReason: 'gone',
    })
    const busy = judge(state, { ...fail, status: 429, retryAfterMs: 90_000 }, now)
    expect(Date.parse(busy.webhook.restsUntil ?? '') - now.getTime()).toBe(90_000)
    expect(Date.parse(busy.delivery.nextTryAt) - now.getTime()).toBe(90_000)
  })
})
