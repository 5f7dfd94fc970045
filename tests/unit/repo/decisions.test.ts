import { glob, readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const records = (await readdir(join(root, 'docs/decisions')))
  .filter((name) => /^\d{4}-/.test(name))
  .sort()
const read = (file: string) => readFile(join(root, file), 'utf8')

/** The title of a record, and the records that its second line says amend it. */
const HEAD = /^# 0*\d+[.:] (.+)\n\n_In force(?:\._|, amended by (.+)\._)\n/

test('the index lists every decision record by its title, with the records that amend it', async () => {
  const lines = records.map(async (name) => {
    const text = await read(`docs/decisions/${name}`)
    const [, title = `${name} says not whether it is in force`, amended] = HEAD.exec(text) ?? []
    const numbers = [...(amended ?? '').matchAll(/\[(\d+)\]/g)].map(([, number]) => number)
    const suffix = numbers.length > 0 ? ` (amended by ${numbers.join(', ')})` : ''
    return `- [${name.slice(0, 4)}](${name}) ${title}${suffix}`
  })

  const index = (await read('docs/decisions/README.md')).split('\n')
  const listed = index.filter((line) => line.startsWith('- ')).toSorted()
  expect(listed).toEqual(await Promise.all(lines))
})

test('every decision record that a file refers to exists', async () => {
  const missing: string[] = []
  for await (const file of glob(
    ['*.{md,yml}', 'docs/*.md', '{main,renderer,scripts,server}/**/*.{ts,tsx,mjs,md}'],
    {
      cwd: root,
    },
  )) {
    const names = [...(await read(file)).matchAll(/decisions\/(\d{4}-[a-z0-9-]+\.md)/g)].map(
      ([, name = '']) => name,
    )
    missing.push(
      ...names.filter((name) => !records.includes(name)).map((name) => `${file}: ${name}`),
    )
  }

  expect(missing).toEqual([])
})
