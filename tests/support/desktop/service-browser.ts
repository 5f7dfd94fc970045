import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { needTools } from '../system/debian'
import type { Machine } from '../internet/namespaces'

const AVAHI = ['avahi-daemon', 'avahi-browse', 'dbus-daemon'] as const

/** Whether avahi, the browser of services that Linux has, is here, or could be brought. */
export async function hasAvahi(): Promise<boolean> {
  await needTools(...AVAHI).catch(() => undefined)
  return AVAHI.every((name) => spawnSync('which', [name]).status === 0)
}

const busConfig = (
  socket: string,
) => `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

const avahiConfig = '[server]\nuse-ipv6=no\n[publish]\ndisable-publishing=yes\n'

/** avahi on a machine of the test network, with a bus of its own. */
export async function openServiceBrowser(machine: Machine, folder: string) {
  const home = join(folder, 'avahi')
  await mkdir(home, { recursive: true })
  const [socket, bus, config] = [
    join(home, 'bus'),
    join(home, 'bus.conf'),
    join(home, 'avahi.conf'),
  ]
  await writeFile(bus, busConfig(socket))
  await writeFile(config, avahiConfig)
  const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${socket}` }
  const dbus = spawn('dbus-daemon', [`--config-file=${bus}`, '--nofork', '--print-address'], {
    stdio: 'pipe',
  })
  await once(dbus.stdout, 'data')
  const words = [
    'avahi-daemon',
    '-f',
    config,
    '--no-drop-root',
    '--no-chroot',
    '--no-rlimits',
    '--no-proc-title',
  ]
  const avahi = spawn('env', [...machine.enter, ...words], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await startedUp(avahi.stderr)
  return {
    /**
     * The services of a type: the fields of each resolved one, as `avahi-browse -p` prints them.
     */
    async find(type: string): Promise<string[][]> {
      const args = [...machine.enter, 'avahi-browse', '-r', '-t', '-p', type]
      const { stdout } = await promisify(execFile)('env', args, { env })
      const lines = stdout.split('\n').filter((line) => line.startsWith('='))
      return lines.map((line) => line.split(';'))
    },
    async close(): Promise<void> {
      const ended = Promise.all([once(avahi, 'exit'), once(dbus, 'exit')])
      avahi.kill()
      dbus.kill()
      await Promise.race([ended, pause(5000)])
    },
  }
}

function startedUp(output: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = ''
    output.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('Server startup complete')) resolve()
    })
    output.on('end', () => reject(new Error(`avahi-daemon has ended: ${said}`)))
  })
}
