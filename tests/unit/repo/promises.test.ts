import { readFile, readdir } from 'node:fs/promises'
import { join, matchesGlob } from 'node:path'
import { beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')
const NUMBERS = Array.from({ length: 49 }, (_, index) => index + 1)
const NUMBERED = /^(?:api|faults|security)\/[a-z-]+\/(\d\d)-/

let text = ''
/** Every test file, below tests/ and without its ending. */
let tests: string[] = []

beforeAll(async () => {
  text = await readFile(join(root, 'docs/promises.md'), 'utf8')
  const files = await readdir(join(root, 'tests'), { recursive: true })
  tests = files
    .filter((file) => /\.(test|spec)\.ts$/.test(file))
    .map((file) => file.replaceAll('\\', '/'))
})

const nameOf = (file: string) => file.replace(/(\.full)?\.(test|spec)\.ts$/, '')
const numberOf = (file: string) => Number(NUMBERED.exec(file)?.[1] ?? NaN)

/** The numbered rows, in order. */
const rows = () =>
  [...text.matchAll(/^\| \*\*(\d+)\.\*\*(.*)$/gm)].map(([, number, row = '']) => ({
    number: Number(number),
    row,
  }))

/** The tests that a text names, as patterns. */
const named = (row: string) =>
  [...row.matchAll(/`((?:api|desktop|faults|security|ui|unit)\/[^`]+)`/g)].map(([, it = '']) => it)

test('the promises are numbered in order', () => {
  expect(rows().map(({ number }) => number)).toEqual(NUMBERS)
})

test.each(NUMBERS)('promise %i has a test of its number that runs every time', (number) => {
  const own = tests.filter((file) => numberOf(file) === number)

  expect(own.filter((file) => !file.includes('.full.'))).not.toEqual([])
})

test('every numbered test belongs to a promise, whose row names it', () => {
  const unnamed = tests.filter((file) => {
    if (Number.isNaN(numberOf(file))) return false
    const row = rows().find(({ number }) => number === numberOf(file))?.row ?? ''
    return !named(row).some((pattern) => matchesGlob(nameOf(file), pattern))
  })

  expect(unnamed).toEqual([])
})

test('every test that is named exists', () => {
  const missing = named(text).filter(
    (pattern) => !tests.some((file) => matchesGlob(nameOf(file), pattern)),
  )

  expect(named(text).length).toBeGreaterThan(29)
  expect(missing).toEqual([])
})
