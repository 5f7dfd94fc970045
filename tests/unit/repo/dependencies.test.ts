import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

type Names = Record<string, string>

test('docs/dependencies.md has a row for each package, and for no other', async () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(
    await readFile('package.json', 'utf8'),
  ) as {
    dependencies: Names
    optionalDependencies: Names
    devDependencies: Names
  }
  const page = await readFile('docs/dependencies.md', 'utf8')
  const [, ...sections] = page.split(/^## /m)
  const rows = sections.map((section) =>
    [...section.matchAll(/^\| `([^`]+)` /gm)].map(([, name]) => name),
  )

  expect(rows.slice(0, 3)).toEqual(
    [dependencies, optionalDependencies, devDependencies].map((names) => Object.keys(names)),
  )
})
