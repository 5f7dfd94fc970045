import type { Webhook } from '../../../server/contract'

export type Service = Webhook['service']

interface ServiceTexts {
  label: string
  /** Label of the address; undefined: the service has one address for all. */
  address?: string
  placeholder?: string
  help?: string
  target?: { label: string; placeholder: string; help: string }
  token?: { label: string; help: string }
}

/** In the order of the list: the most common first. */
export const services: Readonly<Record<Service, ServiceTexts>> = {
  discord: {
    label: 'Discord',
    address: 'Webhook URL',
    placeholder: 'https://discord.com/api/webhooks/…',
    help: 'In Discord: channel settings, Integrations, Webhooks, Copy Webhook URL.',
  },
  slack: {
    label: 'Slack',
    address: 'Webhook URL',
    placeholder: 'https://hooks.slack.com/services/…',
    help: 'From a Slack app with Incoming Webhooks.',
  },
  mattermost: {
    label: 'Mattermost',
    address: 'Webhook URL',
    placeholder: 'https://chat.example/hooks/…',
    help: 'In Mattermost: Integrations, Incoming Webhooks.',
  },
  matrix: {
    label: 'Matrix',
    address: 'Home server',
    placeholder: 'https://matrix.example',
    target: {
      label: 'Room ID',
      placeholder: '!abc:matrix.example',
      help: 'In the advanced settings of the room.',
    },
    token: { label: 'Access token', help: 'Of an account that is in the room.' },
  },
  telegram: {
    label: 'Telegram',
    target: {
      label: 'Chat ID',
      placeholder: '@my_channel',
      help: 'A channel, or the number of a group or chat.',
    },
    token: { label: 'Bot token', help: 'From @BotFather. The bot must be in the chat.' },
  },
  ntfy: {
    label: 'ntfy',
    address: 'Topic',
    placeholder: 'https://ntfy.sh/my-topic',
    token: { label: 'Access token', help: 'Only for a protected topic.' },
  },
  json: {
    label: 'Your own server (JSON)',
    address: 'Address',
    placeholder: 'https://ci.example/slipway',
    help: 'Gets signed POST requests, by the Standard Webhooks rules.',
  },
}
