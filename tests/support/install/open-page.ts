import { noFacts } from '../../../server/libraries/package-reader/look'
import { aProject, aUser } from '../world/factories'
import { test as base } from '../world/http'
import type { TestServer } from '../world/test-server'
import { userAgents, type Browser } from './user-agents'
import type { UserRecord } from '../../../server/data/records/account-records'

/**
 * `test` with a public project of alice's; a proxy on this machine may say that a page came over
 * HTTPS.
 */
export const test = base.extend<{
  alice: UserRecord
  config: { trustProxy: string[] }
  page: Open
}>({
  config: async ({}, use) => use({ trustProxy: ['127.0.0.1'] }),
  alice: async ({ server }, use) => {
    const alice = await aUser(server, 'alice')
    await aProject(server, alice, { is_public: true })
    await use(alice)
  },
  page: async ({ server }, use) => use(opening(server)),
})

type Open = (
  browser: Browser,
  how?: { query?: string; secure?: boolean; slug?: string },
) => Promise<string>

/** Opens the install page of a project. */
const opening =
  (server: TestServer): Open =>
  async (browser, { query = '', secure = true, slug = 'rocket' } = {}) => {
    const headers = {
      'user-agent': userAgents[browser],
      'x-forwarded-proto': secure ? 'https' : 'http',
    }
    return (await server.fetch(`/p/${slug}/install${query}`, { headers })).text()
  }

/** The texts of a page. */
export const textOf = (html: string) =>
  html
    .replace(/^.*<main[^>]*>|<\/main>.*$/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#x27;', "'")

/** The path of the big button; undefined: there is none. */
export const buttonOf = (html: string) =>
  /<a class="button large" href="([^"]*)"/
    .exec(html)?.[1]
    ?.replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")

/** An app for the devices that its profile names. */
export const AD_HOC_APP = {
  ...noFacts('ipa'),
  app_id: 'com.acme.rocket',
  apple: {
    devices: ['iPhone'],
    profile: {
      kind: 'ad-hoc' as const,
      team: null,
      expires_at: '2031-01-05T00:00:00.000Z',
      devices: 3,
    },
  },
}
