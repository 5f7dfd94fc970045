import { chmod, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../../../../scripts/dev/free-port'
import { runningTunnels } from '../../../../server/features/internet/tunnel/running-tunnels'
import { tempDir } from '../../../support/system/temp-dir'
import { listening } from '../../../support/system/listening'

// The real programs are not to be had here: these servers and scripts give the answers that their
// documentation shows.

const answering = (listener: RequestListener) => listening(createServer(listener))

const texts = (answers: Record<string, string>): RequestListener =>
  function (request, response) {
    const text = answers[request.url ?? '']
    response.writeHead(text === undefined ? 404 : 200, { 'Content-Type': 'text/plain' }).end(text)
  }

/** A command that answers `status --json` and `funnel status --json`. */
async function tailscale(status: unknown, funnel: unknown): Promise<string> {
  const path = join(await tempDir(), 'tailscale')
  const script = `#!/bin/sh
case "$*" in
'status --json') cat <<'END'\n${JSON.stringify(status)}\nEND\n;;
'funnel status --json') cat <<'END'\n${JSON.stringify(funnel)}\nEND\n;;
*) exit 1;;
esac\n`
  await writeFile(path, script)
  await chmod(path, 0o755)
  return path
}

/** Places where nothing answers, but for the given ones. */
const places = async (given: Partial<NonNullable<Parameters<typeof runningTunnels>[0]>>) => ({
  cloudflared: [],
  ngrok: await freePort(),
  tailscale: ['/nowhere/tailscale'],
  ...given,
})

test('finds nothing where none runs', async () => {
  expect(await runningTunnels(await places({ cloudflared: [await freePort()] }))).toEqual([])
})

test('finds a quick tunnel of cloudflared', async () => {
  const port = await answering(
    texts({ '/quicktunnel': '{"hostname":"quick-brown-fox.trycloudflare.com"}' }),
  )

  expect(await runningTunnels(await places({ cloudflared: [await freePort(), port] }))).toEqual([
    { program: 'cloudflared', url: 'https://quick-brown-fox.trycloudflare.com/' },
  ])
})

test('finds the https addresses of ngrok', async () => {
  const tunnels = [
    {
      name: 'web',
      public_url: 'https://abc123.ngrok-free.app',
      proto: 'https',
      config: { addr: 'http://localhost:4780' },
    },
    {
      name: 'raw',
      public_url: 'tcp://0.tcp.ngrok.io:12345',
      proto: 'tcp',
      config: { addr: 'localhost:22' },
    },
  ]
  const port = await answering(
    texts({ '/api/tunnels': JSON.stringify({ tunnels, uri: '/api/tunnels' }) }),
  )

  expect(await runningTunnels(await places({ ngrok: port }))).toEqual([
    { program: 'ngrok', url: 'https://abc123.ngrok-free.app/' },
  ])
})

test('finds a funnel of Tailscale under the own name only', async () => {
  const status = { BackendState: 'Running', Self: { DNSName: 'host.tail1234.ts.net.' } }
  const allowed = {
    'host.tail1234.ts.net:443': true,
    'host.tail1234.ts.net:8443': true,
    'host.tail1234.ts.net:10000': false,
    'another.tail1234.ts.net:443': true,
  }

  expect(
    await runningTunnels(
      await places({ tailscale: [await tailscale(status, { AllowFunnel: allowed })] }),
    ),
  ).toEqual(
    ['https://host.tail1234.ts.net/', 'https://host.tail1234.ts.net:8443/'].map((url) => ({
      program: 'tailscale',
      url,
    })),
  )
  expect(await runningTunnels(await places({ tailscale: [await tailscale(status, {})] }))).toEqual(
    [],
  )
})

test.each([
  ['no JSON', '<html>'],
  ['another form', '[]'],
  ['another host', '{"hostname":"evil.example","tunnels":[{"public_url":"javascript:alert(1)"}]}'],
  [
    'an address with more',
    '{"hostname":"a.trycloudflare.com/../x","tunnels":[{"public_url":"https://u:p@evil.example/x"}]}',
  ],
  ['an endless text', 'x'.repeat(1_000_000)],
])('ignores a program that answers with %s', async (_title, text) => {
  const port = await answering(texts({ '/quicktunnel': text, '/api/tunnels': text }))
  const status = { Self: { DNSName: 'evil.example.' } }
  const command = await tailscale(status, { AllowFunnel: { 'evil.example:443': true } })

  expect(await runningTunnels({ cloudflared: [port], ngrok: port, tailscale: [command] })).toEqual(
    [],
  )
})

test('asks again when this process was too busy to read the answer in time', async () => {
  const port = await answering(texts({ '/quicktunnel': '{"hostname":"quick.trycloudflare.com"}' }))
  const search = runningTunnels(await places({ cloudflared: [port] }))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1600)
  expect(await search).toMatchObject([{ program: 'cloudflared' }])
})

test('does not wait for a program that never answers, nor follow where it sends us', async () => {
  const visited: (string | undefined)[] = []
  const silent = await answering(() => {})
  const elsewhere = await answering(({ url }, response) => {
    visited.push(url)
    response.writeHead(302, { location: '/other' }).end()
  })
  const slow = join(await tempDir(), 'tailscale')
  await writeFile(slow, '#!/bin/sh\nexec sleep 600\n')
  await chmod(slow, 0o755)

  expect(
    await runningTunnels({ cloudflared: [silent], ngrok: elsewhere, tailscale: [slow] }),
  ).toEqual([])
  expect(new Set(visited)).toEqual(new Set(['/api/tunnels']))
})
