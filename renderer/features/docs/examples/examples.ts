import { api } from '../../../../server/contract'
import { address } from '../../../lib/client/api-client'
import type { Operation } from './operations'
import { parametersOf, type Parameter } from './parameters'
import { chooseSample } from './samples'

export const languages = ['curl', 'JavaScript', 'Python'] as const
export type Language = (typeof languages)[number]

type Field = [name: string, value: unknown]

interface Call {
  base: string
  method: string
  url: string
  access: Operation['endpoint']['access']
  fields: Field[]
  headers: [name: string, value: string][]
  kind: 'json' | 'form' | 'bytes' | 'none'
  /** The name of the file that it sends. */
  file: string
  answer: 'bytes' | 'redirect' | 'json' | 'nothing'
}

/**
 * Excludes calls of the app window, which need its secret, manage links, second factors and single
 * sign-on, which are for browsers, and what iPhones and iPads ask to install apps or to send their
 * identifiers.
 */
export const isForScripts = ({
  access,
  path,
  events,
}: Pick<Operation['endpoint'], 'access' | 'path' | 'events'>) =>
  access !== 'host' &&
  access !== 'window' &&
  // The examples read one reply.
  !events &&
  path !== api.manage.begin.path &&
  !path.includes('/install/') &&
  path !== api.devices.profile.path &&
  path !== api.devices.add.path &&
  !/^\/api\/auth\/(login\/|factors\/|sso\/|proof$)/.test(path)

export function writeExample(operation: Operation, base: string, language: Language): string {
  const call = toCall(operation, base)
  if (language === 'curl') return curl(call)
  return language === 'Python' ? python(call) : javaScript(call)
}

function toCall(operation: Operation, base: string): Call {
  const { endpoint, anchor } = operation
  const sendsBytes = endpoint.body === 'bytes'
  const parameters = parametersOf(operation)
  const inAddress = parameters.filter(
    ({ name, place, required }) =>
      place === 'path' ||
      (place === 'query' && (required || (sendsBytes && shownInQuery.has(name)))),
  )

  const inBody = sendsBytes
    ? []
    : parameters.filter((parameter) => isShownInBody(operation, parameter))
  const inHeaders = parameters.filter(({ place, required }) => place === 'header' && required)
  const { url } = address({ ...endpoint, method: 'GET' }, examplesOf(inAddress))

  return {
    base,
    method: endpoint.method,
    url: base + url,
    access: anchor === LOGOUT ? 'session' : endpoint.access,
    fields: Object.entries(examplesOf(inBody)),
    headers: Object.entries(examplesOf(inHeaders)).map(([name, value]) => [name, String(value)]),
    kind: chooseKind(endpoint.body, sendsBytes, inBody.length > 0),
    file: endpoint.path === api.pictures.add.path ? 'picture.png' : 'lantern-1.4.0.apk',
    answer: answerOf(endpoint),
  }
}

const examplesOf = (parameters: readonly Parameter[]): Record<string, unknown> =>
  Object.fromEntries(parameters.map(({ name, example }) => [name, example]))

/** Answers visitors too, but only a session has anything to end. */
const LOGOUT = 'accounts-logout'

/** A bucket may send what can be asked for `from` the host. */
function answerOf({ method, download, input, status }: Operation['endpoint']): Call['answer'] {
  if (download) return 'from' in input.shape ? 'redirect' : 'bytes'
  if (status === 302) return method === 'GET' ? 'redirect' : 'nothing'
  return status === 204 ? 'nothing' : 'json'
}

const shownInQuery = new Set(['project_id', 'version'])

function chooseKind(
  body: Operation['endpoint']['body'],
  sendsBytes: boolean,
  hasFields: boolean,
): Call['kind'] {
  if (body === 'multipart') return 'form'
  if (sendsBytes) return 'bytes'
  return hasFields ? 'json' : 'none'
}

/** Hides duplicates of another input, unique digests, link tokens and dates, which pass. */
function isShownInBody({ group }: Operation, { place, name }: Parameter): boolean {
  if (place !== 'body' && place !== 'form') return false
  if (group === 'collaborators') return name !== 'email'
  if (group === 'accounts') return name !== 'setup' && name !== 'invite'
  if (group === 'webhooks') return !['target', 'access_token', 'is_on'].includes(name)
  if (['testers', 'shareLinks', 'fileRequests'].includes(group)) return name !== 'expires_at'
  if (group === 'previews') return !['file_ids', 'preview_id'].includes(name)
  return group !== 'files' || !['sha256', 'channel', 'for_preview'].includes(name)
}

function curl({ method, url, access, fields, headers, kind, file, answer }: Call): string {
  const parts = [
    ['curl', ...toMethodOption(method, kind), url.includes('?') ? `"${url}"` : url].join(' '),
    ...headers.map(([name, value]) => `-H "${name}: ${value}"`),
    ...(kind === 'bytes' ? [`-T ${file}`] : []),
    ...(access === 'user' ? ['-H "X-API-Key: $SLIPWAY_KEY"'] : []),
    ...(access === 'session' ? ['-b cookies.txt'] : []),
    ...(kind === 'json' ? ['-H "Content-Type: application/json"', `-d '${json(fields)}'`] : []),
    ...(kind === 'form'
      ? fields.map(([name, value]) => `-F "${name}=${formValue(name, value)}"`)
      : []),
    ...{ bytes: ['-OJ'], redirect: ['-LOJ'], json: [], nothing: [] }[answer],
  ]

  return parts.join(' \\\n  ')
}

