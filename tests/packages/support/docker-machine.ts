import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Namespaces } from '../../support/internet/namespaces'
import { run } from '../../support/system/debian'
import { tempDir } from '../../support/system/temp-dir'
import { until } from '../../support/world/process'
import { debianFolder } from './bare-debian'
import { startMachine } from './layered-machine'

/** Docker, and the servers of the compose files. */
const PACKAGES =
  'docker.io docker-cli docker-compose iptables ca-certificates openssl caddy haproxy postgresql'

/** The account whose `id -u` is 1000, as docs/deploy.md asks. */
const PERSON = 1000
const ADDRESS = '10.45.0.2'
const VISITOR = '10.45.0.9'

/** A Debian with Docker in a network of two machines. */
export interface DockerMachine {
  /** Runs lines as its root, or as the person with the folder `home`. Returns what they print. */
  asRoot: (lines: string) => Promise<string>
  asPerson: (lines: string) => Promise<string>
  home: string
  address: string
  /** The other machine, which runs commands behind these words. */
  visitor: { address: string; enter: readonly string[] }
}

export async function aDockerMachine(): Promise<DockerMachine> {
  const base = await debianFolder('docker-debian', 'trixie', PACKAGES)
  const dir = await tempDir()
  // Layers of Docker must not be in another layer.
  const [home, layers] = [join(dir, 'home'), join(dir, 'docker')]
  await Promise.all([mkdir(home), mkdir(layers)])
  await chown(home, PERSON, PERSON)

  const group = `slipway-test-${process.pid}`
  onTestFinished(async () => {
    const groups = ['-depth', '-type', 'd', '-path', `*/${group}*`, '-exec', 'rmdir', '{}', '+']
    // The last processes end a moment after the machine.
    await until(() =>
      run('find', ['/sys/fs/cgroup', ...groups]).then(
        () => true,
        () => false,
      ),
    )
  })
  const namespaces = new Namespaces(['docker', 'visitor'], ['switch'])
  onTestFinished(() => namespaces.close())
  namespaces.cable('switch', 'docker', 'eth0', `${ADDRESS}/24`)
  namespaces.cable('switch', 'visitor', 'eth0', `${VISITOR}/24`)

  const { enter } = await startMachine({
    base,
    network: namespaces.enter('docker').at(-1) ?? '',
    shares: { '/home': home, '/var/lib/docker': layers },
    init: `exec dockerd --group ${PERSON} --cgroup-parent /${group} > /var/log/dockerd.log 2>&1`,
  })
  const asRoot = (lines: string) => enter('sh', '-euc', lines)
  const ids = ['--reuid', String(PERSON), '--regid', String(PERSON), '--clear-groups']
  const inHome = ['env', '--chdir', '/home', 'HOME=/home', 'sh', '-euc']

  await until(() => asRoot('docker info').then(Boolean, () => false), 60)
  return {
    asRoot,
    asPerson: (lines) => enter('setpriv', ...ids, ...inHome, lines),
    home,
    address: ADDRESS,
    visitor: { address: VISITOR, enter: namespaces.enter('visitor') },
  }
}
