import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'
import { findOutsideFence } from './house/fence'
import { findVagueNames } from './house/names'
import { findTypeTwins } from './house/one-type'
import { findOtherWays } from './house/one-way'
import { findOwnWords } from './house/words'

const root = join(import.meta.dirname, '..')
const folders = ['server', 'cli', 'main', 'preload', 'renderer', 'scripts', 'tests']

const MAX_FILES = 20
const MAX_IMPORTS = 15
const MAX_FILE_LINES = 300
const MAX_LINES = 60
const MAX_JSX_LINES = 100
/** A file of at most this many lines belongs into its only user. */
const SHORT_LINES = 25
/** Composition roots import what they compose. */
const ROOTS = new RegExp(
  `^(${[
    'main/(index|show-\\w+|host-until-quit)',
    'renderer/(app|start|.*-page)',
    'scripts/[\\w-]+',
    'server/(app|index|start|cli/[\\w-]+|compose/\\w+)',
  ].join('|')})\\.tsx?$`,
)
const MAX_ROOT_IMPORTS = 25
/** Lists with one line per noun or format. */
const LISTS = [
  'server/contract/index.ts',
  'server/routes.ts',
  'server/libraries/package-reader/readers.ts',
  'scripts/openapi/schemas.ts',
]
const KNOWN_CIRCLES = [
  // The app imports the contract, and the server renders the components for visitors; the law
  // allows nothing else.
  'server → renderer → server',
  // Features name types of the context that is composed of them; the law allows nothing but types.
  'server/compose → server/features → server/compose',
  // The card of a project consists of parts of the kit, and the kit writes its words with lib.
  'renderer/lib → renderer/ui → renderer/lib',
]

/** Short files that are still apart from their only user. The list may only get shorter. */
const STILL_APART = [
  'renderer/features/public-project/structured-data.ts',
  'scripts/build/ascii-only.ts',
  'scripts/build/bare-http.ts',
  'scripts/build/lean-zod.ts',
]

interface Source {
  path: string
  text: string
  /** Files of the tree. */
  imports: readonly Import[]
}

interface Import {
  path: string
  /** Loaded by a call of `import()`. */
  isLazy: boolean
}

/**
 * Checks the counted rules of ARCHITECTURE.md for the tree under `baseDir`. Returns one line per
 * offence.
 */
export async function countHouse(baseDir = root): Promise<string[]> {
  const files = (await Promise.all(folders.map((folder) => filesIn(baseDir, folder)))).flat()
  const paths = files.filter((path) => /\.tsx?$/.test(path)).sort()
  const all = await Promise.all(
    paths.map(async (path) => sourceOf(path, await readFile(join(baseDir, path), 'utf8'), files)),
  )

  const sources = all.filter(({ path }) => !path.startsWith('tests/'))
  const inTests = all.filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path))

  const offences = [
    ...sources.flatMap(({ path, text }) => [
      ...offencesIn(path, text),
      ...findOtherWays(path, text),
      ...findVagueNames(path, text),
      ...findOwnWords(path, text),
      ...findLongLines(path, text),
    ]),
    ...inTests.flatMap(({ path, text }) => offencesInTest(path, text)),
  ]

  return [
    ...crowdedFolders(files),
    ...circles(sources),
    ...shortFiles(all),
    ...findTypeTwins(sources),
    ...findOutsideFence(sources),
    ...offences,
  ]
}

