import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import ts from 'typescript'

const root = join(import.meta.dirname, '..')
const folders = ['server', 'main', 'preload', 'renderer', 'scripts', 'tests']

const MAX_FILES = 15
const MAX_IMPORTS = 12
const MAX_LINES = 40
const MAX_JSX_LINES = 80
/** Composition roots import what they compose. */
const ROOTS =
  /^(main\/(index|\w+\/show-\w+)|renderer\/(app|.*-page)|server\/(app|index|cli\/[\w-]+|compose\/\w+))\.tsx?$/
const MAX_ROOT_IMPORTS = 20
/** Lists with one line per noun. */
const LISTS = ['server/contract/index.ts', 'server/routes.ts', 'scripts/openapi/schemas.ts']
/** One file per noun, which every process imports. */
const CROWDED = ['server/contract']

/** Checks the counted rules of ARCHITECTURE.md for the tree under `baseDir`. Returns one line per offence. */
export async function countHouse(baseDir = root): Promise<string[]> {
  const all = await Promise.all(folders.map((folder) => filesIn(baseDir, folder)))
  const files = all.flat()
  const sources = files.filter((path) => /\.tsx?$/.test(path) && !path.startsWith('tests/'))
  const offences = await Promise.all(
    sources.map(async (path) => offencesIn(path, await readFile(join(baseDir, path), 'utf8'))),
  )
  return [...crowdedFolders(files), ...offences.flat()]
}

async function filesIn(baseDir: string, folder: string): Promise<string[]> {
  const found = await readdir(join(baseDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(baseDir, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

function crowdedFolders(files: readonly string[]): string[] {
  const counts = Map.groupBy(files, (path) => dirname(path))
  return [...counts]
    .filter(([folder, { length }]) => length > MAX_FILES && !CROWDED.includes(folder))
    .map(([folder, { length }]) => `${folder}: ${length} files, at most ${MAX_FILES}`)
}

function offencesIn(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const at = (node: ts.Node) => `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  // A stylesheet is part of its component.
  const own = file.statements.filter(
    (it) => ts.isImportDeclaration(it) && /^'\.(?!.*\.css')/.test(it.moduleSpecifier.getText()),
  )
  const most = ROOTS.test(path) ? MAX_ROOT_IMPORTS : MAX_IMPORTS
  if (own.length > most && !LISTS.includes(path)) found.push(`${path}: ${own.length} own imports, at most ${most}`)
  const visit = (node: ts.Node): void => {
    const problem = lengthOf(node, file) ?? savesLines(node)
    if (problem !== undefined) found.push(`${at(node)}: ${problem}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

function lengthOf(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return undefined
  const line = (position: number) => file.getLineAndCharacterOfPosition(position).line
  const lines = line(node.end) - line(node.getStart()) + 1
  const most = holdsJsx(node) ? MAX_JSX_LINES : MAX_LINES
  return lines > most ? `a function of ${lines} lines, at most ${most}` : undefined
}

const holdsJsx = (node: ts.Node): boolean =>
  ts.isJsxElement(node) ||
  ts.isJsxSelfClosingElement(node) ||
  ts.isJsxFragment(node) ||
  (ts.forEachChild(node, (child) => holdsJsx(child) || undefined) ?? false)

/** `...{ a, b }` and `[a, b] = [x, y]` hide several statements in one line. */
function savesLines(node: ts.Node): string | undefined {
  if (ts.isSpreadAssignment(node) && ts.isObjectLiteralExpression(node.expression)) return 'a literal is spread'
  const isPair =
    ts.isVariableDeclaration(node) &&
    ts.isArrayBindingPattern(node.name) &&
    node.initializer !== undefined &&
    ts.isArrayLiteralExpression(node.initializer)
  return isPair ? 'several variables in one declaration' : undefined
}

if (import.meta.main) {
  const offences = await countHouse()
  console.log([...offences, `${offences.length} offences in ${basename(root)}`].join('\n'))
  process.exitCode = offences.length === 0 ? 0 : 1
}
