import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import {
  writeExample,
  isForScripts,
  languages,
  type Language,
} from '../../../renderer/features/docs/examples/examples'
import { guideExamples } from '../../../renderer/features/docs/examples/guide-examples'
import { operations, type Operation } from '../../../renderer/features/docs/examples/operations'
import { chooseSample } from '../../../renderer/features/docs/examples/samples'
import { BUILD, FILENAME, maya, signIn, test as base } from '../../support/example-host'
import {
  closeScripts,
  javaScript,
  openScripts,
  python,
  shell,
  type Desk,
} from '../../support/system/scripts'
import { isFull } from '../../support/system/rounds'
import { aFile, aUser } from '../../support/world/factories'
import { test as bare } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Runs code exactly as printed. */
const runners = { curl: shell, JavaScript: javaScript, Python: python }

beforeAll(openScripts, 120_000)
afterAll(closeScripts)

/** What must be different before a call for it to succeed, by its place on the page. */
const before: Record<string, (server: TestServer) => Promise<unknown>> = {
  'collaborators-add': async (server) =>
    (await maya(server)).collaborators.remove({ id: 'lantern', collaboratorId: 'sam' }),
  'projects-link': unlink,
  'projects-link-many': unlink,
  'releases-create': unlink,
  'releases-remove': emptyRelease,
  'feeds-electron': publishAppImage,
  'testers-electron': publishAppImage,
  'trash-restore': trash,
  'trash-restore-many': trash,
  'trash-remove': trash,
}

async function unlink(server: TestServer) {
  return (await maya(server)).projects.unlink({ id: 'lantern', downloadId: 'f4Tn8cWq2ZpL' })
}

async function emptyRelease(server: TestServer) {
  await unlink(server)
  return (await maya(server)).releases.create({ id: 'lantern', version: '1.4.0' })
}

async function publishAppImage(server: TestServer) {
  const owner = server.user('maya')
  const release = { version: '1.4.0', project_id: 'lantern', is_public: true }
  await aFile(server, owner, { filename: 'lantern.AppImage', ...release })
}

async function trash(server: TestServer) {
  return (await maya(server)).files.remove({ id: 'f4Tn8cWq2ZpL' })
}

const calls = operations.filter(({ endpoint }) => isForScripts(endpoint))
const isRegister = ({ anchor }: Operation) => anchor === 'accounts-register'

/**
 * What decides the code around the values: calls of the same shape differ in their address and
 * fields only.
 */
const shapeOf = ({ endpoint: { method, access, body, input, download, status } }: Operation) =>
  JSON.stringify([
    method,
    access,
    body ?? Object.keys(input.shape).length > 0,
    download ?? false,
    status ?? 200,
  ])
const firstOfShape = new Map(calls.toReversed().map((operation) => [shapeOf(operation), operation]))
/** Whether one host can answer such calls one after another. */
const isRead = ({ anchor, endpoint }: Operation) =>
  endpoint.method === 'GET' && before[anchor] === undefined
const isRun = (operation: Operation, language: Language) =>
  isFull ||
  (language === 'curl' && isRead(operation)) ||
  firstOfShape.get(shapeOf(operation)) === operation
/**
 * Each call that reads in curl, and one of each shape in all languages; with FAULTS=full, all in
 * all.
 */
const printed = calls
  .filter((operation) => !isRegister(operation))
  .flatMap((operation) =>
    languages.map((language) => [operation.anchor, language, operation] as const),
  )
  .filter(([, language, operation]) => isRun(operation, language))

const reads = printed.filter(([, language, operation]) => language === 'curl' && isRead(operation))

