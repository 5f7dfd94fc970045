import { createClient, type Client } from '../../../renderer/lib/api-client'
import { Browser } from '../../support/browser'
import { PASSWORD } from '../../support/password'

/** What the attacks aim at. */
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

/** Fills a host by its own API, so that each build measured can be filled. Its rate limits are off. */
export async function fill(url: string): Promise<World> {
  const usernames = Array.from({ length: ACCOUNTS }, (_, n) => `mallory${n}`)
  const accounts: { client: Client; key: string }[] = []
  for (const username of usernames) accounts.push(await anAccount(url, username))
  await together(PROJECTS, async (n) => {
    const input = { title: `Project ${n}`, description: DESCRIPTION, is_public: true }
    await accounts[n % ACCOUNTS]?.client.projects.create(input)
  })
  const [owner] = accounts
  if (!owner) throw new Error('There is no account')
  return { usernames, key: owner.key, slug: await aProject(url, owner) }
}

/** A project with many files of one name. */
async function aProject(url: string, { client, key }: { client: Client; key: string }): Promise<string> {
  const ids: string[] = []
  await together(FILES, async () => {
    const body = { method: 'PUT', headers: { 'x-api-key': key }, body: 'x' }
    const reply = await fetch(`${url}/api/files/upload/app-release.apk?is_public=true`, body)
    ids.push(((await reply.json()) as { file_id: string }).file_id)
  })
  const { project } = await client.projects.create({ title: 'Nightly', is_public: true })
  for (let from = 0; from < FILES; from += 500)
    await client.projects.linkMany({ id: project.slug, file_ids: ids.slice(from, from + 500) })
  return project.slug
}

async function anAccount(url: string, username: string): Promise<{ client: Client; key: string }> {
  const browser = new Browser(url)
  const client = createClient(url, { fetch: browser.fetch })
  await client.accounts.register({ username, email: `${username}@example.com`, password: PASSWORD })
  await client.accounts.login({ username, password: PASSWORD })
  const { api_key: key } = await client.apiKeys.create({ name: 'bench', expires_days: 1 })
  return { client: createClient(url, { headers: { 'x-api-key': key } }), key }
}

/** Does the work so many times, several at once. */
async function together(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
