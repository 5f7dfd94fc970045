import { z } from 'zod'
import { formatWhole } from '../../../lib/texts/format'
import { locateParameter, type Operation } from './operations'
import { chooseSample, type Schema } from './samples'

export interface Parameter {
  name: string
  place: ReturnType<typeof locateParameter>
  required: boolean
  /** 'string, at most 100 characters' */
  type: string
  text: string
  example: unknown
}

/** The parameters of a call, from the schemas that the host validates with. */
export function parametersOf(operation: Operation): Parameter[] {
  const { input, headers, body } = operation.endpoint
  const inputs = describeFields(input, (name) => locateParameter(operation, name))
  const inHeaders = headers ? describeFields(headers, () => 'header') : []

  const file = {
    name: 'file',
    required: true,
    type: 'file',
    text: 'The bytes, with their filename',
    example: '',
  }
  if (body === 'multipart') return [{ ...file, place: 'form' }, ...inputs, ...inHeaders]

  return [
    ...inputs,
    ...(body === 'bytes' ? [{ ...file, place: 'body' } as const] : []),
    ...inHeaders,
  ]
}

function describeFields(
  fields: z.ZodObject,
  placeOfOne: (name: string) => Parameter['place'],
): Parameter[] {
  const schema = z.toJSONSchema(fields, { io: 'input', unrepresentable: 'any' }) as Schema
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    place: placeOfOne(name),
    required: schema.required?.includes(name) ?? false,
    type: typeText(property),
    text: property.description ?? '',
    example: chooseSample(name, property),
  }))
}

function typeText(schema: Schema): string {
  const kinds = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const kind =
    kinds.find(({ const: fixed, maxLength }) => fixed === undefined && maxLength !== 0) ??
    kinds[0] ??
    schema
  return [nameOf(kind), limits(kind), fallback(schema)].filter((part) => part !== '').join(', ')
}

function nameOf({ type, enum: choices, format, items }: Schema): string {
  if (items) return `list of ${nameOf(items)}`
  if (choices) return choices.map(String).join(' | ')
  if (format === 'uri') return 'web address'
  // The host coerces these inputs: numbers of the query, switches of a form.
  return [type ?? 'any'].flat().join(' or ')
}

function limits({ minimum, maximum, minLength = 0, maxLength, enum: choices }: Schema): string {
  if (choices) return ''
  const large = Number.MAX_SAFE_INTEGER
  if (minimum !== undefined && maximum !== undefined && maximum < large) {
    return `${formatWhole(minimum)} to ${formatWhole(maximum)}`
  }
  if (minimum !== undefined && minimum > -large) return `at least ${formatWhole(minimum)}`
  if (maxLength === undefined) return ''
  if (minLength > 1) return `${minLength} to ${formatWhole(maxLength)} characters`
  return `at most ${formatWhole(maxLength)} characters`
}

function fallback({ default: value }: Schema): string {
  if (value === undefined || value === '') return ''
  const text = Array.isArray(value) ? 'all of them' : JSON.stringify(value).replaceAll('"', '')
  return `${text} by default`
}
