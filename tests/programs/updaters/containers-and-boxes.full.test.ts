import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { updaterCard } from '../../../server/contract/update-clients/update-clients'
import { named, noRoot } from '../../support/system/rounds'
import { cannotUnpack } from '../../../scripts/test/tools/unpacked'
import { aPodman } from '../../support/install/podman'
import { anOciArchive, digestOf } from '../../support/images/oci-image'
import { aTar } from '../../support/linux-package'
import { needTools, run, unpacked } from '../../support/system/debian'
import { aRocket } from '../../support/world/factories'
import { test } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { sha256 } from '../../support/system/sha256'
import { tempDir } from '../../support/system/temp-dir'

/** The lines of the page. */
const linesFor = ({ url }: TestServer, client: 'oci' | 'vagrant') =>
  Object.values(
    updaterCard(client, {
      address: `${url}/p/rocket`,
      slug: 'rocket',
      channel: 'stable',
      names: [],
      fingerprint: null,
    })?.lines ?? {},
  ).join('\n')

test.skipIf(cannotUnpack)(
  'podman pulls each new image by the line of the page',
  async ({ server }) => {
    const enter = await aPodman()
    const { publish } = await aRocket(server)
    for (const version of ['1.0.0', '1.1.0']) {
      const { archive, manifest } = anOciArchive(`This is ${version}`)
      await publish(`rocket-${version}.oci.tar`, { version, bytes: archive })
      await enter(linesFor(server, 'oci'))
      const image = linesFor(server, 'oci').split(' ').at(-1) ?? ''
      expect(await enter(`podman image inspect --format {{.Digest}} ${image}`)).toBe(
        `sha256:${digestOf(manifest)}`,
      )
    }
  },
)

test.skipIf(noRoot)(
  named('skopeo inspects an image, and copies the files of a release into an OCI layout'),
  async ({ server }) => {
    await needTools('skopeo')
    const dir = await tempDir()
    const { publish } = await aRocket(server)
    const { archive, manifest } = anOciArchive('This is 1.0.0')
    await publish('rocket.oci.tar', { version: '1.0.0', bytes: archive })
    await publish('rocket.deb', { version: '1.0.0', bytes: 'the deb' })
    const image = `docker://${new URL(server.url).host}/rocket`
    const { stdout } = await run('skopeo', ['inspect', '--tls-verify=false', `${image}:latest`])
    expect(JSON.parse(stdout)).toMatchObject({
      Digest: `sha256:${digestOf(manifest)}`,
      RepoTags: ['1.0.0', '1.0.0-files', 'latest', 'latest-files'],
    })
    const copy = [
      'copy',
      '--insecure-policy',
      '--src-tls-verify=false',
      `${image}:1.0.0-files`,
      `oci:${dir}:files`,
    ]
    await run('skopeo', copy)
    const digest = sha256('the deb')
    expect(await readFile(join(dir, 'blobs/sha256', digest), 'utf8')).toBe('the deb')
  },
)

test.skipIf(cannotUnpack)(
  'Vagrant adds a box by the line of the page, and updates it',
  async ({ server }) => {
    const { vagrant } = await unpacked('vagrant')
    const dir = await tempDir()
    const usr = dirname(dirname(vagrant.file('usr/bin/vagrant')))
    const native = join(usr, 'lib/x86_64-linux-gnu')
    const { stdout } = await run('ruby', [
      '-e',
      'puts RbConfig::CONFIG["ruby_version"], Gem.path.join(":")',
    ])
    const [version = '', usual = ''] = stdout.split('\n')
    const env = {
      ...process.env,
      ...vagrant.env,
      HOME: dir,
      VAGRANT_HOME: dir,
      GEM_PATH: [
        join(usr, 'share/rubygems-integration/all'),
        join(native, 'rubygems-integration', version),
        usual,
      ].join(':'),
      RUBYLIB: [join(usr, 'lib/ruby/vendor_ruby'), join(native, 'ruby/vendor_ruby', version)].join(
        ':',
      ),
      PATH: `${join(usr, 'bin')}:${process.env['PATH']}`,
    }
    const enter = async (lines: string) =>
      (await run('sh', ['-ec', lines], { cwd: dir, env })).stdout
    const { publish } = await aRocket(server)
    const box = new Uint8Array(
      gzipSync(aTar('metadata.json', Buffer.from('{"provider": "libvirt"}'))),
    )

    await publish('rocket.box', { version: '1.0.0', bytes: box })
    await enter(linesFor(server, 'vagrant'))
    expect(await enter('vagrant box list')).toBe('alice/rocket (libvirt, 1.0.0)\n')
    await publish('rocket.box', { version: '1.1.0', bytes: box })
    await enter('vagrant box update --box alice/rocket')
    expect(await enter('vagrant box list')).toContain('(libvirt, 1.1.0)')
  },
)
