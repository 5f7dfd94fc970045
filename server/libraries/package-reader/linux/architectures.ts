/** The names that Debian and RPM give to the processors of the contract. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['amd64', 'x64'],
  ['x86_64', 'x64'],
  ['i386', 'x86'],
  ['i486', 'x86'],
  ['i586', 'x86'],
  ['i686', 'x86'],
  ['arm64', 'arm64'],
  ['aarch64', 'arm64'],
  ['armel', 'arm'],
  ['armhf', 'arm'],
  ['armhfp', 'arm'],
  ['armv6hl', 'arm'],
  ['armv7hl', 'arm'],
  ['armv7l', 'arm'],
])
const ANY = new Set(['all', 'noarch', 'any', ''])

/**
 * Maps a Linux package architecture to the contract's names. Returns none for packages of any
 * processor, and keeps unknown names.
 */
export const architecturesOf = (name: string): string[] =>
  ANY.has(name) ? [] : [NAMES.get(name) ?? name]
