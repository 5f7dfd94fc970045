import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { anAppImage } from '../../support/packages/app-image'
import { needTools, run } from '../../support/system/debian'
import { until } from '../../support/world/process'
import { aCertificate, aRocket } from '../../support/packages/rocket-app'
import { aWorld } from '../support/pushing'
import { named, noRoot } from '../../support/system/rounds'
import { sha256 } from '../../support/system/sha256'

const LINUX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36'
/**
 * Runs a script on a computer that has all of this system's programs, and keeps what it writes to
 * itself.
 */
const ON_ANOTHER = `
mount -t tmpfs none /media
mkdir -p "$1/upper" "$1/work" /media/root
mount -t overlay none -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" /media/root
for place in proc sys dev; do mount --rbind "/$place" "/media/root/$place"; done
exec chroot /media/root sh -ec "$2"`
/** As a fresh system without other sources, whose user agrees to all that is asked. */
const PREPARE = `
rm -rf /etc/apt/sources.list /etc/apt/sources.list.d/* /etc/yum.repos.d
mkdir -p /etc/yum.repos.d /root/apps
printf '#!/bin/sh\\nyes | "$@"\\n' > /usr/local/bin/sudo
chmod +x /usr/local/bin/sudo
for name in f-droid f-droid-archive; do fdroidcl repo remove $name; done`

/** A computer that is not the host's. */
async function aComputer(): Promise<(script: string) => Promise<string>> {
  const layer = await mkdtemp(join(tmpdir(), 'slipway-computer-'))
  onTestFinished(async () => void (await run('rm', ['-rf', layer])))
  const enter = async (script: string) =>
    (
      await run('unshare', ['--mount', 'sh', '-ec', ON_ANOTHER, 'sh', layer, script], {
        maxBuffer: 2 ** 24,
      })
    ).stdout
  await enter(PREPARE)
  return enter
}

/** Builds of a version, as their creator makes them. */
async function build(folder: string, version: string, updates: string): Promise<string[]> {
  const at = (name: string) => join(folder, name)
  await mkdir(at(`${version}/DEBIAN`), { recursive: true })
  const control = `Package: rocket\nVersion: ${version}\nArchitecture: all\nMaintainer: A <a@example.com>\nDescription: Launches\n`
  await writeFile(at(`${version}/DEBIAN/control`), control)
  await run('dpkg-deb', ['--build', version, `rocket_${version}_all.deb`], { cwd: folder })
  const head = `Name: rocket\nVersion: ${version}\nRelease: 1\nSummary: Launches\nLicense: MIT\nBuildArch: noarch`
  await writeFile(at('rocket.spec'), `${head}\n%description\nLaunches\n%files\n`)
  await run('rpmbuild', ['-bb', '--define', `_topdir ${folder}`, 'rocket.spec'], { cwd: folder })
  const build = Number(version.replaceAll('.', ''))
  await writeFile(at(`rocket-${version}.apk`), aRocket({ version, build, certificate }))
  const news = version === '1.0.0' ? Buffer.alloc(0) : randomBytes(9000)
  await writeFile(
    at(`Rocket-${version}.AppImage`),
    anAppImage(
      `zsync|${updates}`,
      Buffer.concat([content.subarray(0, 500_000), news, content.subarray(500_000)]),
    ),
  )
  const rpm = `RPMS/noarch/rocket-${version}-1.noarch.rpm`
  return [
    `rocket_${version}_all.deb`,
    rpm,
    `rocket-${version}.apk`,
    `Rocket-${version}.AppImage`,
  ].map(at)
}
const content = randomBytes(1_000_000)
const certificate = aCertificate()

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}
const decode = (html: string) => html.replace(/&[#\w]+;/g, (entity) => entities[entity] ?? entity)

/** What a card of the page says: its lines for a terminal, and what its buttons copy. */
function readCard(page: string, title: string) {
  const [, card = ''] =
    new RegExp(`<article class="client" aria-label="${title}">([^]*?)</article>`).exec(page) ?? []
  const all = (pattern: RegExp) =>
    Array.from(card.matchAll(pattern), ([, text = '']) => decode(text.replaceAll(/<\/?code>/g, '')))
  return { lines: all(/<pre class="command">([^]*?)<\/pre>/g), copied: all(/data-copy="([^"]*)"/g) }
}

beforeAll(() => needTools('curl', 'wget', 'dnf', 'rpmbuild', 'fdroidcl', 'zsync'), 300_000)

test.skipIf(noRoot)(
  named(
    'a newcomer installs and upgrades a deb, an rpm, an app and an AppImage by what the page says',
  ),
  async () => {
    // The one that `npm run build` made: only it has pages.
    vi.stubEnv('SLIPWAY_TEST_SERVER', join(import.meta.dirname, '../../../dist/server'))
    const { place, folder, slipway } = await aWorld()
    const address = `${place.url}/p/rocket`
    const publish = async (version: string) => {
      const files = await build(folder, version, `${address}/feeds/zsync/stable/x64.zsync`)
      const { code, stderr } = await slipway([
        'push',
        ...files,
        '--project',
        'rocket',
        '--version',
        version,
        '--public',
      ]).ended()
      expect(code, stderr).toBe(0)
    }
    const all = (version: string) => ({ deb: version, rpm: version, app: version })
    const digest = async (version: string) =>
      sha256(await readFile(join(folder, `Rocket-${version}.AppImage`)))
    const computer = await aComputer()
    const read = (browser: string) => computer(`curl -fsS -A '${browser}' '${address}'`)
    const versions = async () => ({
      deb: await computer("dpkg-query -W -f '${Version}' rocket"),
      rpm: await computer("rpm -q --qf '%{VERSION}' rocket"),
      app: /^Version +: ([\d.]+)/m.exec(await computer('fdroidcl show com.acme.rocket'))?.[1],
      appImage: sha256(Buffer.from(await computer('base64 /root/rocket.AppImage'), 'base64')),
    })

    await publish('1.0.0')
    const page = await read(LINUX)
    await computer(readCard(page, 'apt').lines[0] ?? '')
    await computer(readCard(page, 'dnf and zypper').lines[0] ?? '')
    let repository: string | undefined
    await until(async () => {
      // fdroidcl takes no fingerprint.
      repository = readCard(await read(ANDROID), 'F-Droid').copied[0]?.split('?')[0]
      return repository !== undefined
    })
    await computer(
      `fdroidcl repo add rocket '${repository}'; fdroidcl update; fdroidcl download com.acme.rocket`,
    )
    const [, download = ''] = /<a class="button large" href="([^"]+)"/.exec(page) ?? []
    await computer(`curl -fsSo /root/rocket.AppImage '${place.url}${decode(download)}'`)
    expect(await versions()).toEqual({ ...all('1.0.0'), appImage: await digest('1.0.0') })

    await publish('1.1.0')
    await computer(
      'sudo apt update && sudo apt upgrade && sudo dnf upgrade --refresh && fdroidcl update',
    )
    let feed: string | undefined
    await until(async () => {
      // Made while the host rests.
      feed = readCard(await read(LINUX), 'The app itself').lines[0]?.replace('zsync|', '')
      return feed !== undefined && (await fetch(feed)).ok
    }, 120)
    await computer(`cd /root && zsync -i rocket.AppImage -o rocket.AppImage '${feed}'`)
    expect(await versions()).toEqual({ ...all('1.1.0'), appImage: await digest('1.1.0') })
  },
  300_000,
)
