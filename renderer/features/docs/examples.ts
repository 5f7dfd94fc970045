import { address } from '../../lib/api-client'
import type { Operation } from './operations'
import { parametersOf, type Parameter } from './parameters'
import { sampleOf } from './samples'

export const languages = ['curl', 'JavaScript', 'Python'] as const
export type Language = (typeof languages)[number]

/** What an example needs to know about a call. */
interface Call {
  method: string
  url: string
  access: Operation['endpoint']['access']
  fields: [name: string, value: unknown][]
  /** Headers of the call itself. */
  headers: [name: string, value: string][]
  kind: 'json' | 'form' | 'bytes' | 'none'
  download: boolean
}

/** The same call in each language, against the host at `base`. */
export function exampleOf(operation: Operation, base: string, language: Language): string {
  const call = callOf(operation, base)
  if (language === 'curl') return curl(call)
  return language === 'Python' ? python(call) : javaScript(call)
}

function callOf(operation: Operation, base: string): Call {
  const { endpoint } = operation
  const parameters = parametersOf(operation)
  const inPath = parameters.filter(({ place }) => place === 'path')
  const sent = parameters.filter(
    (parameter) =>
      ['body', 'form'].includes(parameter.place) && endpoint.body !== 'bytes' && !isAlternative(operation, parameter),
  )
  const inHeaders = parameters.filter(({ place, required }) => place === 'header' && required)
  const inQuery = endpoint.body === 'bytes' ? parameters.filter(({ name }) => shownInQuery.has(name)) : []
  const { url } = address({ ...endpoint, method: 'GET' }, sampled(operation, [...inPath, ...inQuery]))
  return {
    method: endpoint.method,
    url: base + url,
    access: endpoint.access,
    fields: Object.entries(sampled(operation, sent)),
    headers: Object.entries(sampled(operation, inHeaders)).map(([name, value]) => [name, String(value)]),
    kind: kindOf(endpoint.body, sent.length > 0),
    download: endpoint.download === true,
  }
}

/** Of what may stand in the address of an upload. */
const shownInQuery = new Set(['project', 'version'])

function kindOf(body: Operation['endpoint']['body'], isSent: boolean): Call['kind'] {
  if (body === 'multipart') return 'form'
  if (body === 'bytes') return 'bytes'
  return isSent ? 'json' : 'none'
}

/** A person is named by one of two inputs; showing both would be a mistake. */
const isAlternative = ({ group }: Operation, { name }: Parameter) => group === 'collaborators' && name === 'email'

function sampled({ group }: Operation, parameters: readonly Parameter[]): Record<string, unknown> {
  return Object.fromEntries(parameters.map(({ name }) => [name, requestSamples[`${group}.${name}`] ?? sampleOf(name)]))
}

/** In a request a slug or a username reads better than an id, where either will do. */
const requestSamples: Record<string, string> = {
  'files.project_id': 'lantern',
  'files.project': 'lantern',
  'projects.id': 'lantern',
  'feed.id': 'lantern',
  'collaborators.id': 'lantern',
  'collaborators.username': 'sam',
  'collaborators.collaboratorId': 'sam',
  'apiKeys.id': 'k7Hq2mXv9RbT',
}

function curl({ method, url, access, fields, headers, kind, download }: Call): string {
  const parts = [
    ['curl', ...verbOf(method, kind), url.includes('?') ? `"${url}"` : url].join(' '),
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(kind === 'bytes' ? ['-T lantern-1.4.0.apk'] : []),
    ...(access === 'user' ? ['-H "X-API-Key: $SLIPWAY_KEY"'] : []),
    ...(access === 'session' ? ['-b cookies.txt'] : []),
    ...(kind === 'json' ? ['-H "Content-Type: application/json"', `-d '${json(fields)}'`] : []),
    ...(kind === 'form' ? fields.map(([name, value]) => `-F "${name}=${formValue(name, value)}"`) : []),
    ...(download ? ['-OJ'] : []),
  ]
  return parts.join(' \\\n  ')
}

