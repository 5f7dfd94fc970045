import { createClient } from '../../support/network/client'
import { Browser } from '../../support/system/browser'
import { PASSWORD } from '../../support/world/password'

/** The target of the attacks. */
export interface World {
  /** Its zip has 5,000 files of one name. */
  slug: string
  usernames: string[]
  /** An API key of the first account. */
  key: string
}

const PROJECTS = 1000
const FILES = 5000
const DESCRIPTION = '中'.repeat(20_000)
/** Together they stay within every cap of an account. */
const ACCOUNTS = 5
const AT_ONCE = 16

/**
 * Fills a host by its own API, so that each build measured can be filled. Its rate limits are off.
 */
export async function fill(url: string): Promise<World> {
  const usernames = Array.from({ length: ACCOUNTS }, (_, n) => `mallory${n}`)
  const keys: string[] = []
  for (const username of usernames) keys.push(await anAccount(url, username))
  await together(PROJECTS, async (n) => {
    const input = { title: `Project ${n}`, description: DESCRIPTION, is_public: true }
    await post(`${url}/api/projects`, keys[n % ACCOUNTS], input)
  })
  const [key = ''] = keys
  return { usernames, key, slug: await aProject(url, key) }
}

/** A project with many files of one name. */
async function aProject(url: string, key: string): Promise<string> {
  const ids: string[] = []
  await together(FILES, async () => {
    const body = { method: 'PUT', headers: { 'x-api-key': key }, body: 'x' }
    const reply = await fetch(`${url}/api/files/upload/app-release.apk?is_public=true`, body)
    ids.push(((await reply.json()) as { file_id: string }).file_id)
  })
  const made = await post(`${url}/api/projects`, key, { title: 'Nightly', is_public: true })
  const { slug } = (made as { project: { slug: string } }).project
  for (let from = 0; from < FILES; from += 500)
    await post(`${url}/api/projects/${slug}/downloads/many`, key, {
      file_ids: ids.slice(from, from + 500),
    })
  return slug
}

/** Without the typed client, which takes the replies of this source only. */
async function post(url: string, key: string | undefined, input: object): Promise<unknown> {
  const headers = { 'x-api-key': key ?? '', 'content-type': 'application/json' }
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) })
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}: ${await reply.text()}`)
  return reply.json()
}

async function anAccount(url: string, username: string): Promise<string> {
  const browser = new Browser(url)
  const client = createClient(url, { fetch: browser.fetch })
  await client.accounts.register({ username, email: `${username}@example.com`, password: PASSWORD })
  await client.accounts.login({ username, password: PASSWORD })
  return (await client.apiKeys.create({ name: 'bench', expires_days: 1 })).api_key
}

/** Repeats the work so many times, several at once. */
async function together(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
