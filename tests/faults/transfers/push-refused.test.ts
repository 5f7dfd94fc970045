import { createServer, type RequestListener } from 'node:http'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aWorld, command, Running } from '../support/pushing'
import { listening } from '../../support/system/listening'

/** A host that answers each request by `answer`. */
async function aStrangeHost(answer: RequestListener) {
  return `http://127.0.0.1:${await listening(createServer(answer))}`
}

test('takes no key to another host, and nothing from a host that could harm a terminal', async () => {
  const { folder } = await aWorld()
  const seen: unknown[] = []
  const other = await aStrangeHost(({ headers }, response) => {
    seen.push(headers)
    response.end('{}')
  })
  const redirecting = await aStrangeHost((_request, response) => {
    response.writeHead(307, { location: `${other}/x` }).end()
  })
  const hostile = await aStrangeHost((request, response) => {
    const row = { slug: '\u001b]0;owned\u0007', title: '\u001b[2J', total_files: 1 }
    if (request.url?.startsWith('/api/projects/my') === true)
      return response.end(JSON.stringify({ projects: [row], total: 1e12 }))
    return response
      .writeHead(403)
      .end(JSON.stringify({ error: 'no \u001b]52;c;x\u0007', code: 'forbidden' }))
  })
  const runAt = (url: string, name: string) =>
    new Running(
      process.execPath,
      [command(), name],
      { SLIPWAY_URL: url, SLIPWAY_KEY: 'apk_secret' },
      folder,
    ).ended()

  expect(await runAt(redirecting, 'files')).toMatchObject({
    code: 6,
    stderr: `${redirecting} redirects to ${other}. If that is your host, use --url ${other}\n`,
  })
  expect(seen).toEqual([])
  expect((await runAt(hostile, 'projects')).stdout).toBe(
    '\ufffd]0;owned\ufffd  \ufffd[2J  1 file\n',
  )
  expect((await runAt(hostile, 'files')).stderr).toBe('no \ufffd]52;c;x\ufffd\n')
})

test('ends with a code and a sentence for each kind of failure', async () => {
  const { host, folder, slipway } = await aWorld()
  await writeFile(join(folder, 'a.zip'), 'a')
  const endingOf = async (...args: string[]) => {
    const { code, stderr } = await slipway(args).ended()
    return `${code} ${stderr.trimEnd()}`
  }

  expect(await endingOf('pull')).toBe(
    '2 There is no command "pull". slipway help lists them.\n(Did you mean push?)',
  )
  expect(await endingOf('push', '--project', 'rocket')).toBe('2 Name the files: slipway push FILE…')
  expect(await endingOf('push', 'b.zip')).toBe('2 b.zip cannot be read: there is no such file')
  await mkdir(join(folder, 'empty'))
  expect(await endingOf('push', 'empty')).toMatch(/^2 empty cannot be read: This folder is empty/)
  expect(await endingOf('projects', '--public')).toBe('2 slipway projects has no --public')
  expect(await endingOf('promote', '1', '2')).toBe('2 slipway promote takes no 2')
  expect(await endingOf('rollout', '1')).toBe(
    '2 Name a percentage: slipway rollout VERSION PERCENTAGE',
  )
  expect((await slipway(['push', '--help']).ended()).stdout).toMatch(/--version <VERSION>/)
  expect(await endingOf('push', 'a.zip', '--project', 'saturn')).toMatch(/^4 \S/)
  expect(await endingOf('files', '--url', 'rocket')).toMatch(
    /^2 rocket is not the address of a host/,
  )
  expect(await endingOf('files', '--url', host.url.replace('http:', 'https:'))).toBe(
    '6 The host speaks HTTP: use http:// in its address',
  )
  expect(await endingOf('files', '--url', 'http://127.0.0.1:1')).toBe(
    '6 Neither browsers nor this command open that port: check the address',
  )
  const withoutKey = { SLIPWAY_URL: host.url, HOME: folder }
  const push = new Running(
    process.execPath,
    [command(), 'push', 'a.zip', '--project', 'rocket'],
    withoutKey,
    folder,
  )
  expect(await push.ended()).toMatchObject({
    code: 3,
    stderr: 'No API key. Set SLIPWAY_KEY, or run `slipway login`.\n',
  })
  const withKey = (key: string) =>
    new Running(
      process.execPath,
      [command(), 'files'],
      { SLIPWAY_URL: host.url, SLIPWAY_KEY: key },
      folder,
    ).ended()
  expect(await withKey('apk_wrong')).toMatchObject({ code: 3 })
  expect(await withKey('')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SLIPWAY_KEY is empty'),
  })
  const broken = await withKey('{ "key": "apk_secret" }')
  expect(broken).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('SLIPWAY_KEY is not an API key'),
  })
  expect(broken.stderr).not.toContain('apk_secret')
  await host.kill()
  expect(await endingOf('files')).toMatch(/^6 [^]* cannot be reached: connect ECONNREFUSED/)
})
