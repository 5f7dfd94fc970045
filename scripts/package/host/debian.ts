import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addresses } from '../addresses'
import { shell } from './archive'
import { CREATE_ACCOUNT, END_DRAINING, INTRODUCE, TELL_KEPT } from './service'
import { manifest, packageVersion, setTimes } from './stage'
import { OPTIONS } from './system'

/** What the official Node 24 needs. `useradd` is of passwd, `runuser` of util-linux. */
const DEPENDS = 'libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 8), passwd, util-linux'

/** Enables and starts the units, and keeps disabled what the administrator has disabled. */
const POSTINST = `#!/bin/sh
set -e
case "$1" in configure | abort-remove) ;; *) exit 0 ;; esac

${CREATE_ACCOUNT}

for unit in slipway.socket slipway.service; do
  if deb-systemd-helper --quiet was-enabled "$unit"; then
    deb-systemd-helper enable "$unit" > /dev/null
  else
    deb-systemd-helper update-state "$unit" > /dev/null
  fi
done

if [ ! -d /run/systemd/system ]; then
  [ -n "$2" ] || echo 'There is no systemd here. Start a host by: slipway serve'
  exit 0
fi

systemctl daemon-reload
if systemctl --quiet is-active slipway.service; then
  # The socket keeps the port meanwhile.
  systemctl restart slipway.service
else
  deb-systemd-invoke start slipway.socket slipway.service
fi

[ -n "$2" ] || ${INTRODUCE}
`

const PRERM = `#!/bin/sh
set -e
[ "$1" = remove ] && [ -d /run/systemd/system ] || exit 0
deb-systemd-invoke stop slipway.socket slipway.service
${END_DRAINING}
`

const POSTRM = `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
[ "$1" = purge ] || exit 0
if command -v deb-systemd-helper > /dev/null; then
  deb-systemd-helper purge slipway.socket slipway.service > /dev/null
fi
${TELL_KEPT}
`

/**
 * Packs the root of a system as .deb for an architecture of Debian, and returns the path. Adds a
 * folder to that root.
 */
export async function packDebian(
  system: string,
  out: string,
  architecture: string,
  time: number,
): Promise<string> {
  const { version, description } = manifest
  const { homepage, maintainer } = addresses()
  const control = [
    `Package: slipway-host`,
    `Version: ${packageVersion}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${maintainer}`,
    `Depends: ${DEPENDS}`,
    // The desktop app brings a host of its own, and the same command.
    `Conflicts: slipway`,
    `Section: net`,
    `Priority: optional`,
    ...(homepage === undefined ? [] : [`Homepage: ${homepage}`]),
    `Description: Slipway as a service: ${description}`,
  ]

  const folder = join(system, 'DEBIAN')
  const files = {
    control: `${control.join('\n')}\n`,
    conffiles: `${OPTIONS}\n`,
    postinst: POSTINST,
    prerm: PRERM,
    postrm: POSTRM,
  }
  await mkdir(folder)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  await setTimes(folder, time)

  const path = join(out, `slipway-host_${version}_${architecture}.deb`)
  await shell('dpkg-deb --root-owner-group -Zxz --build "$1" "$2"', [system, path], {
    SOURCE_DATE_EPOCH: String(time),
  })
  return path
}
