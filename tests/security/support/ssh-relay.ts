import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Machine } from '../../support/internet/namespaces'
import { needTools, run } from '../../support/system/debian'

const SSH_PORT = 2222
/** sshd, with accounts of its own in a mount namespace that `ip netns exec` has made, so that nothing is installed. */
const SERVE = `
mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/shadow" /etc/shadow && mount -t tmpfs none /run || exit 1
mkdir /run/sshd
LD_LIBRARY_PATH=$2 exec "$3" -D -e -f "$1/sshd_config"`

/**
 * Puts a raw relay between strangers and ports of a host: the host asks `relay` by `ssh -R` to pass on what comes to
 * each port. Until the test ends.
 */
export async function openRelay(host: Machine, relay: Machine, ports: readonly number[]): Promise<void> {
  await needTools('ssh')
  const dir = await mkdtemp(join(tmpdir(), 'slipway-ssh-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const sshd = await unpack(dir)
  await configure(dir)
  const words = [...relay.enter, 'sh', '-c', SERVE, 'sh', dir, sshd.libraries, sshd.program]
  const serving = spawn('env', words, { stdio: ['ignore', 'inherit', 'pipe'] })
  await says(serving, 'Server listening')

  const options = ['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(dir, 'known')}`]
  const forwards = ports.flatMap((port) => ['-R', `0.0.0.0:${port}:127.0.0.1:${port}`])
  const key = ['-i', join(dir, 'client'), '-o', 'IdentitiesOnly=yes', '-o', 'ExitOnForwardFailure=yes', '-v']
  const to = ['-N', '-p', String(SSH_PORT), `root@${relay.address}`]
  const ssh = [...host.enter, 'ssh', '-F', 'none', ...key, ...options, ...forwards, ...to]
  const forwarding = spawn('env', ssh, { stdio: ['ignore', 'inherit', 'pipe'] })
  onTestFinished(async () => {
    for (const child of [forwarding, serving]) {
      child.kill()
      await once(child, 'close')
    }
  })
  await says(forwarding, 'all expected forwarding replies received')
}

/** Debian's sshd, which is not installed: that would start a service on this machine. */
async function unpack(dir: string): Promise<{ program: string; libraries: string }> {
  await run('apt-get', ['download', '-o', 'APT::Sandbox::User=root', 'openssh-server', 'libwrap0'], { cwd: dir })
  const root = join(dir, 'root')
  for (const name of (await readdir(dir)).filter((it) => it.endsWith('.deb')))
    await run('dpkg-deb', ['-x', join(dir, name), root])
  const { stdout } = await run('find', [root, '-name', 'libwrap.so.0', '-printf', '%h'])
  return { program: join(root, 'usr/sbin/sshd'), libraries: stdout }
}

async function configure(dir: string): Promise<void> {
  for (const name of ['host', 'client'])
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, name)])
  await mkdir(join(dir, 'home'))
  const config = [
    `Port ${SSH_PORT}`,
    `HostKey ${join(dir, 'host')}`,
    `AuthorizedKeysFile ${join(dir, 'client.pub')}`,
    'PermitRootLogin yes\nStrictModes no\nUsePAM no\nPidFile none\nGatewayPorts clientspecified',
  ]
  await writeFile(join(dir, 'sshd_config'), `${config.join('\n')}\n`)
  await writeFile(join(dir, 'passwd'), `root:x:0:0::${dir}/home:/bin/sh\nsshd:x:101:65534::/run/sshd:/bin/false\n`)
  await writeFile(join(dir, 'shadow'), 'root:*:19000:0:99999:7:::\n')
}

/** Waits until a program has said this. Throws with all that it said where it ends before. */
async function says(child: ReturnType<typeof spawn>, text: string): Promise<void> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const closed = once(child, 'close').then(() => true)
  while (!said.includes(text)) {
    if (await Promise.race([once(child.stderr!, 'data').then(() => false), closed])) throw new Error(said)
  }
}
