import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { expect } from 'vitest'
import { guideExamples } from '../../../renderer/features/docs/examples/guide-examples'
import { FILENAME, test } from '../../support/example-host'
import { run } from '../../support/system/debian'

const root = join(import.meta.dirname, '../../..')
const modules = join(root, 'node_modules')
const compiler = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  target: 'es2024',
  module: 'nodenext',
  allowImportingTsExtensions: true,
  types: ['node'],
}

test('the typed client of the API page compiles and lists files', async ({ server, desk }) => {
  const file = (name: string) => join(desk.cwd, name)
  await symlink(modules, file('node_modules'))
  await writeFile(file('package.json'), '{ "type": "module" }')
  await writeFile(
    file('tsconfig.json'),
    JSON.stringify({ compilerOptions: compiler, files: ['list.ts'] }),
  )
  await writeFile(file('list.ts'), guideExamples.useTypes(server.url))
  const types = await openapiTS(pathToFileURL(join(root, 'docs/openapi.json')))
  await writeFile(file('slipway.ts'), astToString(types))

  await run(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', '.'], desk)
  const { stdout } = await run(process.execPath, ['list.ts'], desk)

  expect(stdout).toContain(FILENAME)
})
