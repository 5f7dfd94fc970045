import { z } from 'zod'
import { formatWhole } from '../../lib/format'
import { placeOf, type Operation } from './operations'
import { inputTexts } from './texts'

export interface Parameter {
  name: string
  place: ReturnType<typeof placeOf>
  required: boolean
  /** 'string, at most 100 characters' */
  type: string
  text: string
}

/** The part of JSON Schema that our inputs use. */
export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  default?: unknown
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** What a call takes, from the schema that the host checks it with. */
export function parametersOf(operation: Operation): Parameter[] {
  const { endpoint, group } = operation
  const schema = z.toJSONSchema(endpoint.input, { io: 'input', unrepresentable: 'any' }) as Schema
  const parameters = Object.entries(schema.properties ?? {}).map(([name, described]) => ({
    name,
    place: placeOf(operation, name),
    required: schema.required?.includes(name) ?? false,
    type: typeText(described),
    text: inputTexts[`${group}.${name}`] ?? inputTexts[name] ?? '',
  }))
  if (endpoint.body !== 'multipart') return parameters
  return [{ name: 'file', place: 'form', required: true, type: 'file', text: inputTexts.file ?? '' }, ...parameters]
}

function typeText(schema: Schema): string {
  const kinds = (schema.anyOf ?? [schema]).filter(({ type }) => type !== 'null')
  const kind = kinds.find(({ const: fixed, maxLength }) => fixed === undefined && maxLength !== 0) ?? kinds[0] ?? schema
  return [nameOf(kind), limits(kind), fallback(schema)].filter((part) => part !== '').join(', ')
}

function nameOf({ type, enum: choices, format, items }: Schema): string {
  if (items) return `list of ${nameOf(items)}`
  if (choices) return choices.map(String).join(' | ')
  if (format === 'uri') return 'web address'
  // An input without a type is one that the host reads leniently: a number of the query, a switch of a form.
  return type ?? 'any'
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
  return `${Array.isArray(value) ? 'all of them' : JSON.stringify(value).replaceAll('"', '')} by default`
}
