import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { z } from 'zod'
import { parseJson } from '../../../core/json'
import { shortReply } from '../../../core/net/short-reply'

interface RunningTunnel {
  program: 'cloudflared' | 'tailscale' | 'ngrok'
  url: string
}

/** The places on this computer where the programs answer. */
interface Places {
  /** The ports that cloudflared tries first for its metrics. */
  cloudflared: readonly number[]
  ngrok: number
  /** The commands of Tailscale, by its installers. */
  tailscale: readonly string[]
}

const usualPlaces: Places = {
  cloudflared: [20241, 20242, 20243, 20244, 20245],
  ngrok: 4040,
  tailscale: {
    darwin: ['/Applications/Tailscale.app/Contents/MacOS/Tailscale', '/usr/local/bin/tailscale'],
    win32: ['C:\\Program Files\\Tailscale\\tailscale.exe'],
  }[process.platform as string] ?? ['/usr/bin/tailscale', '/usr/local/bin/tailscale'],
}

/** Limits of a query: other programs may answer at these ports. */
const limits = { patienceMs: 1500, maxBytes: 64 * 1024 }

const quickTunnel = z.object({
  hostname: z.string().regex(/^[a-z0-9-]{1,63}\.trycloudflare\.com$/),
})
const agentTunnels = z.object({ tunnels: z.array(z.object({ public_url: z.string() })).max(100) })
const statusOf = z.object({ Self: z.object({ DNSName: z.string() }) })
const funnel = z.object({ AllowFunnel: z.record(z.string(), z.boolean()) })
const FUNNEL = /^((?:[a-z0-9-]{1,63}\.){2,4}ts\.net):(443|8443|10000)$/

/**
 * Finds the addresses under which other programs publish this computer, from what they report: the
 * metrics of cloudflared (quick tunnels), the agent API of ngrok, and the command of Tailscale
 * (Funnel). Starts none of them. Ignores answers in any other form.
 */
export async function runningTunnels(places: Places = usualPlaces): Promise<RunningTunnel[]> {
  const searches = [
    ...places.cloudflared.map((port) => () => findQuickTunnel(port)),
    () => findNgrokTunnels(places.ngrok),
    ...places.tailscale.map((command) => () => findFunnels(command)),
  ]

  // Ask twice: a busy process, such as this one at startup, may read an answer too late.
  const tunnels = await Promise.all(
    searches.map((search) =>
      search()
        .catch(search)
        .catch(() => []),
    ),
  )

  return tunnels.flat()
}

async function findQuickTunnel(port: number): Promise<RunningTunnel[]> {
  const { hostname } = quickTunnel.parse(await fetchJson(port, '/quicktunnel'))
  return [{ program: 'cloudflared', url: `https://${hostname}/` }]
}

async function findNgrokTunnels(port: number): Promise<RunningTunnel[]> {
  const { tunnels } = agentTunnels.parse(await fetchJson(port, '/api/tunnels'))
  // Tunnels of other kinds have tcp:// and http:// addresses.
  const safe = tunnels.filter(({ public_url: url }) => /^https:\/\/[a-z0-9.-]{1,253}$/.test(url))
  return safe.map(({ public_url: url }) => ({ program: 'ngrok', url: `${url}/` }))
}

async function findFunnels(command: string): Promise<RunningTunnel[]> {
  const [status, served] = await Promise.all([
    readOutput(command, 'status'),
    readOutput(command, 'funnel', 'status'),
  ])

  const own = statusOf.parse(status).Self.DNSName.replace(/\.$/, '')
  const allowed = Object.entries(funnel.parse(served).AllowFunnel).filter(
    ([, isAllowed]) => isAllowed,
  )

  return allowed.flatMap(([place]) => {
    const [, host, port] = FUNNEL.exec(place) ?? []
    if (host === undefined || host !== own) return []
    return [{ program: 'tailscale' as const, url: new URL(`https://${host}:${port}`).href }]
  })
}

async function fetchJson(port: number, path: string): Promise<unknown> {
  const { status, text } = await shortReply(new URL(`http://127.0.0.1:${port}${path}`), limits)
  return status === 200 ? parseJson(text) : undefined
}

/** Runs a command and parses its output as JSON. Throws if it is not installed. */
async function readOutput(command: string, ...words: string[]): Promise<unknown> {
  const options = {
    timeout: limits.patienceMs,
    killSignal: 'SIGKILL',
    maxBuffer: 16 * limits.maxBytes,
  } as const
  const { stdout } = await promisify(execFile)(command, [...words, '--json'], {
    ...options,
    windowsHide: true,
  })
  return parseJson(stdout)
}
