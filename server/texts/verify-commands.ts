/** One command per system that checks a copy's SHA-256, with the filename quoted safely. */
export function verifyCommands(filename: string, sha256: string): { system: string; command: string }[] {
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

/** Quotes a text for the shells of Linux and macOS. */
export const posixQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** PowerShell treats typographic quotes as single quotes; doubling escapes each. */
const powerShellQuoted = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`
