import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tool } from '../../../scripts/test/tool'
import { needTools } from '../../support/system/debian'

/** The repository of these packages. */
export const REPOSITORY = 'https://github.com/someone/slipway'

const X64 = ['linux-x64', 'win-x64']

/** Packages the built host into a folder, by default for x64. Returns what it prints. */
export async function packageHost(
  folder: string,
  targets: readonly string[] = X64,
): Promise<string> {
  const args = ['scripts/package-host.ts', '--out', folder, ...targets]
  const { code, output } = await tool('tsx', args, { SLIPWAY_REPOSITORY: REPOSITORY })
  if (code !== 0) throw new Error(output)
  return output
}

/**
 * The packages that all tests install, in a folder that SLIPWAY_TEST_PACKAGES names. It may name
 * those of a release.
 */
export default async function buildPackages(): Promise<(() => Promise<void>) | undefined> {
  await needTools('rpmbuild', 'zip', 'debootstrap', 'curl')
  if (process.env['SLIPWAY_TEST_PACKAGES'] !== undefined) return undefined

  const folder = await mkdtemp(join(tmpdir(), 'slipway-packages-'))
  process.env['SLIPWAY_TEST_PACKAGES'] = folder
  await packageHost(folder)
  return () => rm(folder, { recursive: true })
}
