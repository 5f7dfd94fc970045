import { randomBytes } from 'node:crypto'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manifest } from '../../scripts/package/host/stage'
import { setupLinkIn, setupTokenOf } from '../../scripts/seed/setup-link'
import { sharedEngine } from '../support/bucket/engine'
import { bucketAt } from '../support/bucket/outlet'
import { aKey, curlOn } from '../support/network/curl'
import { sha256 } from '../support/system/sha256'
import { tempDir } from '../support/system/temp-dir'
import { until } from '../support/world/process'
import { aDockerMachine, type DockerMachine } from './support/docker-machine'

/** For names of this kind, Caddy makes certificates by an authority of its own. */
const DOMAIN = 'builds.local'
const MB = 1024 * 1024
const BUCKET_PORT = 9000

/**
 * Stands in for the images of the registry: Debian's programs, with the paths, variables and
 * accounts of the official images.
 */
const IMAGES = `
tar -C / --one-file-system -c . | docker import - debian:trixie-slim
mkdir -p /tmp/image /tmp/node/usr/local/bin
tar -xf /home/host.tar.gz --strip-components 1 -C /tmp/image
cp /tmp/image/bin/node /tmp/node/usr/local/bin
cp /tmp/image/LICENSE.node /tmp/node/usr/local/LICENSE
tar -C /tmp/node -c . | docker import - node:24-trixie-slim
docker build --tag localhost/slipway --file /home/Containerfile /tmp/image

docker build --tag caddy:2 - << 'END'
FROM debian:trixie-slim
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
END
docker build --tag haproxy:3.2 - << 'END'
FROM debian:trixie-slim
ENTRYPOINT ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]
END
docker build --tag postgres:17 --file /home/postgres /home`

/** The first start of the official image, in short: a database of the user, by a password. */
const POSTGRES = `#!/bin/sh
set -e
if [ "$(id -u)" = 0 ]; then
  install -d -o postgres -m 0700 "$PGDATA" /var/run/postgresql
  install -o postgres -m 0400 "$POSTGRES_PASSWORD_FILE" /tmp/password
  exec setpriv --reuid postgres --regid postgres --clear-groups "$0"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth-local trust --auth-host scram-sha-256 \\
    --encoding UTF8 --locale C.UTF-8
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -D "$PGDATA" -w start -o "-c listen_addresses="
  createdb --username "$POSTGRES_USER" "$POSTGRES_USER"
  pg_ctl -D "$PGDATA" -w stop
fi
exec postgres -c listen_addresses=* -c unix_socket_directories=/var/run/postgresql`
const POSTGRES_IMAGE = `FROM debian:trixie-slim
ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/17/bin:$PATH
COPY start.sh /
ENTRYPOINT ["/start.sh"]
`

const shipped = async (name: string) =>
  (await readFile(join('docs/deploy', name), 'utf8')).replaceAll('builds.example', DOMAIN)

/** What `slipway cluster status` says. */
interface Status {
  primary: string
  hosts: { name: string }[]
}

/** Brings the files of docs/deploy and the images that they name. */
async function prepare({ asRoot, home }: DockerMachine): Promise<void> {
  const archive = `slipway-host-${manifest.version}-linux-x64.tar.gz`
  await copyFile(join(process.env['SLIPWAY_TEST_PACKAGES'] ?? '', archive), `${home}/host.tar.gz`)
  await writeFile(join(home, 'postgres'), POSTGRES_IMAGE)
  await writeFile(join(home, 'start.sh'), POSTGRES, { mode: 0o755 })
  for (const name of [
    'Containerfile',
    'compose.yaml',
    'compose-cluster.yml',
    'haproxy-cluster.cfg',
  ])
    await writeFile(join(home, name), await shipped(name))
  await asRoot(IMAGES)
}

/** The lines by which docs/deploy.md makes three hosts of one, with this bucket. */
async function linesForCluster(endpoint: string): Promise<string> {
  const page = await readFile('docs/deploy.md', 'utf8')
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, lines = '']) => lines)
  const lines = blocks.find((block) => block.includes('compose-cluster.yml')) ?? ''
  const { keys, makeBucket } = await sharedEngine()
  const { bucket } = await makeBucket()
  return [
    ['https://s3.example', endpoint],
    ['"builds"', JSON.stringify(bucket)],
    ['"ID"', JSON.stringify(keys.accessKeyId)],
    ['"KEY"', JSON.stringify(keys.secretAccessKey)],
  ].reduce((text, [from = '', to = '']) => text.replace(from, to), lines)
}

