import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapi } from './openapi/document'
import { permissionsPage } from './permissions/document'

const root = join(import.meta.dirname, '..')

/**
 * `npm run openapi` writes the files generated from contract and policies; `--check` fails if the committed ones
 * differ.
 */
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const made: Record<string, string> = {
  'docs/openapi.json': `${JSON.stringify(openapi(version), null, 2)}\n`,
  'docs/permissions.md': permissionsPage(),
}

for (const [name, text] of Object.entries(made)) {
  const file = join(root, name)
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if (text !== (await readFile(file, 'utf8').catch(() => ''))) {
    console.error(`${name} differs from the contract and the policies: run \`npm run openapi\` and commit it.`)
    process.exitCode = 1
  }
}
