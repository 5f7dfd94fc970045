import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** 1 on Ubuntu 23.10 and later: programs need a profile of AppArmor for a sandbox of Chromium. */
const RESTRICTED = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns'
const PROFILE = '/etc/apparmor.d/slipway-source'

/** The profile that lets this program have its sandbox, as the package of the app installs it. */
const profileOf = (program) => `abi <abi/4.0>,
include <tunables/global>

profile slipway-source "${program}" flags=(unconfined) {
  userns,
}
`

/**
 * What a person has to do before this system lets an Electron open its sandbox: lines to print.
 * Undefined where it can, or where we start it without one.
 */
export function sandboxAdvice(electron, restricted = RESTRICTED, profile = PROFILE) {
  if (process.platform !== 'linux' || process.getuid() === 0) return undefined
  if (!existsSync(restricted) || readFileSync(restricted, 'utf8').trim() !== '1') return undefined

  // Either of these lets it start.
  if (existsSync(profile) && readFileSync(profile, 'utf8').includes(`"${electron}"`))
    return undefined
  if (isSetuidRoot(join(dirname(electron), 'chrome-sandbox'))) return undefined

  return `To open the window here, allow its sandbox once, then run npm start again:

sudo tee ${profile} << 'END'
${profileOf(electron)}END
sudo apparmor_parser --replace ${profile}
`
}

function isSetuidRoot(path) {
  if (!existsSync(path)) return false
  const { uid, mode } = statSync(path)
  return uid === 0 && (mode & 0o4000) !== 0
}