test('the compose files of docs/deploy serve one host behind Caddy, then three behind HAProxy, and lose nothing', async () => {
  const machine = await aDockerMachine()
  const { asPerson, visitor, address, home } = machine
  await prepare(machine)
  const dir = await tempDir()
  const ca = join(dir, 'ca.pem')
  const url = `https://${DOMAIN}`
  const ways = [80, 443].flatMap((port) => ['--resolve', `${DOMAIN}:${port}:${address}`])
  const curl = (...args: string[]) => curlOn(visitor.enter)('--cacert', ca, ...ways, ...args)

  await asPerson('docker compose up --detach')
  expect(await asPerson("docker compose ps --format '{{.Service}} {{.Health}}'")).toContain(
    'slipway healthy',
  )
  const setup = setupTokenOf(setupLinkIn(await asPerson('docker compose logs slipway')) ?? '')
  const root = '/data/caddy/pki/authorities/local/root.crt'
  await until(() =>
    asPerson(`docker compose exec -T caddy test -s ${root}`).then(
      () => true,
      () => false,
    ),
  )
  await writeFile(ca, await asPerson(`docker compose exec -T caddy cat ${root}`))

  const health = () => curl(`${url}/api/health`)
  const answers = () =>
    health().then(
      () => true,
      () => false,
    )
  await until(answers)
  expect(JSON.parse(await health())).toEqual({ success: true, status: 'ok' })
  const moved = await curl(
    '-o',
    '/dev/null',
    '-w',
    '%{http_code} %{redirect_url}',
    `http://${DOMAIN}/`,
  )
  expect(moved).toBe(`308 ${url}/`)

  const key = await aKey(curl, url, dir, setup)
  const upload = async (name: string, size: number) => {
    const bytes = randomBytes(size)
    await writeFile(join(dir, name), bytes)
    const to = `${url}/api/files/upload/${name}?is_public=true`
    const reply = await curl('-H', `X-API-Key: ${key}`, '-T', join(dir, name), to)
    const { file } = JSON.parse(reply) as { file: { file_id: string } }
    return { id: file.file_id, sum: sha256(bytes) }
  }
  const download = async (id: string) => {
    await curl('-o', join(dir, 'arrived'), `${url}/api/files/${id}/download`)
    return sha256(await readFile(join(dir, 'arrived')))
  }
  const first = await upload('rocket.bin', 50 * MB)
  expect(await download(first.id)).toBe(first.sum)
  const audit = await asPerson("docker compose exec -T slipway sh -c 'cat /data/audit/*'")
  expect(new Set(audit.match(/"address":"[^"]*"/g))).toEqual(
    new Set([`"address":"${visitor.address}"`]),
  )

  const outlet = await bucketAt(visitor.enter, { host: visitor.address, port: BUCKET_PORT })
  onTestFinished(() => void outlet.close())
  await asPerson(`openssl req -x509 -newkey rsa:2048 -noenc -days 2 -subj /CN=${DOMAIN} \\
-addext subjectAltName=DNS:${DOMAIN} -keyout key.pem -out chain.pem 2> /dev/null
cat chain.pem key.pem > ${DOMAIN}.pem`)
  await asPerson(await linesForCluster(`http://${visitor.address}:${BUCKET_PORT}`))
  await copyFile(join(home, 'chain.pem'), ca)
  await until(answers, 60)
  expect(await download(first.id)).toBe(first.sum)

  const cluster = 'docker compose -f compose-cluster.yml'
  const second = await upload('second.bin', 5 * MB)
  const words = 'slipway cluster status --json --data /data --cluster /cluster.json'
  const status = JSON.parse(await asPerson(`${cluster} exec -T host-b ${words}`)) as Status
  expect(status.hosts.map(({ name }) => name)).toEqual(['host-a', 'host-b', 'host-c'])
  await asPerson(`${cluster} kill ${status.primary}`)
  await until(answers, 60)
  expect(await download(second.id)).toBe(second.sum)
  const third = await upload('third.bin', 5 * MB)
  expect(await download(third.id)).toBe(third.sum)
})
