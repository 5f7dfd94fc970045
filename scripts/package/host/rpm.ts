import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addresses } from '../addresses'
import { shell } from './archive'
import { CREATE_ACCOUNT, END_DRAINING, TELL_KEPT } from './service'
import { manifest, packageVersion } from './stage'
import { OPTIONS } from './system'

/** Fedora and SUSE let the administrator start services. */
const INTRODUCE = `cat << 'END'
Start Slipway: sudo systemctl enable --now slipway.socket slipway
For HTTPS and backups, see /usr/lib/slipway/deploy.md
END`

/** Neither strips Node, nor looks into it for libraries, nor records the machine and the moment. */
const HEAD = `%global __os_install_post %{nil}
%global _build_id_links none
%global _buildhost slipway
%global _binary_payload w12.zstdio
%global use_source_date_epoch_as_buildtime 1
%global clamp_mtime_to_source_date_epoch 1
Name: slipway-host
Version: ${packageVersion}
Release: 1
Summary: Slipway as a service
License: ${manifest.license}
AutoReqProv: no
Requires: glibc >= 2.28, libstdc++, util-linux
Requires(pre): shadow-utils
Conflicts: slipway
`

const BODY = `
%description
${manifest.description}

%install
cp -a %{system}/. %{buildroot}

%pre
${CREATE_ACCOUNT}

%post
[ -d /run/systemd/system ] || exit 0
systemctl daemon-reload
[ "$1" = 1 ] || exit 0
systemctl preset slipway.socket slipway.service
${INTRODUCE}

%preun
[ "$1" = 0 ] && [ -d /run/systemd/system ] || exit 0
systemctl disable --now slipway.socket slipway.service
${END_DRAINING}

%postun
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
if [ "$1" = 0 ]; then
  ${TELL_KEPT}
elif [ -d /run/systemd/system ]; then
  systemctl try-restart slipway.service
fi

%files
%defattr(-,root,root,-)
/usr/bin/slipway
/usr/lib/slipway
/usr/lib/systemd/system/slipway.*
/usr/share/doc/slipway-host
%dir /etc/slipway
%config(noreplace) ${OPTIONS}
`

const BUILD = `rpmbuild -bb --quiet --target "$1-linux" --define "system $2" \
  --define "_topdir $3" --define "_rpmdir $3" --define "_rpmfilename slipway-host.rpm" \\
  "$3/host.spec"`

/** Packs the root of a system as .rpm for an architecture of RPM, and returns the path. */
export async function packRpm(
  system: string,
  out: string,
  architecture: string,
  time: number,
): Promise<string> {
  const { homepage } = addresses()
  const url = homepage === undefined ? '' : `URL: ${homepage}\n`
  const path = join(out, `slipway-host-${manifest.version}-1.${architecture}.rpm`)

  const work = await mkdtemp(join(tmpdir(), 'slipway-rpm-'))
  try {
    await writeFile(join(work, 'host.spec'), HEAD + url + BODY)
    await shell(BUILD, [architecture, system, work], { SOURCE_DATE_EPOCH: String(time) })
    await rename(join(work, 'slipway-host.rpm'), path)
    return path
  } finally {
    await rm(work, { recursive: true })
  }
}
