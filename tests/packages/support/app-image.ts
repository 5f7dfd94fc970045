import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onPath } from '../../../scripts/test/tools/debian'
import { packageApp } from '../../support/desktop/app/packaged'

/** Where the file system of an AppImage begins, in bytes. */
const OFFSET = 4096

/**
 * Stands in for the runtime of AppImages, which Debian lacks: unpacks the file system behind it,
 * instead of mounting it.
 */
const RUNTIME = `#!/bin/sh
export APPIMAGE="$(readlink -f "$0")" APPDIR="$(mktemp -d)"
unsquashfs -quiet -no-progress -force -dest "$APPDIR" -offset ${OFFSET} "$APPIMAGE" > /dev/null
"$APPDIR/AppRun" "$@"
code=$?
rm -rf "$APPDIR"
exit $code
`

/** The tools that electron-builder would download, in the layout that it expects. */
async function toolsIn(folder: string): Promise<string> {
  for (const name of ['runtimes', 'lib/x64']) await mkdir(join(folder, name), { recursive: true })
  await writeFile(join(folder, 'runtimes/runtime-x64'), RUNTIME.padEnd(OFFSET, '\n'))
  await symlink(onPath('mksquashfs') ?? '', join(folder, 'mksquashfs'))
  await writeFile(join(folder, 'desktop-file-validate'), '#!/bin/sh\n')
  await chmod(join(folder, 'desktop-file-validate'), 0o755)
  return folder
}

/**
 * Packages this version of the app as an AppImage, and returns all files that a release of it has:
 * the AppImage first, then its signed feed.
 */
export async function packageAppImage(
  folder: string,
  version: string,
  signingKey: string,
): Promise<[appImage: string, ...feed: string[]]> {
  const tools = { APPIMAGE_TOOLS_PATH: await toolsIn(join(folder, 'tools')) }
  const options = [`-c.extraMetadata.version=${version}`, '-c.compression=store']
  await packageApp(folder, signingKey, { target: 'AppImage', options, tools })
  const names = [`Slipway-${version}-linux-x86_64.AppImage`, 'latest-linux.yml']
  const [appImage = '', feed = ''] = names.map((name) => join(folder, name))
  return [appImage, feed, `${feed}.sig`]
}
