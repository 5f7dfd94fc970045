import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../../scripts/package/host/stage'
import { updaterCard } from '../../server/contract/update-clients/update-clients'
import { run } from '../support/system/debian'
import { sha256 } from '../support/system/sha256'
import { tempDir } from '../support/system/temp-dir'
import { aBareDebian } from './support/bare-debian'
import { packageHost, REPOSITORY } from './support/build-packages'
import { aPublisher } from './support/publisher'

const { version } = manifest
const NEXT = '999.0.0'
const packages = () => process.env['SLIPWAY_TEST_PACKAGES'] ?? ''
const deb = () => join(packages(), `slipway-host_${version}_amd64.deb`)
const PAGE = 'curl -sS --retry 20 --retry-connrefused http://127.0.0.1:4780/'

const digestsIn = async (folder: string) => {
  const names = (await readdir(folder)).sort()
  return Promise.all(
    names.map(async (name) => [name, sha256(await readFile(join(folder, name)))] as const),
  )
}

/** The same package as a newer version; the program says it, too. */
async function nextDeb(): Promise<string> {
  const dir = await tempDir()
  const path = join(dir, `slipway-host_${NEXT}_amd64.deb`)
  await run('sh', [
    '-euc',
    `dpkg-deb --raw-extract "$1" "$2/next"
sed -i "s/^Version: .*/Version: $4/" "$2/next/DEBIAN/control"
sed -i '/"version"/s/: ".*"/: "'$4'"/' "$2/next/usr/lib/slipway/package.json"
dpkg-deb --root-owner-group -Znone --build "$2/next" "$3"`,
    ...['sh', deb(), dir, path, NEXT],
  ])
  return path
}

test('a machine without Node unpacks the archive and serves the first page', async () => {
  const machine = await aBareDebian()
  const name = `slipway-host-${version}-linux-x64`
  await machine.bring(join(packages(), `${name}.tar.gz`))

  await machine.enter(`cd
tar -xf ${name}.tar.gz
${name}/slipway serve --port 4780 > log 2>&1 &`)
  expect(await machine.enter(PAGE)).toContain('Slipway</title>')
  expect(await machine.enter(`~/${name}/slipway --version`)).toBe(`${version}\n`)
})

test('apt installs Slipway from another Slipway and updates it, and removing it keeps the data', async () => {
  const machine = await aBareDebian()
  const { enter } = machine
  const { address, push } = await aPublisher(machine.network)
  await push(`v${version}`, deb())
  const card = updaterCard('apt', {
    ...{ address, slug: 'slipway', channel: 'stable', names: ['slipway-host'], fingerprint: null },
  })
  const lines = (card?.lines?.['apt'] ?? '').replaceAll('sudo ', '')

  expect(await enter(lines.replace('apt install', 'apt-get install -y'))).toContain(
    'Slipway runs at http://127.0.0.1:4780',
  )
  expect(await enter(PAGE)).toContain('Slipway</title>')
  const link = `journalctl -u slipway --grep 'Create the host account' --output cat`
  expect(await enter(link)).toMatch(/http:\/\/127\.0\.0\.1:4780\/register\?setup=/)
  expect(await enter("dpkg-query -W -f '${Homepage}' slipway-host")).toBe(REPOSITORY)
  await enter('install -d -o slipway /srv/backup; slipway backup /srv/backup')

  await push(`v${NEXT}`, await nextDeb())
  await enter(`echo 'OPTIONS="--log-level debug"' > /etc/slipway/options`)
  const visits = enter(`for visit in $(seq 300); do
curl -sS -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:4780/api/health; sleep 0.05
done | sort -u`)
  await enter('apt-get update; apt-get upgrade -y')
  expect(await enter('slipway --version')).toBe(`${NEXT}\n`)
  expect(await enter('cat /proc/$(pidof -s node)/cmdline | tr "\\0" " "')).toContain('debug')
  expect(await visits).toBe('200\n')

  await enter('apt-get remove -y slipway-host')
  expect(await enter('systemctl is-active slipway slipway.socket || true')).toBe(
    'inactive\ninactive\n',
  )
  await enter('apt-get install -y slipway-host')
  expect(await enter('systemctl is-active slipway; cat /etc/slipway/options')).toBe(
    'active\nOPTIONS="--log-level debug"\n',
  )
  expect(await enter('apt-get purge -y slipway-host')).toContain('still in /var/lib/slipway')
  expect(await enter('ls /etc/slipway 2> /dev/null || stat -c %U:%a /var/lib/slipway')).toBe(
    'slipway:700\n',
  )
  expect(await enter('ls /var/lib/slipway')).toContain('library.1.log')
})

test('rpm installs, updates and removes Slipway, and keeps its data', async () => {
  const machine = await aBareDebian()
  const { enter } = machine
  const name = `slipway-host-${version}-1.x86_64.rpm`
  await machine.bring(join(packages(), name))

  // Debian has none of the packages that it requires, but their files.
  expect(await enter(`rpm --install --nodeps ~/${name}`)).toContain('systemctl enable --now')
  await enter('systemctl enable --now slipway.socket slipway')
  expect(await enter(PAGE)).toContain('Slipway</title>')
  const before = await enter('systemctl show -p MainPID slipway')

  await enter(`rpm --upgrade --force --nodeps ~/${name}`)
  expect(await enter('systemctl show -p MainPID slipway')).not.toBe(before)
  expect(await enter(PAGE)).toContain('Slipway</title>')

  expect(await enter('rpm --erase --nodeps slipway-host')).toContain('still in /var/lib/slipway')
  expect(await enter('systemctl is-active slipway slipway.socket || true')).toBe(
    'inactive\ninactive\n',
  )
  expect(await enter('ls /var/lib/slipway')).toContain('library.1.log')
})

test('the same commit gives the same packages, byte for byte', async () => {
  const again = await tempDir()
  await packageHost(again)

  const digests = await digestsIn(again)
  expect(digests).toHaveLength(4)
  expect(digests).toEqual(await digestsIn(packages()))
})
