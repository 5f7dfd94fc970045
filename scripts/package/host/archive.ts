import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { capture } from '../../test/tool'
import type { Target } from './stage'

/**
 * Runs a line of the shell with these arguments, and throws its output if it fails. The order of
 * names and the time zone are the same on every machine.
 */
export async function shell(
  line: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { code, output } = await capture('sh', ['-euc', line, 'sh', ...args], {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...env,
  })
  if (code !== 0) throw new Error(output)
}

const TAR = `tar --create --sort=name --owner=0 --group=0 --numeric-owner --format=gnu \
  --directory "$1" "$2" | gzip --best --no-name > "$3"`
const ZIP = `cd "$1"; find "$2" | sort | zip -X -9 -q "$3" -@`

/** Packs a folder as .tar.gz, for Windows as .zip, and returns the path. */
export async function packArchive(folder: string, out: string, { name }: Target): Promise<string> {
  const isWindows = name === 'win-x64'
  const path = join(out, `${basename(folder)}.${isWindows ? 'zip' : 'tar.gz'}`)
  // zip adds to an archive that is there.
  await rm(path, { force: true })
  await shell(isWindows ? ZIP : TAR, [dirname(folder), basename(folder), path])
  return path
}
