import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from '../../renderer/lib/client/api-client'
import * as people from './people'
import { setupTokenOf } from './setup-link'
import { world, type Upload } from './world'

const packages = join(import.meta.dirname, '../../node_modules')

export interface Planted {
  usernames: string[]
  password: string
  pages: string[]
  apiKey: string
}

/**
 * Fills an empty host through its own API. The first person registers with `setupLink` and becomes
 * the host account.
 */
export async function plant(setupLink: string): Promise<Planted> {
  const url = new URL(setupLink).origin
  const clients = new Map<string, Client>()
  for (const [index, { username }] of world.entries()) {
    clients.set(
      username,
      await people.join(url, username, index === 0 ? setupTokenOf(setupLink) : undefined),
    )
  }

  const pages: string[] = []
  for (const { username, projects, files } of world) {
    const client = known(clients, username)
    for (const file of files) await upload(client, file)
    for (const project of projects) {
      const slug = await publish(client, project)
      if (project.is_public) pages.push(`${url}/p/${slug}`)
    }
  }
  const { api_key } = await known(clients, 'alice').apiKeys.create({ name: 'CI', expires_days: 90 })
  return { usernames: [...clients.keys()], password: people.PASSWORD, pages, apiKey: api_key }
}

async function publish(
  client: Client,
  project: (typeof world)[number]['projects'][number],
): Promise<string> {
  const { files, posts, collaborators, ...fields } = project
  const { slug } = (await client.projects.create(fields)).project
  for (const file of files) await upload(client, file, slug)
  for (const content of posts) await client.posts.add({ id: slug, content })
  for (const username of collaborators) await client.collaborators.add({ id: slug, username })
  return slug
}

async function upload(
  client: Client,
  { from, name, isPublic, version, platform }: Upload,
  project?: string,
) {
  const file = new File([await readFile(join(packages, from))], name)
  const form = { file, is_public: String(isPublic), project_id: project, version, platform }
  await client.files.upload(form)
}

function known(clients: Map<string, Client>, username: string): Client {
  const client = clients.get(username)
  if (!client) throw new Error(`There is no person called ${username}`)
  return client
}
