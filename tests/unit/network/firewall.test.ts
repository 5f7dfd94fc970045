import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { usualFirewall } from '../../../server/network/firewall'
import { tempDir } from '../../support/system/temp-dir'

const UFW = 'etc/ufw/ufw.conf'
const FIREWALLD = 'sys/fs/cgroup/system.slice/firewalld.service/cgroup.procs'

test.for([
  ['windows', 'win32', {}],
  ['macos', 'darwin', {}],
  ['ufw', 'linux', { [UFW]: '# /etc/ufw/ufw.conf\nENABLED=yes\n', [FIREWALLD]: '' }],
  ['firewalld', 'linux', { [UFW]: 'ENABLED=no\n', [FIREWALLD]: '1\n' }],
  ['nftables', 'linux', { [UFW]: 'ENABLED=no\n' }],
  ['nftables', 'freebsd', {}],
] as const)(
  'finds %s on %s by the files of the system',
  async ([firewall, platform, files], {}) => {
    const root = await tempDir()
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }

    expect(await usualFirewall(platform, root)).toBe(firewall)
  },
)
