import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { commands, USAGE } from '../../../server/cli/commands'
import { api } from '../../../server/contract'

const read = (name: string) => readFile(join('docs/deploy', name), 'utf8')

interface Service {
  command: string[]
  networks: Record<string, { ipv4_address?: string }>
  ports?: string[]
}

test('the compose file trusts its proxy and no other, and publishes only that', async () => {
  const { services } = parse(await read('compose.yaml')) as {
    services: Record<'slipway' | 'caddy', Service>
  }
  const { slipway, caddy } = services

  const trusted = slipway.command[slipway.command.indexOf('--trust-proxy') + 1]
  expect(trusted).toBe(caddy.networks['web']?.ipv4_address)
  expect(slipway.ports).toBeUndefined()
  expect(caddy.command).toContain('slipway:4780')
})

test('the hosts of the compose file for several have addresses that HAProxy knows, and a file each', async () => {
  const file = parse(await read('compose-cluster.yml'), { merge: true }) as {
    services: Record<string, Service & { volumes: string[] }>
  }
  const { services } = file
  const hosts = Object.entries(services).filter(([name]) => name.startsWith('host-'))
  const addressOf = ({ networks }: Service) => networks['cluster']?.ipv4_address
  const servers = (await read('haproxy-cluster.cfg')).matchAll(/^ {2}server (\S+) (\S+):4780$/gm)
  expect(hosts.map(([name, host]) => [name, addressOf(host)])).toEqual(
    [...servers].map(([, ...server]) => server),
  )
  for (const [name, { command, ports, volumes }] of hosts) {
    expect(command[command.indexOf('--trust-proxy') + 1]).toBe(addressOf(services['haproxy']!))
    const own = name === 'host-a' ? 'data' : name.replace('host', 'data')
    expect(volumes).toEqual([
      `${own}:/data`,
      `./cluster/${name}.json:${command[command.indexOf('--cluster') + 1]!}:ro`,
    ])
    expect(ports).toBeUndefined()
  }
  expect(services['db']!.ports).toBeUndefined()
})

test('the image runs without root and npm, checks its health, and copies no more than Node and the built host', async () => {
  const text = await read('Containerfile')
  const last = text.slice(text.lastIndexOf('\nFROM '))

  expect(text).toMatch(/^ARG BASE=docker\.io\/library\/debian:trixie-slim$/m)
  expect(last).toMatch(/^USER slipway$/m)
  expect(last).toContain(`http://127.0.0.1:4780${api.host.health.path}`)
  expect(last.match(/^COPY .*/gm)).toHaveLength(4)
})

test('the image is well while the host answers 200, and only then', async () => {
  const [, words = ''] = /^HEALTHCHECK .*\n +CMD (\[.*\])$/m.exec(await read('Containerfile')) ?? []
  let status = 200
  const host = createServer((request, response) => {
    response.statusCode = request.url === api.host.health.path ? status : 404
    response.end()
  })
  await once(host.listen(0, '127.0.0.1'), 'listening')
  const { port } = host.address() as AddressInfo
  const [, ...args] = JSON.parse(words.replace(':4780', `:${port}`)) as string[]
  const check = async () => (await once(execFile(process.execPath, args), 'exit')) as [number]

  expect(await check()).toEqual([0, null])
  status = 503
  expect(await check()).toEqual([1, null])
  host.close()
  host.closeAllConnections()
  expect(await check()).toEqual([1, null])
})

test('every drop-in of the page that starts one host keeps the hand-over', async () => {
  const page = await readFile('docs/deploy.md', 'utf8')
  const starts = [...page.matchAll(/^ExecStart=(?!.* --cluster )(.+)$/gm)].map(([, start]) => start)
  expect(starts.length).toBeGreaterThan(1)
  for (const start of starts)
    expect(start).toMatch(/^\/usr\/lib\/slipway\/bin\/hand-over \/usr\/lib\/slipway\/bin\/node /)
})

test('the page names files, options and metrics that exist', async () => {
  const page = await readFile('docs/deploy.md', 'utf8')
  const files = [...page.matchAll(/(?:docs\/|\()(deploy\/[\w.-]+\w)/g)].map(([, path = '']) => path)
  expect(files.length).toBeGreaterThan(6)
  expect(files.filter((path) => !existsSync(join('docs', path)))).toEqual([])

  const options = [...page.matchAll(/--(?:public|trust|metrics|bucket)-[\w-]+/g)].map(
    ([option]) => option,
  )
  expect(options.length).toBeGreaterThan(3)
  expect(options.filter((option) => !USAGE.includes(option))).toEqual([])

  const sources = ['host', 'request'].map((name) =>
    readFile(`server/metrics/${name}-metrics.ts`, 'utf8'),
  )
  const made = (await Promise.all(sources)).join('')
  const metrics = [...page.matchAll(/\bslipway_[a-z_]+/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  )
  expect(metrics.filter((name) => name !== 'slipway_data' && !made.includes(`'${name}'`))).toEqual(
    [],
  )
})

test('as root, each command of the host but restore runs as the account that owns the data', async () => {
  const script = await read('slipway.sh')
  const names = [...script.matchAll(/^ {2}([a-z |]+)\)/gm)].flatMap(([, list = '']) =>
    list.split(' | '),
  )
  const { restore: _, ...others } = commands
  expect(names.sort()).toEqual(Object.keys(others).sort())
})
