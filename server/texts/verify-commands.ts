import { posixQuoted } from '../contract/shell-quote'

/** Commands that check the SHA-256 of a copy, one per system, with the filename quoted safely. */
export function verifyCommands(
  filename: string,
  sha256: string,
): { system: string; command: string }[] {
  const list = `printf '%s  %s\\n' ${sha256} ${posixQuoted(filename)}`

  return [
    { system: 'macOS', command: `${list} | shasum -a 256 -c` },
    { system: 'Linux', command: `${list} | sha256sum -c` },
    {
      system: 'Windows (PowerShell)',
      command: `(Get-FileHash -LiteralPath ${powerShellQuoted(filename)}).Hash -eq '${sha256}'`,
    },
  ]
}

/**
 * Commands that check where the files of a release come from. `address`: of the project;
 * `publicKey`: of minisign. Both work in the folder of the files.
 */
export function proofCommands(
  address: string,
  version: string,
  publicKey: string,
): { tool: string; command: string }[] {
  const file = (path: string) => `-O ${posixQuoted(`${address}/feeds/${path}`)}`
  const proof = (name: string) =>
    file(`proof/${encodeURIComponent(version.toWellFormed())}/${name}`)

  return [
    {
      tool: 'minisign',
      command:
        `curl -fsS ${proof('MANIFEST')} ${proof('MANIFEST.minisig')} && minisign -Vm MANIFEST ` +
        `-P ${publicKey}`,
    },
    {
      tool: 'gpgv',
      command:
        `curl -fsS ${proof('SHA256SUMS')} ${proof('SHA256SUMS.asc')} ` +
        `${file('keys/slipway.gpg')} && gpgv --keyring ./slipway.gpg SHA256SUMS.asc SHA256SUMS ` +
        '&& sha256sum -c --ignore-missing SHA256SUMS',
    },
  ]
}

/** PowerShell treats typographic quotes as single quotes; doubling escapes each. */
const powerShellQuoted = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`
