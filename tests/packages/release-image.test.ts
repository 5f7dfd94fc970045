import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manifest } from '../../scripts/package/host/stage'
import { run } from '../support/system/debian'
import { tempDir } from '../support/system/temp-dir'
import { bareDebianFolder } from './support/bare-debian'
import { packageHost } from './support/build-packages'
import { aWorkflowRunner, stepOf } from './support/workflow-runner'

const { version } = manifest

/**
 * Stands in for two registries: `docker.io` with the bases of the Containerfile, and `ghcr.io`,
 * which asks for the token of the job. Both are Debian's docker-registry.
 */
const REGISTRIES = `
install -d -o runner /run/user/1001
mkdir -p /registry /etc/containers/certs.d/ghcr.io
cd /registry
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=ghcr.io -addext subjectAltName=DNS:ghcr.io \\
  -keyout key.pem -out cert.pem 2> /dev/null
cp cert.pem /etc/containers/certs.d/ghcr.io/ca.crt
echo 127.0.0.1 ghcr.io >> /etc/hosts
perl -e 'print "maya:", crypt("token", "\\$2b\\$05\\$" . "a" x 22), "\\n"' > users
cat > /etc/containers/registries.conf.d/bases.conf << 'END'
[[registry]]
prefix = "docker.io"
location = "localhost:5000"
insecure = true
END
cat > bases.yml << 'END'
version: 0.1
storage: { filesystem: { rootdirectory: /registry/bases } }
http: { addr: 'localhost:5000' }
END
cat > images.yml << 'END'
version: 0.1
storage: { filesystem: { rootdirectory: /registry/images } }
http: { addr: ':443', tls: { certificate: /registry/cert.pem, key: /registry/key.pem } }
auth: { htpasswd: { realm: images, path: /registry/users } }
END
for name in bases images; do
  setsid docker-registry serve $name.yml > $name.log 2>&1 &
done`

/** Their Debian is that of x64 for both, as nothing here runs the other's: only their names differ. */
const BASES = `
for pair in x64:amd64 arm64:arm64; do
  arch="\${pair#*:}"
  mkdir -p "node-$arch/usr/local/bin"
  tar -xf release/slipway-host-*-linux-"\${pair%:*}".tar.gz --strip-components 1 -C "node-$arch" --wildcards '*/bin/node' '*/LICENSE.node'
  mv "node-$arch/bin/node" "node-$arch/usr/local/bin/"
  mv "node-$arch/LICENSE.node" "node-$arch/usr/local/LICENSE"
  tar -C "node-$arch" -cf node.tar usr
  for name in node debian; do
    container=$(buildah from --arch "$arch" scratch)
    buildah add --quiet "$container" $name.tar /
    buildah commit --quiet --rm --manifest $name "$container"
  done
done
buildah manifest push --quiet --all --tls-verify=false node docker://localhost:5000/library/node:24-trixie-slim
buildah manifest push --quiet --all --tls-verify=false debian docker://localhost:5000/library/debian:trixie-slim
buildah rmi --all --force`

interface Index {
  manifests: { platform: { architecture: string }; digest: string }[]
}

test('the job of the image builds it for two architectures, signs in, and pushes three names', async () => {
  const { work, runLines } = await aWorkflowRunner()
  const arm = await tempDir()
  await packageHost(arm, ['linux-arm64'])
  for (const folder of ['release', 'docs/deploy'])
    await mkdir(join(work, folder), { recursive: true })
  await copyFile('docs/deploy/Containerfile', join(work, 'docs/deploy/Containerfile'))
  const from = { x64: process.env['SLIPWAY_TEST_PACKAGES'] ?? '', arm64: arm }
  for (const [arch, folder] of Object.entries(from)) {
    const name = `slipway-host-${version}-linux-${arch}.tar.gz`
    await copyFile(join(folder, name), join(work, 'release', name))
  }
  const base = ['-C', await bareDebianFolder(), '--exclude=./usr/share', '--exclude=./var', '-cf']
  await run('tar', [...base, join(work, 'debian.tar'), '.'])
  await run('chown', ['-R', '1001:1001', work])

  await runLines(await stepOf('release.yml image: sudo apt-get'), { isOnline: true })
  await runLines('sudo apt-get install --yes docker-registry', { isOnline: true })
  await runLines(`sudo sh -euc "$LINES"`, { env: { LINES: REGISTRIES } })
  const env = {
    ...{ GITHUB_ACTOR: 'maya', TOKEN: 'token', GITHUB_REPOSITORY: 'Maya/Slipway' },
    ...{ GITHUB_OUTPUT: '/temp/output', XDG_RUNTIME_DIR: '/run/user/1001' },
    // A disk within a layered disk, and no network of its own for each step.
    ...{ STORAGE_DRIVER: 'vfs', BUILDAH_ISOLATION: 'chroot' },
  }
  await runLines(BASES, { env })

  await runLines(await stepOf('release.yml image: for pair'), { env })
  const push = await stepOf('release.yml image: image=')
  const tagged = (GITHUB_REF_NAME: string) => runLines(push, { env: { ...env, GITHUB_REF_NAME } })
  await expect(tagged('v1.4.0')).rejects.toThrow()
  const login = await stepOf('release.yml image: buildah login')
  await expect(runLines(login, { env: { ...env, TOKEN: 'wrong' } })).rejects.toThrow()
  await runLines(login, { env })
  await tagged('v1.4.0')
  await tagged('v2.0.0-beta.1')

  const ask = async (path: string, ...words: string[]) =>
    runLines(
      `curl -fsS --cacert /registry/cert.pem -u maya:token ${words.join(' ')} https://ghcr.io/v2/maya/slipway/${path}`,
    )
  const { tags } = JSON.parse(await ask('tags/list')) as { tags: string[] }
  expect(tags.toSorted()).toEqual(['1.4', '1.4.0', '2.0.0-beta.1', 'latest'])
  const accept = `-H 'Accept: application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.oci.image.index.v1+json'`
  const { manifests } = JSON.parse(await ask('manifests/latest', accept)) as Index
  expect(manifests.map(({ platform }) => platform.architecture)).toEqual(['amd64', 'arm64'])

  const output = await runLines('head -2 /temp/output')
  const [, digest = ''] =
    /^image=ghcr\.io\/maya\/slipway\ndigest=(sha256:[0-9a-f]{64})$/m.exec(output) ?? []
  expect(await ask('manifests/1.4.0', accept, '-o /dev/null -D -')).toContain(digest)
})
