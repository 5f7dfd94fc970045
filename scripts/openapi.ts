import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { exportSchema } from '../server/contract/export-format'
import { openapi } from './openapi/document'

const root = join(import.meta.dirname, '..')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
  version: string
}

/**
 * `npm run openapi` writes the files generated from the contract; `--check` fails if a committed
 * one differs.
 */
const generated = {
  'docs/openapi.json': openapi(version),
  'docs/export.schema.json': z.toJSONSchema(exportSchema),
}

for (const [name, content] of Object.entries(generated)) {
  const text = `${JSON.stringify(content, null, 2)}\n`
  const file = join(root, name)

  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if (text !== (await readFile(file, 'utf8').catch(() => ''))) {
    console.error(`${name} differs from the contract: run \`npm run openapi\` and commit it.`)
    process.exitCode = 1
  }
}
