import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { run } from '../../support/system/debian'
import { tempDir } from '../../support/system/temp-dir'
import { until } from '../../support/world/process'

/** Its root is a layer over the shared folder. `$3` are folders that it shares with us. */
const BOOT = `
mount --make-rprivate /
mount -t overlay overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/work" "$2/root"
cd "$2/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount --rbind /sys/fs/cgroup sys/fs/cgroup
mount --rbind /dev dev
mount -t tmpfs tmpfs run
for pair in $3; do
  mkdir -p ".\${pair#*:}"
  mount --bind "\${pair%:*}" ".\${pair#*:}"
done
pivot_root . mnt
exec chroot . sh -euc "umount --lazy /mnt
touch /run/booted
$4"`

interface MachineOptions {
  /** The folder of its Debian. */
  base: string
  /** Its network, as `ip netns` names it. */
  network: string
  /** Our folders, by their places in it. */
  shares: Readonly<Record<string, string>>
  /** Lines of its process 1, which must stay. */
  init: string
}

/** Run a command in the machine, and return what it prints. */
interface Machine {
  enter: (...command: string[]) => Promise<string>
  /** In our network, in place of its own. */
  enterOnline: (...command: string[]) => Promise<string>
}

/** Starts a Debian in namespaces of its own, which ends with the test. */
export async function startMachine(options: MachineOptions): Promise<Machine> {
  const { base, network, shares, init } = options
  const dir = await tempDir()
  for (const name of ['upper', 'work', 'root']) await mkdir(join(dir, name))

  // `ip netns exec` would hide the control groups.
  const net = ['nsenter', `--net=/run/netns/${network}`]
  const spaces = ['unshare', '--mount', '--pid', '--uts', '--ipc', '--fork', '--kill-child']
  const pairs = Object.entries(shares).map(([place, folder]) => `${folder}:${place}`)
  const boot = ['sh', '-euc', BOOT, 'sh', base, dir, pairs.join(' '), init]
  const machine = spawn('setpriv', ['--pdeathsig', 'KILL', ...net, ...spaces, ...boot], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(machine, 'exit')
  onTestFinished(async () => {
    machine.kill('SIGKILL')
    await ended
  })

  const children = () =>
    readFile(`/proc/${machine.pid}/task/${machine.pid}/children`, 'utf8').catch(() => '')
  await until(async () => (await children()) !== '')
  const target = (await children()).trim()

  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', LC_ALL: 'C.UTF-8' }
  const into = ['--mount', '--pid', '--uts', '--ipc', '--target', target]
  const enterOnline = async (...command: string[]) =>
    (await run('nsenter', [...into, ...command], { env, maxBuffer: 2 ** 26 })).stdout
  const enter = (...command: string[]) => enterOnline('--net', ...command)
  await until(() =>
    enter('test', '-e', '/run/booted').then(
      () => true,
      () => false,
    ),
  )
  return { enter, enterOnline }
}
