import { cutText } from '../../texts/format'
import { escapeMarkdown, withoutMentions } from '../../texts/markdown/escape-markdown'
import type { DeliveryRecord, WebhookRecord } from '../../data/records/webhook-records'
import { writeJson, writeMessage, type Message } from './message'
import { signedHeaders } from './signature'

/** A request in the format of a service. */
export interface WebhookRequest {
  url: URL
  method: 'POST' | 'PUT'
  headers: Record<string, string>
  body: string
}

/** The address, version and time of this host. */
export interface Sender {
  origin: string | null
  version: string
  now: Date
}

/** The most characters of a text in a chat. */
const MOST_TEXT = 1500
const MOST_TITLE = 250
/** ntfy rejects messages of 4096 bytes. A character has at most three. */
const MOST_NTFY_TEXT = 1300

type Make = (
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  sender: Sender,
) => Omit<WebhookRequest, 'body'> & { body: object }

const post = (url: string, body: object) => ({
  url: new URL(url),
  method: 'POST' as const,
  headers: {},
  body,
})

const bearer = (token: string | null): Record<string, string> =>
  token === null ? {} : { authorization: `Bearer ${token}` }

/** Builds the request of each service. No text can notify a whole channel, or fake a link. */
const makers: Readonly<Record<WebhookRecord['service'], Make>> = {
  json: ({ url }, { happening, createdAt }, { origin }) =>
    post(url, writeJson(happening, createdAt, origin)),
  discord(webhook, delivery, sender) {
    const { title, text, url } = chatMessage(delivery, sender)
    const embed = { title: escapeMarkdown(title), description: text, ...(url !== null && { url }) }
    return post(webhook.url, { embeds: [embed], allowed_mentions: { parse: [] } })
  },
  slack(webhook, delivery, sender) {
    const { title, text, url } = chatMessage(delivery, sender)
    const name = slackText(title)
    const head = url === null ? `*${name}*` : `*<${slackText(url)}|${name.replaceAll('|', '¦')}>*`
    return post(webhook.url, { text: `${head}\n${slackText(text)}`.trim() })
  },
  mattermost(webhook, delivery, sender) {
    const { title, text, url } = chatMessage(delivery, sender)
    const name = withoutMentions(escapeMarkdown(title))
    return post(webhook.url, {
      text: `**${url === null ? name : `[${name}](${url})`}**\n${withoutMentions(text)}`.trim(),
    })
  },
  matrix({ url, target, token }, delivery, sender) {
    const room = encodeURIComponent(target ?? '')
    const id = encodeURIComponent(delivery.id)
    const path = `_matrix/client/v3/rooms/${room}/send/m.room.message/${id}`
    const body = {
      msgtype: 'm.notice',
      body: plainText(chatMessage(delivery, sender)),
      'm.mentions': {},
    }
    return { url: new URL(path, folderOf(url)), method: 'PUT', headers: bearer(token), body }
  },
  ntfy({ url, token }, delivery, sender) {
    const { title, text, url: click } = chatMessage(delivery, sender)

    const address = new URL(url)
    const topic = address.pathname.split('/').findLast((part) => part !== '') ?? ''
    address.pathname = address.pathname.slice(0, address.pathname.lastIndexOf(topic))

    const body = {
      topic: decodeURIComponent(topic),
      title,
      message: cut(text || title, MOST_NTFY_TEXT),
      ...(click !== null && { click }),
    }

    return { url: address, method: 'POST', headers: bearer(token), body }
  },
  telegram({ url, target, token }, delivery, sender) {
    const path = `./bot${encodeURIComponent(token ?? '').replace('%3A', ':')}/sendMessage`
    const text = plainText(chatMessage(delivery, sender))
    const body = { chat_id: target, text, link_preview_options: { is_disabled: true } }
    return post(new URL(path, folderOf(url)).href, body)
  },
}

/** Builds the request that sends a delivery. Signs it for the user's own server. */
export function writeRequest(
  webhook: WebhookRecord,
  delivery: DeliveryRecord,
  sender: Sender,
): WebhookRequest {
  const { headers, body: content, ...rest } = makers[webhook.service](webhook, delivery, sender)
  const body = JSON.stringify(content)

  const { secret, oldSecret } = webhook
  const isOldGood = oldSecret !== undefined && Date.parse(oldSecret.until) > sender.now.getTime()
  const secrets = secret === null ? [] : isOldGood ? [secret, oldSecret.secret] : [secret]

  const timestamp = Math.floor(sender.now.getTime() / 1000)
  const signature =
    secrets.length === 0 ? {} : signedHeaders(secrets, { messageId: delivery.id, timestamp, body })

  const usual = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  }

  return {
    ...rest,
    body,
    headers: { ...headers, ...usual, ...signature, 'user-agent': `Slipway/${sender.version}` },
  }
}

function chatMessage({ happening }: DeliveryRecord, { origin }: Sender): Message {
  const { title, text, url } = writeMessage(happening, origin)
  return { title: cut(title, MOST_TITLE), text: cut(text, MOST_TEXT), url }
}

const cut = (text: string, most: number) => cutText(text.toWellFormed(), most)
const plainText = ({ title, text, url }: Message) => [title, text, url].filter(Boolean).join('\n\n')
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const folderOf = (url: string) => (url.endsWith('/') ? url : `${url}/`)