/** curl itself takes GET, POST with something to send, and PUT with a file. */
function verbOf(method: string, kind: Call['kind']): string[] {
  const isImplied = { form: 'POST', json: 'POST', bytes: 'PUT', none: 'GET' }[kind] === method
  return isImplied ? [] : [`-X ${method}`]
}

const formValue = (name: string, value: unknown) => (name === 'file' ? '@lantern-1.4.0.apk' : String(value))

function javaScript(call: Call): string {
  const { method, url, access, fields, kind, download } = call
  const headers = [
    ...call.headers.map(([name, value]) => `'${name}': '${value}'`),
    ...(access === 'user' ? ["'X-API-Key': process.env.SLIPWAY_KEY"] : []),
    ...(kind === 'json' ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(access === 'session' ? ["credentials: 'include',"] : []),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} },`] : []),
    ...(kind === 'json' ? [`body: JSON.stringify(${objectLiteral(fields)}),`] : []),
    ...(kind === 'form' ? ['body: form,'] : []),
    ...(kind === 'bytes' ? ["body: await openAsBlob('lantern-1.4.0.apk'),"] : []),
  ]
  const sent = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : ''
  return [
    ...(kind === 'form' ? javaScriptForm(fields) : []),
    ...(kind === 'bytes' ? ["import { openAsBlob } from 'node:fs'", ''] : []),
    `const response = await fetch('${url}'${sent})`,
    'if (!response.ok) throw new Error((await response.json()).error)',
    download ? 'const bytes = await response.arrayBuffer()' : 'const reply = await response.json()',
  ].join('\n')
}

function javaScriptForm(fields: Call['fields']): string[] {
  const set = fields.map(([name, value]) =>
    name === 'file'
      ? "form.set('file', await openAsBlob('lantern-1.4.0.apk'), 'lantern-1.4.0.apk')"
      : `form.set('${name}', '${String(value)}')`,
  )
  return ["import { openAsBlob } from 'node:fs'", '', 'const form = new FormData()', ...set, '']
}

function python({ method, url, access, fields, headers, kind, download }: Call): string {
  const caller = access === 'session' ? 'session' : 'requests'
  const form = fields.filter(([name]) => name !== 'file')
  const sent = [
    `"${url}",`,
    ...pythonHeaders(access, headers),
    ...(kind === 'bytes' ? ['data=open("lantern-1.4.0.apk", "rb"),'] : []),
    ...(kind === 'json' ? [`json=${pythonDict(fields)},`] : []),
    ...(kind === 'form' ? ['files={"file": open("lantern-1.4.0.apk", "rb")},', `data=${pythonDict(form)},`] : []),
  ]
  return [
    access === 'user' ? 'import os, requests' : 'import requests',
    '',
    ...(access === 'session' ? ['session = requests.Session()  # signed in before', ''] : []),
    `response = ${caller}.${method.toLowerCase()}(\n    ${sent.join('\n    ')}\n)`,
    'response.raise_for_status()',
    download ? 'content = response.content' : 'reply = response.json()',
  ].join('\n')
}

function pythonHeaders(access: Call['access'], headers: Call['headers']): string[] {
  const all = [
    ...(access === 'user' ? ['"X-API-Key": os.environ["SLIPWAY_KEY"]'] : []),
    ...headers.map(([name, value]) => `"${name}": "${value}"`),
  ]
  return all.length === 0 ? [] : [`headers={${all.join(', ')}},`]
}

const json = (fields: Call['fields']) => JSON.stringify(Object.fromEntries(fields))

const objectLiteral = (fields: Call['fields']) =>
  `{\n    ${fields.map(([name, value]) => `${name}: ${quoted(value)},`).join('\n    ')}\n  }`

const quoted = (value: unknown) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))

function pythonDict(fields: Call['fields']): string {
  const entries = fields.map(([name, value]) => `"${name}": ${pythonValue(value)}`)
  return `{${entries.join(', ')}}`
}

function pythonValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}
