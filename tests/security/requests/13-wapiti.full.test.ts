import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { named, noRoot } from '../../support/system/rounds'
import { needTools, run } from '../../support/system/debian'
import { aFile, aLink, aPost, aProject, aUser } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Its attacks, but for those that need the internet or a certain product. */
const MODULES =
  'xss,file,crlf,redirect,exec,csp,http_headers,cookieflags,sql,blindsql,permanentxss,xxe,shellshock,methods,htaccess,backup,csrf'

/** Its findings for every host without TLS, and about a header that browsers no longer support. */
const KNOWN = /Strict-Transport-Security|X-XSS-Protection/

interface Finding {
  method: string
  path: string
  info: string
  parameter: string
}

interface Report {
  vulnerabilities: Record<string, Finding[]>
  anomalies: Record<string, Finding[]>
}

/** Every kind of address, with something behind it. */
async function addresses(server: TestServer): Promise<{ paths: string[]; key: string }> {
  const alice = await aUser(server, 'alice')
  const project = await aProject(server, alice, { is_public: true })
  const file = await aFile(server, alice, { filename: 'rocket.apk', is_public: true })
  await aLink(server, alice, project, file)
  await aPost(server, alice, project)
  const ofProject = `/api/projects/${project.slug}`
  const pages = ['/', '/login?from=/my-files', '/browse?search=rocket', `/p/${project.slug}`]
  const lists = [
    'files/my-files?visibility=public&search=a&limit=1&offset=0',
    'files/public?search=a',
    'projects?search=a',
  ]
  const files = [
    `files/${file.file_id}`,
    `files/${file.file_id}/download`,
    `files/public/alice/${file.file_id}/download`,
  ]
  const rest = [
    'builds',
    'builds/stats',
    'builds/rocket.apk/download',
    'storage/stats',
    'trash',
    'host',
    'auth/check',
  ]
  const own = [
    '',
    '/feed?limit=1&offset=0',
    '/collaborators',
    '/history?days=7',
    `/downloads/${file.file_id}/download`,
  ]
  const calls = [...lists, ...files, ...rest].map((path) => `/api/${path}`)
  return {
    paths: [...pages, ...calls, ...own.map((path) => ofProject + path)],
    key: await server.keyOf(alice),
  }
}

async function scan(
  urls: string[],
  modules: string,
  dir: string,
  headers: string[] = [],
): Promise<Finding[]> {
  const report = join(dir, 'report.json')
  const [first = ''] = urls
  const output = [
    '-f',
    'json',
    '-o',
    report,
    '--store-session',
    join(dir, 'wapiti'),
    '--no-bugreport',
  ]
  const bounds = ['--scope', 'folder', '-d', '1', '-t', '30', '-m', modules, '--flush-session']
  const starts = urls.flatMap((url) => ['-s', url])
  await run(
    'wapiti',
    ['-u', new URL('/', first).href, ...starts, ...bounds, ...output, ...headers],
    {
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  const { vulnerabilities, anomalies } = JSON.parse(await readFile(report, 'utf8')) as Report
  return [...Object.values(vulnerabilities), ...Object.values(anomalies)].flat()
}

/** How many requests have come since. */
function countRequests(): () => number {
  let count = 0
  const listen = () => count++
  subscribe('http.server.request.start', listen)
  onTestFinished(() => void unsubscribe('http.server.request.start', listen))
  return () => count
}

const test = base.skipIf(noRoot !== undefined)

test(named('wapiti finds a hole where there is one'), { timeout: 300_000 }, async ({ folder }) => {
  await needTools('wapiti')
  const server = createServer(({ url = '' }, response) => {
    response
      .setHeader('content-type', 'text/html')
      .end(`<html>${new URL(url, 'http://x').searchParams.get('q')}</html>`)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const findings = await scan([`http://127.0.0.1:${port}/?q=hello`], 'xss', folder)

  expect(findings.map(({ parameter }) => parameter)).toContain('q')
})

test(
  named(`wapiti finds nothing here (${MODULES})`),
  { timeout: 1_800_000 },
  async ({ server, folder }) => {
    await needTools('wapiti')
    const { paths, key } = await addresses(server)
    const requests = countRequests()

    const findings = await scan(
      paths.map((path) => server.url + path),
      MODULES,
      folder,
      ['-H', `X-API-Key: ${key}`],
    )

    const told = findings.map(
      ({ method, path, parameter, info }) => `${method} ${path} ${parameter}: ${info}`,
    )
    const known = told.filter((it) => KNOWN.test(it)).length
    console.log(
      `13: wapiti: ${requests()} requests, ${told.length} findings, ${known} of them known`,
    )
    expect(told.filter((it) => !KNOWN.test(it))).toEqual([])
    expect(requests()).toBeGreaterThan(20 * paths.length)
  },
)
