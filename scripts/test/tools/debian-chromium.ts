import { writeFile } from 'node:fs/promises'
import { capture } from '../tool'
import { unpackInto } from './unpacked'

const PACKAGE = 'chromium-headless-shell'

/** The oldest or newest Chromium of Debian's mirrors, unpacked beside what is installed. Throws where there is none. */
export async function unpackChromium(which: 'oldest' | 'newest'): Promise<string> {
  const { output } = await capture('apt-cache', ['madison', PACKAGE])
  const versions = [...output.matchAll(/\| *(\S+) *\|/g)].map(([, version = '']) => version)
  // Newest first.
  const version = which === 'newest' ? versions[0] : versions.at(-1)
  if (version === undefined) throw new Error(`apt-cache lists no ${PACKAGE}: run apt-get update`)

  const names = [PACKAGE, 'chromium-common'].map((name) => `${name}=${version}`)
  const { file, env } = await unpackInto(`${PACKAGE}-${version}`, names)

  const program = file('usr/lib/chromium/chromium-headless-shell')
  const launcher = `${program}.sh`
  await writeFile(launcher, `#!/bin/sh\nLD_LIBRARY_PATH='${env.LD_LIBRARY_PATH}' exec '${program}' "$@"\n`, {
    mode: 0o755,
  })
  return launcher
}
