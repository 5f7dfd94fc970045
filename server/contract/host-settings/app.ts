import { z } from 'zod'
import { setting } from './setting'

const NO_FEED = 'Enter an https:// address: over http://, an attacker could replace the program'

/**
 * URL of the update feed: HTTPS or this computer only, so that the program cannot be swapped in
 * transit.
 */
const feed = z
  .string()
  .trim()
  .max(1000)
  .refine((url) => URL.canParse(url) && isSafeFeed(new URL(url)), NO_FEED)

function isSafeFeed({ protocol, hostname }: URL): boolean {
  return (
    protocol === 'https:' ||
    (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
  )
}

export const appSettings = {
  notify_downloads: setting({
    schema: z.boolean(),
    default: true,
    label: 'Notify me when a download finishes',
  }),
  notify_collaborators: setting({
    schema: z.boolean(),
    default: true,
    label: 'Notify me when a collaborator changes a project',
  }),
  notify_builds: setting({
    schema: z.boolean(),
    default: true,
    label: 'Notify me when a watched folder publishes a build',
  }),
  notify_failures: setting({
    schema: z.boolean(),
    default: true,
    label: 'Notify me when something fails',
    help: 'When the host cannot save data, or cannot publish a build.',
  }),
  start_at_login: setting({
    schema: z.boolean(),
    default: false,
    label: 'Start at login',
    help: 'The host goes online when you sign in to this computer.',
  }),
  start_hidden: setting({
    schema: z.boolean(),
    default: false,
    label: 'Start without a window',
    help: 'Open the window from the Slipway icon near the clock.',
  }),
  theme: setting({
    schema: z.enum(['system', 'light', 'dark']),
    default: 'system',
    label: 'Theme',
    help: 'For this window and its menus. Browsers follow their own system.',
    options: { system: 'System default', light: 'Light', dark: 'Dark' },
  }),
  update_feed: setting({
    schema: feed.nullable(),
    default: null,
    label: 'Update feed',
    help:
      'Slipway checks it at start and once a day, and asks before it downloads. Leave empty to ' +
      'turn updates off.',
    placeholder: 'https://builds.example/api/projects/slipway/latest',
  }),
}
