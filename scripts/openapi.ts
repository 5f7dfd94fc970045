import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapi } from './openapi/document'

const root = join(import.meta.dirname, '..')
const name = 'docs/openapi.json'

/**
 * `npm run openapi` writes the file generated from the contract; `--check` fails if the committed
 * one differs.
 */
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  version: string
}
const text = `${JSON.stringify(openapi(version), null, 2)}\n`
const file = join(root, name)

if (!process.argv.includes('--check')) await writeFile(file, text)
else if (text !== (await readFile(file, 'utf8').catch(() => ''))) {
  console.error(`${name} differs from the contract: run \`npm run openapi\` and commit it.`)
  process.exitCode = 1
}
