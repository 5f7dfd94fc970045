import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Machine } from '../../support/internet/namespaces'
import { says, startSshd } from '../../support/internet/sshd'
import { needTools, run } from '../../support/system/debian'
import { tempDir } from '../../support/system/temp-dir'

const SSH_PORT = 2222

/**
 * Puts a raw relay between strangers and ports of a host: the host asks `relay` by `ssh -R` to pass
 * on what comes to each port. Until the test ends.
 */
export async function openRelay(
  host: Machine,
  relay: Machine,
  ports: readonly number[],
): Promise<void> {
  await needTools('ssh')
  const dir = await tempDir()
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, 'client')])
  const keys = await readFile(join(dir, 'client.pub'), 'utf8')
  const settings = ['GatewayPorts clientspecified']
  const sshd = await startSshd({
    address: relay.address,
    port: SSH_PORT,
    keys,
    settings,
    enter: relay.enter,
  })
  onTestFinished(sshd.stop)

  const options = [
    '-o',
    'StrictHostKeyChecking=no',
    '-o',
    `UserKnownHostsFile=${join(dir, 'known')}`,
  ]
  const forwards = ports.flatMap((port) => ['-R', `0.0.0.0:${port}:127.0.0.1:${port}`])
  const key = [
    '-i',
    join(dir, 'client'),
    '-o',
    'IdentitiesOnly=yes',
    '-o',
    'ExitOnForwardFailure=yes',
    '-v',
  ]
  const to = ['-N', '-p', String(SSH_PORT), `root@${relay.address}`]
  const ssh = [...host.enter, 'ssh', '-F', 'none', ...key, ...options, ...forwards, ...to]
  const forwarding = spawn('env', ssh, { stdio: ['ignore', 'inherit', 'pipe'] })
  onTestFinished(async () => {
    forwarding.kill()
    await once(forwarding, 'close')
  })
  await says(forwarding, 'all expected forwarding replies received')
}
