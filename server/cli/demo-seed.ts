import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { RunningServer } from '../index'
import { centralHeader, endRecord, localHeader } from '../libraries/zip-stream/records'

/** The accounts for everyone who tries the demo. */
export const DEMO_ACCOUNTS = { usernames: ['maya', 'sam'], password: 'slipway-demo' }

interface DemoBuild {
  filename: string
  version: string
  isPublic: boolean
}

interface DemoProject {
  owner: string
  title: string
  short_description: string
  description: string
  builds: readonly DemoBuild[]
  posts: readonly string[]
}

const PROJECTS: readonly DemoProject[] = [
  {
    owner: 'maya',
    title: 'Lantern',
    short_description: 'A small reader for long texts, on every computer',
    description:
      'Lantern opens long texts and remembers where you stopped.\n\n' +
      '- no account\n- no tracking\n- works without a network',
    builds: [
      { filename: 'lantern-1.3.0-windows.zip', version: '1.3.0', isPublic: true },
      { filename: 'lantern-1.4.0-windows.zip', version: '1.4.0', isPublic: true },
      { filename: 'lantern-1.4.0-macos.zip', version: '1.4.0', isPublic: true },
      { filename: 'lantern-1.5.0-beta.1-windows.zip', version: '1.5.0-beta.1', isPublic: false },
    ],
    posts: ['1.4.0 remembers the size of the window. Thank you for your reports!'],
  },
  {
    owner: 'sam',
    title: 'Tide Table',
    short_description: 'High and low water for your harbor',
    description: 'Choose a harbor once, and see the next two tides at a glance.',
    builds: [{ filename: 'tide-table-2.0.1-linux.zip', version: '2.0.1', isPublic: true }],
    posts: ['2.0.1 knows the harbors of the North Sea.'],
  },
]

type Ask = (method: string, path: string, body?: object) => Promise<unknown>

/** Fills an empty host through its own API, and closes its registration. */
export async function plantDemo(server: RunningServer): Promise<void> {
  const setup = new URL(server.setupUrl() ?? '').searchParams.get('setup')
  const asVisitor = askAs(server.url)
  // No person knows its password: a demo is managed by its command line alone.
  const host = {
    username: 'host',
    email: 'host@demo.example',
    password: randomBytes(24).toString('hex'),
  }
  await asVisitor('POST', '/api/auth/register', { ...host, setup })

  for (const username of DEMO_ACCOUNTS.usernames) {
    const { password } = DEMO_ACCOUNTS
    const account = { username, email: `${username}@demo.example`, password }
    await asVisitor('POST', '/api/auth/register', account)
    const ask = askAs(server.url, await openSession(server.url, { username, password }))
    for (const project of PROJECTS.filter(({ owner }) => owner === username))
      await publish(ask, project)
  }

  await server.settings.update({ registration_open: false })
}

async function publish(
  ask: Ask,
  { builds, posts, title, short_description, description }: DemoProject,
): Promise<void> {
  const text = { title, short_description, description, is_public: true }
  const { project } = (await ask('POST', '/api/projects', text)) as { project: { slug: string } }

  for (const { filename, version, isPublic } of builds) {
    const query = new URLSearchParams({
      project: project.slug,
      version,
      is_public: String(isPublic),
    })
    const bytes = writeZip('README.txt', `${title} ${version}, a build of the demo of Slipway.\n`)
    await ask('PUT', `/api/files/upload/${filename}?${query}`, bytes)
  }
  for (const content of posts) await ask('POST', `/api/projects/${project.slug}/feed`, { content })
}

/** A ZIP with one text. */
function writeZip(name: string, text: string): Buffer {
  const content = Buffer.from(text)
  const entry = { name, size: content.length, modifiedAt: new Date().toISOString() }
  const sum = crc32(content)

  const local = Buffer.concat([localHeader(entry, sum), content])
  const central = centralHeader(entry, sum, 0)
  return Buffer.concat([local, central, endRecord(1, central.length, local.length)])
}

async function openSession(url: string, body: object): Promise<string> {
  const reply = await request(url, 'POST', '/api/auth/login', { body })
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

const askAs =
  (url: string, cookie = ''): Ask =>
  async (method, path, body) =>
    (await request(url, method, path, { body, cookie })).json() as Promise<unknown>

async function request(
  url: string,
  method: string,
  path: string,
  { body, cookie = '' }: { body?: object | undefined; cookie?: string },
): Promise<Response> {
  const isBytes = Buffer.isBuffer(body)
  const type = isBytes ? 'application/octet-stream' : 'application/json'
  const reply = await fetch(url + path, {
    method,
    headers: { cookie, 'Content-Type': type },
    body: isBytes ? new Uint8Array(body) : JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
  return reply
}
