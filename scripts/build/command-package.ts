import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Puts the command for other machines where the host serves it: `cli.mjs` for `node`, `cli.tgz` for
 * `npx`, and their digests for `sha256sum -c`. Each host serves its own, so that the command fits
 * its host.
 */
export async function packCommand(bundle: string, folder: string): Promise<void> {
  const { version, license } = JSON.parse(await readFile('package.json', 'utf8')) as Record<
    string,
    string
  >

  const packed = await mkdtemp(join(tmpdir(), 'slipway-command-'))
  try {
    await copyFile(bundle, join(packed, 'cli.mjs'))
    await chmod(join(packed, 'cli.mjs'), 0o755)

    const manifest = {
      name: 'slipway',
      version,
      license,
      type: 'module',
      bin: { slipway: 'cli.mjs' },
    }
    await writeFile(
      join(packed, 'package.json'),
      JSON.stringify({ ...manifest, engines: { node: '>=20' } }, null, 2),
    )

    await npm(['pack', '--silent'], packed)
    await rename(join(packed, `slipway-${version}.tgz`), join(packed, 'cli.tgz'))

    let digests = ''
    for (const name of ['cli.mjs', 'cli.tgz']) {
      await copyFile(join(packed, name), join(folder, name))
      digests += `${createHash('sha256')
        .update(await readFile(join(packed, name)))
        .digest('hex')}  ${name}\n`
    }

    await writeFile(join(folder, 'cli.sha256'), digests)
  } finally {
    await rm(packed, { recursive: true })
  }
}

async function npm(args: string[], cwd: string): Promise<void> {
  const own = process.env['npm_execpath']
  if (own !== undefined) await run(process.execPath, [own, ...args], { cwd })
  else await run('npm', args, { cwd, shell: process.platform === 'win32' })
}
