import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { manifest } from '../../scripts/package/host/stage'
import { needTools, run } from '../support/system/debian'
import { tempDir } from '../support/system/temp-dir'
import { until } from '../support/world/process'
import { bareDebianFolder } from './support/bare-debian'

/**
 * What this machine lacks is left out: a registry (the base is a Debian of debootstrap, Node is that
 * of the archive), systemd (no health checks), and limits above its own.
 */
const BUILD = `
mkdir -p "$DIR/image" "$DIR/node/usr/local/bin"
tar -xf "$ARCHIVE" --strip-components 1 -C "$DIR/image"
cp "$DIR/image/bin/node" "$DIR/node/usr/local/bin/"
cp "$DIR/image/LICENSE.node" "$DIR/node/usr/local/LICENSE"
tar -C "$BASE" -c . | podman $STORE import - localhost/base
tar -C "$DIR/node" -c . | podman $STORE import - localhost/node
buildah $STORE build --isolation chroot --format docker --file docs/deploy/Containerfile \\
  --build-arg NODE=localhost/node --build-arg BASE=localhost/base --tag slipway "$DIR/image"
install -d -o 1000 -g 1000 "$DIR/data"`
const RUN = `podman $STORE --cgroup-manager cgroupfs --runtime runc run --detach --name host \\
  --network host --no-healthcheck --ulimit nofile=1024:1024 --ulimit nproc=4096:4096 \\
  --read-only --cap-drop all --security-opt no-new-privileges --volume "$DIR/data:/data" \\
  slipway --port 0`

test('the image of docs/deploy runs as its own user on a read-only disk, and stops in order', async () => {
  await needTools('buildah', 'podman', 'runc')
  const dir = await tempDir()
  // Sockets are in it, so that its path must be short.
  const runroot = await mkdtemp('/tmp/slipway-run-')
  const env = {
    ...process.env,
    DIR: dir,
    BASE: await bareDebianFolder(),
    ARCHIVE: join(
      process.env['SLIPWAY_TEST_PACKAGES'] ?? '',
      `slipway-host-${manifest.version}-linux-x64.tar.gz`,
    ),
    STORE: `--root ${join(dir, 'store')} --runroot ${runroot} --storage-driver vfs`,
  }
  const shell = async (lines: string) => {
    const { stdout, stderr } = await run('sh', ['-euc', lines], { env, maxBuffer: 2 ** 26 })
    return stdout + stderr
  }
  onTestFinished(async () => {
    await shell('podman $STORE rm --force host; podman $STORE rmi --all --force')
    await rm(runroot, { recursive: true, force: true })
  })

  await shell(BUILD)
  await shell(RUN)
  const logs = () => shell('podman $STORE logs host')
  await until(async () => (await logs()).includes('listening on'), 60)
  const [, url = ''] = /listening on (\S+)/.exec(await logs()) ?? []

  expect(await (await fetch(`${url}/api/health`)).json()).toEqual({ success: true, status: 'ok' })
  expect(await (await fetch(`${url}/guide`)).text()).toContain('Publish your first build')
  expect(await shell('podman $STORE exec host id --user')).toBe('1000\n')
  expect(await shell('podman $STORE exec host slipway --version')).toBe(`${manifest.version}\n`)

  await shell('podman $STORE --runtime runc stop --time 30 host')
  expect(await shell("podman $STORE inspect host --format '{{.State.ExitCode}}'")).toBe('0\n')
})
