import { aLink, anApp, aProject, aUser } from './world/factories'
import type { TestServer } from './world/test-server'

/** A public project of alice's with a tester link and a release, and what its testers do. */
export async function aBeta(server: TestServer) {
  const alice = await aUser(server, 'alice', { tier: 'Pro' })
  const owner = server.as(alice)
  const project = await aProject(server, alice, { title: 'Rocket', is_public: true })
  const app = await anApp(server, alice, { filename: 'rocket.apk', is_public: true })
  await aLink(server, alice, project, app, { version: '1.4.0' })

  const id = project.project_id
  const { tester, url } = await owner.testers.create({ id, name: 'Berlin' })
  const door = new URL(url).pathname
  const list = (more: object = {}) => owner.reports.list({ id, ...more })
  const newest = async () => {
    const [first] = (await list()).reports
    return (await owner.reports.get({ id, reportId: first?.report_id ?? '' })).report
  }
  return { alice, owner, project, id, tester, door, list, newest }
}

export interface Sent {
  fields?: Record<string, string>
  files?: readonly (readonly [name: string, bytes: string | Buffer])[]
  headers?: Record<string, string>
  query?: string
}

/** Sends a report as a form does. */
export function send(
  server: Pick<TestServer, 'fetch'>,
  door: string,
  { fields, files = [], headers, query = '' }: Sent = {},
) {
  const body = new FormData()
  for (const [name, value] of Object.entries({ text: 'It crashes.', ...fields }))
    body.set(name, value)
  for (const [name, bytes] of files)
    body.append('file', new Blob([new Uint8Array(Buffer.from(bytes))]), name)
  return server.fetch(`${door}/reports${query}`, {
    method: 'POST',
    body,
    headers: { accept: 'text/html', ...headers },
    redirect: 'manual',
  })
}

/** Sends a report, and returns the path of its page. */
export const pageOf = async (...sent: Parameters<typeof send>) =>
  (await send(...sent)).headers.get('location') ?? ''
