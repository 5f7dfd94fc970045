import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { capture } from '../tool'
import type { Found } from './found'
import { fetchPackage, type NpmPackage } from './npm-package'

/** A headless shell for Linux x64 with the libraries and fonts that a bare system lacks. */
const pinned: NpmPackage = {
  name: '@sparticuz/chromium',
  version: '153.0.0',
  integrity:
    'jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
}

/**
 * Starts the browser with its own libraries and fonts, so that pages look alike on every machine.
 */
const LAUNCHER = `#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/headless-shell" "$@"
`

const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`

const decompress = promisify(brotliDecompress)

/**
 * The browser of the page tests: the same version on each machine with Linux x64. Returns undefined
 * elsewhere.
 */
export async function findPinnedChromium(): Promise<Found | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const fetched = await fetchPackage(pinned, prepare)
  return 'missing' in fetched ? fetched : { path: join(fetched.path, 'chromium') }
}

/** Unpacks compressed files in the package's folder, and removes the archives. */
async function prepare(folder: string): Promise<void> {
  const bin = join(folder, 'bin')
  const read = async (name: string) => decompress(await readFile(join(bin, `${name}.br`)))
  await writeFile(join(folder, 'headless-shell'), await read('chromium'), { mode: 0o755 })

  for (const name of ['al2023.tar', 'fonts.tar', 'swiftshader.tar']) {
    const archive = join(folder, name)
    await writeFile(archive, await read(name))
    await capture('tar', ['-xf', archive, '-C', folder])
    await rm(archive)
  }

  await writeFile(join(folder, 'fonts.conf'), FONTS)
  await writeFile(join(folder, 'chromium'), LAUNCHER, { mode: 0o755 })
  await rm(bin, { recursive: true })
}