async function expectWorks(
  [anchor, language, operation]: (typeof printed)[number],
  server: TestServer,
  desk: Desk,
) {
  await before[anchor]?.(server)
  const { method, download, status } = operation.endpoint
  const isFile = download === true || (status === 302 && method === 'GET')
  if (isFile) await rm(join(desk.cwd, FILENAME), { force: true })
  const files = await readdir(desk.cwd)
  const code = writeExample(operation, server.url, language)
  if (code.includes('cookies.txt') && !files.includes('cookies.txt')) await signIn(desk, server)

  const output = await runners[language](code, desk)

  if (language !== 'curl') return expect(output).toBe('')
  const made = (await readdir(desk.cwd)).filter((name) => ![...files, 'cookies.txt'].includes(name))
  if (isFile) expect(made, anchor).toHaveLength(1)
  else if (status === 204) expect(output).toBe('')
  else if (status === 302) expect(output).toMatch(/^Redirecting to /)
  else expect(JSON.parse(output), anchor).toMatchObject({ success: true })
  for (const name of made) await rm(join(desk.cwd, name))
}

describe('each example of the API reference works as printed', () => {
  base('calls that read, in curl', async ({ server, desk }) => {
    for (const example of reads) await expectWorks(example, server, desk)
  })

  base.for(printed.filter((example) => !reads.includes(example)))(
    '%s in %s',
    (example, { server, desk }) => expectWorks(example, server, desk),
  )

  bare.for(languages)('accounts-register in %s', async (language, { server, folder }) => {
    const example = writeExample(calls.find(isRegister)!, server.url, language)

    await runners[language](example, { cwd: folder, env: process.env })

    expect(server.inside.users.byName('maya')).toMatchObject({ email: 'maya@example.com' })
  })
})

describe('each example of the guide works as printed', () => {
  base('sign in, then a call with the session', async ({ server, desk }) => {
    const output = await signIn(desk, server)

    expect(output).toContain('"email":"maya@example.com"')
  })

  base('a call with an API key', async ({ server, desk }) => {
    const output = await shell(guideExamples.useKey(server.url), desk)

    expect(JSON.parse(output)).toMatchObject({ success: true, total: 1 })
  })

  base.for(Object.keys(guideExamples.publish) as (keyof typeof guideExamples.publish)[])(
    'publish with %s',
    async (name, { server, desk }) => {
      const code = guideExamples.publish[name](server.url)
      const runner = name === 'JavaScript' || name === 'Python' ? runners[name] : shell
      const output = await runner(code, desk)

      const { project } = await (await maya(server)).projects.byId({ id: 'lantern' })
      expect(project.downloads).toHaveLength(2)
      expect(project.downloads[0]).toMatchObject({ version: '1.4.0', is_public: true })
      expect(output).toContain(project.downloads[0]!.file_id)
    },
  )

  // PowerShell is not available here: the Windows examples are only parsed.
  base.for(['Linux', 'macOS'] as const)(
    'download and check on %s',
    async (name, { server, desk }) => {
      await rm(join(desk.cwd, FILENAME))

      const output = await shell(guideExamples.download[name](server.url), desk)

      expect(output).toContain(`${FILENAME}: OK`)
      expect(await readFile(join(desk.cwd, FILENAME), 'utf8')).toBe(BUILD)
    },
  )
})

const guideFolder = join(import.meta.dirname, '../../../docs/guide')
/** The lines for a terminal on each page of the guide. */
const guidePages = await Promise.all(
  (await readdir(guideFolder))
    .filter((name) => name.endsWith('.md'))
    .map(async (name) => {
      const text = await readFile(join(guideFolder, name), 'utf8')
      return [name, [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, code = '']) => code)] as const
    }),
)

describe('each command of docs/guide works as printed', () => {
  base.for(guidePages.filter(([, blocks]) => blocks.length > 0))(
    '%s',
    { timeout: 120_000 },
    async ([, blocks], { server, desk }) => {
      // The commands have the clock of the machine.
      server.clock.setClock(Date.now() - server.clock.now().getTime())
      await aUser(server, 'host', { isHost: true })

      await writeFile(join(desk.cwd, 'crash.log'), 'level 3')
      const adapt = (code: string) =>
        code
          .replaceAll('https://builds.example', server.url)
          .replaceAll('TOKEN', String(chooseSample('token')))
      for (const code of blocks) await shell(adapt(code), desk)
    },
  )
})