/** curl's defaults: GET, POST with a body, PUT with a file. */
function toMethodOption(method: string, kind: Call['kind']): string[] {
  const isImplied = { form: 'POST', json: 'POST', bytes: 'PUT', none: 'GET' }[kind] === method
  return isImplied ? [] : [`-X ${method}`]
}

const formValue = (name: string, value: unknown) =>
  name === 'file' ? '@lantern-1.4.0.apk' : String(value)

function javaScript(call: Call): string {
  const { method, url, access, fields, kind, file, answer } = call
  const headers = [
    ...(access === 'session' ? ['Cookie: cookie'] : []),
    ...call.headers.map(([name, value]) => `'${name}': '${value}'`),
    ...(access === 'user' ? ["'X-API-Key': process.env.SLIPWAY_KEY"] : []),
    ...(kind === 'json' ? ["'Content-Type': 'application/json'"] : []),
  ]

  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}',`]),
    ...(headers.length > 0 ? [`headers: { ${headers.join(', ')} },`] : []),
    ...(kind === 'json' ? [`body: JSON.stringify(${objectLiteral(fields)}),`] : []),
    ...(kind === 'form' ? ['body: form,'] : []),
    ...(kind === 'bytes' ? [`body: await openAsBlob('${file}'),`] : []),
  ]
  const sent = options.length > 0 ? `, {\n  ${options.join('\n  ')}\n}` : ''

  return [
    ...(kind === 'form' ? javaScriptForm(fields) : []),
    ...(kind === 'bytes' ? ["import { openAsBlob } from 'node:fs'", ''] : []),
    ...(access === 'session' ? javaScriptSignIn(call) : []),
    `const response = await fetch('${url}'${sent})`,
    'if (!response.ok) throw new Error((await response.json()).error)',
    ...{
      bytes: ['const bytes = await response.arrayBuffer()'],
      redirect: ['const bytes = await response.arrayBuffer()'],
      json: ['const reply = await response.json()'],
      nothing: [],
    }[answer],
  ].join('\n')
}

const CREDENTIALS: Field[] = ['username', 'password'].map((name) => [name, chooseSample(name)])

const javaScriptSignIn = ({ base }: Call) => [
  `const signedIn = await fetch('${base}/api/auth/login', {`,
  "  method: 'POST',",
  "  headers: { 'Content-Type': 'application/json' },",
  `  body: JSON.stringify(${objectLiteral(CREDENTIALS)}),`,
  '})',
  "const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ')",
  '',
]

function javaScriptForm(fields: Field[]): string[] {
  const set = fields.map(([name, value]) =>
    name === 'file'
      ? "form.set('file', await openAsBlob('lantern-1.4.0.apk'), 'lantern-1.4.0.apk')"
      : `form.set('${name}', '${String(value)}')`,
  )
  return ["import { openAsBlob } from 'node:fs'", '', 'const form = new FormData()', ...set, '']
}

const pythonSignIn = ({ base }: Call) => [
  'session = requests.Session()',
  'session.post(',
  `    "${base}/api/auth/login",`,
  `    json=${pythonDict(CREDENTIALS)},`,
  ').raise_for_status()',
  '',
]

function python(call: Call): string {
  const { method, url, access, fields, headers, kind, file, answer } = call
  const caller = access === 'session' ? 'session' : 'requests'
  const form = fields.filter(([name]) => name !== 'file')
  const sent = [
    `"${url}",`,
    ...pythonHeaders(access, headers),
    ...(kind === 'bytes' ? [`data=open("${file}", "rb"),`] : []),
    ...(kind === 'json' ? [`json=${pythonDict(fields)},`] : []),
    ...(kind === 'form'
      ? ['files={"file": open("lantern-1.4.0.apk", "rb")},', `data=${pythonDict(form)},`]
      : []),
  ]

  return [
    access === 'user' ? 'import os, requests' : 'import requests',
    '',
    ...(access === 'session' ? pythonSignIn(call) : []),
    `response = ${caller}.${method.toLowerCase()}(\n    ${sent.join('\n    ')}\n)`,
    'response.raise_for_status()',
    ...pythonAnswer[answer],
  ].join('\n')
}

const pythonAnswer: Record<Call['answer'], string[]> = {
  bytes: ['content = response.content'],
  redirect: ['content = response.content'],
  json: ['reply = response.json()'],
  nothing: [],
}

function pythonHeaders(access: Call['access'], headers: Call['headers']): string[] {
  const all = [
    ...(access === 'user' ? ['"X-API-Key": os.environ["SLIPWAY_KEY"]'] : []),
    ...headers.map(([name, value]) => `"${name}": "${value}"`),
  ]
  return all.length === 0 ? [] : [`headers={${all.join(', ')}},`]
}

const json = (fields: Field[]) => JSON.stringify(Object.fromEntries(fields))

const objectLiteral = (fields: Field[]) =>
  `{\n    ${fields.map(([name, value]) => `${name}: ${quoteValue(value)},`).join('\n    ')}\n  }`

const quoteValue = (value: unknown) =>
  typeof value === 'string' ? `'${value}'` : JSON.stringify(value)

function pythonDict(fields: Field[]): string {
  const entries = fields.map(([name, value]) => `"${name}": ${pythonValue(value)}`)
  return `{${entries.join(', ')}}`
}

function pythonValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}
