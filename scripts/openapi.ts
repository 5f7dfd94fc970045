import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openapi } from './openapi/document'

const root = join(import.meta.dirname, '..')
const file = join(root, 'docs/openapi.json')

/** `npm run openapi` writes docs/openapi.json; with `--check` it fails when the committed file differs. */
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
const text = `${JSON.stringify(openapi(version), null, 2)}\n`

if (!process.argv.includes('--check')) await writeFile(file, text)
else if (text !== (await readFile(file, 'utf8').catch(() => ''))) {
  console.error('docs/openapi.json differs from the contract: run `npm run openapi` and commit it.')
  process.exitCode = 1
}