async function filesIn(baseDir: string, folder: string): Promise<string[]> {
  const found = await readdir(join(baseDir, folder), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(baseDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

function crowdedFolders(files: readonly string[]): string[] {
  const counts = Map.groupBy(files, (path) => dirname(path))
  return [...counts]
    .filter(([, { length }]) => length > MAX_FILES)
    .map(([folder, { length }]) => `${folder}: ${length} files, at most ${MAX_FILES}`)
}

function sourceOf(path: string, text: string, files: readonly string[]): Source {
  const own = ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))

  const imports = own.flatMap(({ fileName, pos }) => {
    const named = join(dirname(path), fileName.replace(/\?.*/, '')).split(sep).join('/')
    const found = [named, `${named}.ts`, `${named}.tsx`, `${named}/index.ts`].find((it) =>
      files.includes(it),
    )
    return found === undefined
      ? []
      : { path: found, isLazy: /\bimport\(\s*['"]?$/.test(text.slice(0, pos)) }
  })

  return { path, text, imports }
}

/** Short files that belong into their only user. */
function shortFiles(sources: readonly Source[]): string[] {
  const uses = sources.flatMap((user) =>
    user.imports.map(({ path, isLazy }) => ({ path, isLazy, user })),
  )
  const usesOf = Map.groupBy(uses, ({ path }) => path)

  const found = sources.flatMap((source) => {
    const [first, ...others] = usesOf.get(source.path) ?? []
    if (!first || others.some(({ user }) => user !== first.user) || first.isLazy) return []
    return isPartOf(source, first.user) ? [{ path: source.path, user: first.user.path }] : []
  })

  const known = (path: string) => STILL_APART.includes(path)
  const merged = sources.filter(({ path }) => known(path) && !found.some((it) => it.path === path))

  return [
    ...found
      .filter(({ path }) => !known(path))
      .map(({ path, user }) => `${path}: belongs into ${user}, its only user`),
    ...merged.map(({ path }) => `${path}: is no longer apart from its only user`),
  ]
}

/**
 * Whether a user can take a file in. A class and a component with a stylesheet are things of their
 * own.
 */
function isPartOf({ path, text, imports }: Source, user: Source): boolean {
  const own = [...imports, ...user.imports]
    .map((it) => it.path)
    .filter((it) => it !== path && !it.endsWith('.css'))
  return (
    countLines(text) <= SHORT_LINES &&
    countLines(text) + countLines(user.text) <= MAX_FILE_LINES &&
    new Set(own).size <= MAX_IMPORTS &&
    path.startsWith(`${dirname(user.path)}/`) &&
    (user.path.endsWith('x') || !path.endsWith('x')) &&
    !/^export class |\.css'$/m.test(text) &&
    !ROOTS.test(user.path) &&
    !LISTS.includes(user.path) &&
    !user.path.startsWith('tests/')
  )
}

/** The lines of code of a text: neither blank nor comment. */
const countLines = (text: string) =>
  text
    .replace(/\/\*[^]*?\*\//g, '')
    .split('\n')
    .filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length

/** Neighbouring folders that import each other, directly or through others. */
function circles(sources: readonly Source[]): string[] {
  const arrows = new Map<string, Set<string>>()
  for (const { path, imports } of sources)
    for (const to of imports) {
      const [one, other] = siblings(path.split('/'), to.path.split('/'))
      if (one !== undefined && other !== undefined)
        arrows.set(one, (arrows.get(one) ?? new Set()).add(other))
    }

  const found: string[] = []
  const done = new Set<string>()

  const walk = (folder: string, way: readonly string[]): void => {
    const start = way.indexOf(folder)
    if (start >= 0) found.push([...way.slice(start), folder].join(' → '))
    if (start >= 0 || done.has(folder)) return
    for (const next of arrows.get(folder) ?? []) walk(next, [...way, folder])
    done.add(folder)
  }

  for (const folder of [...arrows.keys()].sort()) walk(folder, [])
  return found.filter((circle) => !KNOWN_CIRCLES.includes(circle))
}

/**
 * The two folders at which the paths of two files diverge; none if one file is directly in the
 * common folder.
 */
function siblings(from: readonly string[], to: readonly string[]): string[] {
  const parting = from.findIndex((name, index) => name !== to[index])
  if (parting === from.length - 1 || parting === to.length - 1) return []
  return [from, to].map((path) => path.slice(0, parting + 1).join('/'))
}

/** The formatter breaks code; comments, texts and queries are left to the author. */
const LONGEST_LINE = 100

function findLongLines(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.length > LONGEST_LINE
        ? [`${path}:${index + 1}: a line of ${line.length} characters, at most ${LONGEST_LINE}`]
        : [],
    )
}

/** The rooms of a running server: main/ uses its named methods. */
const ROOMS = /\bcontext\b/

function offencesIn(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found =
    path.startsWith('main/') && ROOMS.test(text) ? [`${path}: reads the context of the server`] : []

  const at = (node: ts.Node) =>
    `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`

  // A stylesheet is part of its component.
  const own = file.statements.filter(
    (it) => ts.isImportDeclaration(it) && /^'\.(?!.*\.css')/.test(it.moduleSpecifier.getText()),
  )
  const most = ROOTS.test(path) ? MAX_ROOT_IMPORTS : MAX_IMPORTS
  if (own.length > most && !LISTS.includes(path))
    found.push(`${path}: ${own.length} own imports, at most ${most}`)

  const visit = (node: ts.Node): void => {
    const problem = checkLength(node)
    if (problem !== undefined) found.push(`${at(node)}: ${problem}`)
    ts.forEachChild(node, visit)
  }

  visit(file)
  return found
}

/** A title that depends on the one around it. */
const HALF_TITLE = /^['"`](that|its|of|and|with|too)\b/
/** Only .ci/run allows a second try. */
const SECOND_TRY = /\bretr(y|ies):\s*\d/
/**
 * A slow machine must not fail a test. Studies of time are full forms; other tests use a fake
 * clock.
 */
const WALL_CLOCK = /\bperformance\.now\(\) - |\bDate\.now\(\) - (before|began|begun|since|start)/

/**
 * The composition of a server, which only `tests/support/world` may use. Playwright's context of a
 * page is a call.
 */
const COMPOSITION = /\.context\./

function offencesInTest(path: string, text: string): string[] {
  const found = SECOND_TRY.test(text) ? [`${path}: a test may not be tried twice`] : []
  if (WALL_CLOCK.test(text) && !text.includes('useFakeTimers') && !path.includes('.full.'))
    found.push(`${path}: a test may not measure time by the clock on the wall`)

  if (COMPOSITION.test(text) && !path.startsWith('tests/support/world/'))
    found.push(`${path}: a test may not reach into the context of a server`)
  if (!/['"`](that|its|of|and|with|too) /.test(text)) return found

  const visit = (node: ts.Node): void => {
    const [title, run] = ts.isCallExpression(node) ? [node.arguments[0], node.arguments.at(-1)] : []
    const isTest = run !== undefined && (ts.isArrowFunction(run) || ts.isFunctionExpression(run))
    if (isTest && title && HALF_TITLE.test(title.getText()))
      found.push(`${path}: the title ${title.getText()} cannot be read alone`)
    ts.forEachChild(node, visit)
  }

  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  return found
}

/** Lists of routes have no limit. */
const ROUTES = /Routes$/

function checkLength(node: ts.Node): string | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return undefined
  if (node.name && ts.isIdentifier(node.name) && ROUTES.test(node.name.text)) return undefined

  const lines = countLines(node.getText())
  const most = holdsJsx(node) ? MAX_JSX_LINES : MAX_LINES
  return lines > most ? `a function of ${lines} lines, at most ${most}` : undefined
}

const holdsJsx = (node: ts.Node): boolean =>
  ts.isJsxElement(node) ||
  ts.isJsxSelfClosingElement(node) ||
  ts.isJsxFragment(node) ||
  (ts.forEachChild(node, (child) => holdsJsx(child) || undefined) ?? false)

if (import.meta.main) {
  const offences = await countHouse()
  console.log([...offences, `${offences.length} offences in ${basename(root)}`].join('\n'))
  process.exitCode = offences.length === 0 ? 0 : 1
}
