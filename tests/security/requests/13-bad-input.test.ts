import { describe, expect } from 'vitest'
import type { z } from 'zod'
import { travelsInBody, type Endpoint } from '../../../server/contract'
import { calls, endpointOf, type Call } from '../../support/calls'
import { aSetting } from '../../support/refusals/families'
import { ask } from '../../support/access/ask'
import { test } from '../../support/world/http'
import { wrongValues } from '../support/wrong-values'

/** Any text in an address is looked up, and a link may carry any. */
const anyText = ['files.downloadPublic username', 'files.downloadExact username']
const ignored = ['from']
const isInPath = ({ path }: Endpoint, field: string) =>
  path.includes(`:${field}`) || path.includes(`*${field}`)
const isOtherPath = (endpoint: Endpoint, field: string, value: unknown) =>
  value === '' && isInPath(endpoint, field)
/** A form and an address carry text only. */
const textOnly = (endpoint: Endpoint, field: string) =>
  endpoint.body === 'multipart' || !travelsInBody(endpoint) || isInPath(endpoint, field)

/** Phrases of zod that only authors of schemas understand. */
const zodsOwn = /^(Invalid|Too|Unrecognized)\b|^$|expected|, received/

/** The field by its name, or what is wrong inside of it; and words for people. */
const refusal = (field: string) => ({
  status: 400,
  success: false,
  code: 'invalid_input',
  field: expect.stringMatching(new RegExp(`^${field}(\\.\\w+)*$`)),
  error: expect.not.stringMatching(zodsOwn),
})

/** The fields of a call that refuse some values, with their schemas. */
const fieldsOf = (call: Call) =>
  Object.entries(endpointOf(call).input.shape as Record<string, z.ZodType>).filter(
    ([name]) => !anyText.includes(`${call} ${name}`) && !ignored.includes(name),
  )

const isNeeded = (schema: z.ZodType) => !schema.safeParse(undefined).success

describe.each(Object.entries(Object.groupBy(calls, (call) => call.split('.')[0] ?? '')))(
  'every call of %s',
  (_feature, ofFeature = []) => {
    // No call changes anything, so that one host answers all of them.
    test('answers 400 to each field that is wrong or absent, and names it', async ({ server }) => {
      const { fetch, asking } = await aSetting(server, 'host')
      const inputOf = asking()
      for (const call of ofFeature) {
        const [input] = inputOf(call)
        const endpoint = endpointOf(call)
        for (const [field, schema] of fieldsOf(call)) {
          const values = wrongValues(field, schema).filter(
            (value) =>
              (!textOnly(endpoint, field) || typeof value === 'string') &&
              !isOtherPath(endpoint, field, value),
          )
          expect(values.length, `no wrong value for ${call} ${field}`).toBeGreaterThan(0)
          if (isNeeded(schema) && !isInPath(endpoint, field)) values.push(undefined)
          for (const value of values) {
            const response = await ask(fetch, call, { ...input, [field]: value })
            const reply = { status: response.status, ...((await response.json()) as object) }
            expect.soft([call, value, reply]).toEqual([call, value, refusal(field)])
          }
        }
      }
    })
  },
)
