import { describe, expect, test } from 'vitest'
import { writeExample, languages } from '../../../renderer/features/docs/examples/examples'
import { groups, operations } from '../../../renderer/features/docs/examples/operations'
import { parametersOf } from '../../../renderer/features/docs/examples/parameters'
import { replyOf } from '../../../renderer/features/docs/examples/samples'
import { groupTitles, statusTexts } from '../../../renderer/features/docs/texts'
import { api, errorStatus } from '../../../server/contract'

const base = 'http://192.168.1.20:4780'
const named = (anchor: string) => operations.find((operation) => operation.anchor === anchor)!

test('every group, input and status has a text', () => {
  expect(Object.keys(groupTitles).sort()).toEqual(Object.keys(api).sort())
  expect(groups.flatMap((group) => group.operations)).toHaveLength(operations.length)
  const untold = operations.flatMap((operation) =>
    parametersOf(operation)
      .filter(({ text }) => text === '')
      .map(({ name }) => `${operation.anchor}: ${name}`),
  )
  expect(untold).toEqual([])
  expect(Object.values(errorStatus).filter((status) => !(status in statusTexts))).toEqual([])
})

test('anchors are unique', () => {
  expect(new Set(operations.map(({ anchor }) => anchor)).size).toBe(operations.length)
})

describe.each(operations.map((operation) => [operation.anchor, operation] as const))(
  '%s',
  (_, operation) => {
    test('has an example in each language, with the address of this host and nothing left open', () => {
      for (const language of languages) {
        const example = writeExample(operation, base, language)
        expect(example).toContain(base)
        expect(example).not.toMatch(/undefined|\[object|\/:\w/)
      }
    })

    test('has a reply that is JSON', () => {
      const reply = JSON.parse(replyOf(operation.endpoint)) as object
      expect(reply).toMatchObject({ success: true })
      const issues = operation.endpoint.reply.safeParse(reply).error?.issues ?? []
      expect(issues.filter(({ code }) => code === 'invalid_type')).toEqual([])
    })
  },
)

test('shows the limits of the contract', () => {
  const types = Object.fromEntries(
    parametersOf(named('api-keys-create')).map(({ name, type }) => [name, type]),
  )
  expect(types).toMatchObject({
    name: 'string, at most 100 characters',
    expires_days: 'integer, 1 to 36,500',
    scopes: 'list of read | upload | manage | report, all of them by default',
  })
  const list = parametersOf(named('files-list-public')).find(({ name }) => name === 'limit')
  expect(list?.place).toBe('query')
})

test('an upload is a form with a file', () => {
  expect(writeExample(named('files-upload'), base, 'curl')).toContain('-F "file=@')
  expect(writeExample(named('files-upload'), base, 'JavaScript')).toContain(
    "form.set('file', await openAsBlob(",
  )
  expect(writeExample(named('files-upload'), base, 'Python')).toContain('files={"file": open(')
})
