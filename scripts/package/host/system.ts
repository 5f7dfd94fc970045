import { copyFile, cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { root } from '../../test/tool'

const FILES: readonly [from: string, to: string][] = [
  ['docs/deploy/slipway.sh', 'usr/bin/slipway'],
  ['docs/deploy/slipway.service', 'usr/lib/systemd/system/slipway.service'],
  ['docs/deploy/slipway.socket', 'usr/lib/systemd/system/slipway.socket'],
  ['docs/deploy/options', 'etc/slipway/options'],
  ['LICENSE', 'usr/share/doc/slipway-host/copyright'],
]

/** The one file that a person changes. Updates keep it. */
export const OPTIONS = '/etc/slipway/options'

/** Lays out the root of a system with a staged host, which .deb and .rpm have in common. */
export async function stageSystem(host: string, system: string): Promise<string> {
  await cp(host, join(system, 'usr/lib/slipway'), { recursive: true })
  for (const [from, to] of FILES) {
    await mkdir(dirname(join(system, to)), { recursive: true })
    await copyFile(join(root, from), join(system, to))
  }
  return system
}
