import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needTools, run, unpacked } from '../system/debian'

/**
 * sshd, with accounts of its own in a mount namespace, so that nothing is installed and no user is
 * created.
 */
const SERVE = `
mount --bind "$1/passwd" /etc/passwd && mount --bind "$1/shadow" /etc/shadow && mount -t tmpfs none /run || exit 1
mkdir /run/sshd
exec "$2" -D -e -f "$1/sshd_config"`

interface SshdOptions {
  /** Where it listens. */
  address: string
  port: number
  /** The lines of `authorized_keys` for root. */
  keys: string
  /** More lines of `sshd_config`; the first setting of a name holds. */
  settings?: string[]
  /** The words before a command that make it run on another machine. */
  enter?: readonly string[]
}

export interface Sshd {
  /** The key of the server as ssh-keygen prints it. */
  fingerprint: string
  /** Replaces the lines of `authorized_keys`. */
  allow: (keys: string) => Promise<void>
  /** What sshd has written so far. */
  said: () => string
  /** Ends it with its sessions. */
  stop: () => Promise<void>
}

/** Starts Debian's sshd with a new host key. Throws with its words. */
export async function startSshd({
  address,
  port,
  keys,
  settings = [],
  enter = [],
}: SshdOptions): Promise<Sshd> {
  await needTools('ssh')
  const { 'openssh-server': sshd } = await unpacked('openssh-server')
  const dir = await mkdtemp(join(tmpdir(), 'slipway-sshd-'))
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(dir, 'host')])
  await mkdir(join(dir, 'home'))
  const config = [
    `Port ${port}\nListenAddress ${address}\nHostKey ${dir}/host\nAuthorizedKeysFile ${dir}/keys`,
    ...settings,
    'PermitRootLogin yes\nStrictModes no\nUsePAM no\nPidFile none\n',
  ]
  await writeFile(join(dir, 'sshd_config'), config.join('\n'))
  await writeFile(join(dir, 'keys'), `${keys}\n`)
  await writeFile(
    join(dir, 'passwd'),
    `root:x:0:0::${dir}/home:/bin/sh\nsshd:x:101:65534::/run/sshd:/bin/false\n`,
  )
  await writeFile(join(dir, 'shadow'), 'root:*:19000:0:99999:7:::\n')
  // A process namespace of its own, so that its sessions end with it.
  const within = [
    'unshare',
    '--mount',
    '--pid',
    '--fork',
    '--kill-child',
    'sh',
    '-c',
    SERVE,
    'sh',
    dir,
  ]
  const env = { ...process.env, ...sshd.env }
  // Even after SIGKILL of the tests it ends.
  const words = ['setpriv', '--pdeathsig', 'KILL', ...enter, ...within, sshd.file('usr/sbin/sshd')]
  const child = spawn('env', words, { env, stdio: ['ignore', 'inherit', 'pipe'] })
  const said = await says(child, 'Server listening')
  const { stdout } = await run('ssh-keygen', ['-lf', join(dir, 'host.pub')])
  return {
    fingerprint: stdout.split(' ')[1] ?? '',
    said,
    allow: (lines) =>
      writeFile(
        join(dir, 'keys'),
        `${lines}
`,
      ),
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/**
 * Waits until a program has said this on stderr, and returns what it says. Throws with that where
 * it ends before.
 */
export async function says(child: ChildProcess, text: string): Promise<() => string> {
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(child, 'exit').then(() => true)
  while (!said.includes(text)) {
    if (await Promise.race([once(child.stderr!, 'data').then(() => false), ended]))
      throw new Error(said)
  }
  return () => said
}
