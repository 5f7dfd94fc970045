import { expect, test } from 'vitest'
import { z } from 'zod'
import { openapi } from '../../../scripts/openapi/document'
import { api, type Endpoint } from '../../../server/contract'

interface Operation {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; required: boolean }[]
  requestBody?: { content: Record<string, { schema: { properties: object; required?: string[] } }> }
  responses: Record<
    string,
    { description: string; content: Record<string, { schema: Record<string, unknown> }> }
  >
}

const document = openapi('1.2.3')
const endpoints = Object.values(api).flatMap((feature) => Object.values<Endpoint>(feature))

const operation = (method: string, path: string) => document.paths[path]?.[method] as Operation

test('every endpoint of the contract is one operation', () => {
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path),
  ) as Operation[]
  const ids = operations.map(({ operationId }) => operationId)

  expect(endpoints.length).toBeGreaterThan(30)
  expect(ids).toHaveLength(endpoints.length)
  expect(new Set(ids)).toHaveLength(endpoints.length)
})

test('separates the parameters of the path, the query and the body', () => {
  const list = operation('get', '/api/projects/{id}/feed')
  const update = operation('put', '/api/files/{id}/visibility')

  expect(
    list.parameters.map((parameter) => [parameter.name, parameter.in, parameter.required]),
  ).toEqual([
    ['id', 'path', true],
    ['limit', 'query', false],
    ['offset', 'query', false],
  ])
  expect(update.parameters.map(({ name }) => name)).toEqual(['id'])
  expect(Object.keys(update.requestBody!.content['application/json']!.schema.properties)).toEqual([
    'is_public',
  ])
})

test('every input has a description, and examples that the contract accepts', () => {
  const problems = endpoints.flatMap(({ method, path, input, headers }) =>
    Object.entries<z.ZodType>({ ...input.shape, ...headers?.shape }).flatMap(([name, schema]) => {
      const { description, examples = [] } = z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
      })
      const rejected = examples.filter((example) => !schema.safeParse(example).success)
      return description !== undefined && rejected.length === 0
        ? []
        : [{ method, path, name, description, rejected }]
    }),
  )
  expect(problems).toEqual([])
})

test('an upload is multipart with a binary file', () => {
  const { schema } = operation('post', '/api/files/upload').requestBody!.content[
    'multipart/form-data'
  ]!

  expect(schema.required).toEqual(['file'])
  expect(schema.properties).toMatchObject({ file: { type: 'string', format: 'binary' } })
})

test('the security of each operation says who may call it', () => {
  expect(operation('get', '/api/files/public').security).toContainEqual({})
  expect(operation('get', '/api/files/my-files').security).toEqual([
    { session: [] },
    { apiKey: [] },
  ])
  expect(operation('get', '/api/auth/api-keys').security).toEqual([{ session: [] }])
})
