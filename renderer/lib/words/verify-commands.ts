/** One line for each system that says whether a copy has this SHA-256. Whatever the name is, it stays a name. */
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

const posixQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** PowerShell takes the typographic quotes for single quotes too; doubled, each is itself. */
const powerShellQuoted = (text: string) => `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`
