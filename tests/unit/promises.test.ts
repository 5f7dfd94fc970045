import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const NUMBERS = Array.from({ length: 25 }, (_, index) => index + 1)

/** The test files of the numbered promises, by number. */
async function testsByNumber(): Promise<Map<number, string[]>> {
  const byNumber = new Map<number, string[]>()
  for (const folder of ['tests/faults', 'tests/security']) {
    for (const name of await readdir(join(root, folder))) {
      const number = Number(/^(\d\d)-[a-z0-9-]+(?:\.full)?\.(?:test|spec)\.ts$/.exec(name)?.[1] ?? NaN)
      if (!Number.isNaN(number)) byNumber.set(number, [...(byNumber.get(number) ?? []), `${folder}/${name}`])
    }
  }
  return byNumber
}

/** The numbers that docs/promises.md explains, each with what its row says. */
async function rowsByNumber(): Promise<Map<number, string>> {
  const text = await readFile(join(root, 'docs/promises.md'), 'utf8')
  return new Map([...text.matchAll(/^\| \*\*(\d+)\.\*\*(.*)$/gm)].map(([, number, row = '']) => [Number(number), row]))
}

test.each(NUMBERS)('promise %i has a test of its number that runs every time', async (number) => {
  const tests = (await testsByNumber()).get(number) ?? []

  expect(tests.filter((file) => !file.includes('.full.'))).not.toEqual([])
})

test.each(NUMBERS)('promise %i is explained, beside every test of its number', async (number) => {
  const row = (await rowsByNumber()).get(number) ?? ''

  for (const file of (await testsByNumber()).get(number) ?? []) expect(row).toContain(`\`${file}\``)
})

test('every test that is named exists', async () => {
  const text = await readFile(join(root, 'docs/promises.md'), 'utf8')
  const named = [...text.matchAll(/`(tests\/[^`]+\.ts)`/g)].map(([, file = '']) => file)

  expect(named.length).toBeGreaterThan(25)
  for (const file of named) await expect(readFile(join(root, file), 'utf8'), file).resolves.not.toBe('')
})

test('the rows are in their order', async () => {
  expect([...(await rowsByNumber()).keys()]).toEqual(NUMBERS)
})
