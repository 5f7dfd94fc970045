import { expect, test } from 'vitest'
import { z } from 'zod'
import { exportSchema } from '../../../server/contract/export-format'
import { calls, endpointOf } from '../../support/calls'
import { processorTime, slowness } from '../../support/system/processor-time'

/** What one text may take of the thread that serves everyone, in ms: JSON may have four of them. */
const MOST_MS = 25
const LENGTH = 64_000

const long = (text: string) => text.repeat(LENGTH / text.length)

/** Slow to check where each character is compared with all that follow it. */
const TEXTS = [
  `a${long('\u0300').slice(LENGTH / 2)}${long('\u0316').slice(LENGTH / 2)}`,
  `a@${long('.')}@`,
  `https://${long('a.')}`,
  ...['a', '.', '-', '/', ' ', '\t', '\n', '1', ','].map((text) => `${long(text)}!`),
  ...['a-', 'a.', 'a/', 'a,', '1.', 'a ', 'a@', '%2'].map((text) => `${long(text)}!`),
]

type JsonSchema = z.core.JSONSchema.BaseSchema

/** Values of this form, each with the text in one of the places that take a text. */
function* valuesWith(text: string, schema: JsonSchema): Generator {
  if (isFixed(schema)) return
  const { type, items, additionalProperties } = schema
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  if (type === 'string' || (type === undefined && forms.length === 0)) yield text

  for (const form of forms) yield* valuesWith(text, form)
  if (type === 'array') for (const item of valuesWith(text, items as JsonSchema)) yield [item]
  if (typeof additionalProperties === 'object')
    for (const value of valuesWith(text, additionalProperties)) yield { key: value }

  // These say which form an object has.
  const fixed = properties.filter(([, property]) => property.const !== undefined)
  const kinds = Object.fromEntries(fixed.map(([name, property]) => [name, property.const]))
  for (const [name, property] of properties)
    for (const value of valuesWith(text, property)) yield { ...kinds, [name]: value }
}

const isFixed = (schema: JsonSchema) => schema.const !== undefined || schema.enum !== undefined

test('no text takes long to check, wherever it is sent', async () => {
  const inputs = calls.map((call) => [call, endpointOf(call).input] as const)
  let places = 0
  for (const [what, schema] of [...inputs, ['an export', exportSchema] as const]) {
    const slow: string[] = []
    const form = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
    for (const text of TEXTS)
      for (const value of valuesWith(text, form)) {
        places++
        const check = () => schema.safeParse(value)
        if ((await processorTime(check)) <= MOST_MS) continue
        // Something else may have slowed the first one down.
        if ((await processorTime(check)) > MOST_MS * (await slowness()))
          slow.push(JSON.stringify(value).slice(0, 80))
      }
    expect([what, ...slow]).toEqual([what])
  }

  expect(places / TEXTS.length).toBeGreaterThan(400)
})
