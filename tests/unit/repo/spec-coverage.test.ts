import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

interface Row {
  item: string
  file: string
  name: string
}

/** The rows of docs/spec-coverage.md that name a test. */
async function readRows(): Promise<Row[]> {
  const text = await readFile(join(root, 'docs/spec-coverage.md'), 'utf8')
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| (Specification|---)/.test(line))
  return lines.map((line) => {
    const parts = /^\| (.+?) +\| `(.+?)` › (.+?) +\|$/.exec(line)
    if (!parts) throw new Error(`Not a row of the table: ${line}`)
    const [, item = '', file = '', name = ''] = parts
    return { item, file, name }
  })
}

test('every row of the table names a test that exists', async () => {
  const rows = await readRows()
  const sources = new Map<string, string>()
  for (const { file } of rows)
    sources.set(file, await readFile(join(root, file), 'utf8').catch(() => ''))
  const missing = rows.filter(({ file, name }) => {
    const source = sources.get(file) ?? ''
    return !["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote},`))
  })

  expect(missing).toEqual([])
  expect(rows.length).toBeGreaterThan(150)
})

test('every section of the specification that asks for something has rows', async () => {
  const text = await readFile(join(root, 'docs/spec-coverage.md'), 'utf8')
  const sections = [...text.matchAll(/^## (\d)/gm)].map(([, number]) => Number(number))

  expect([...new Set(sections)]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
})
