import ts from 'typescript'

const PRODUCT = /^(server|renderer|main|preload|cli)\//
/** A plain getter: `sizeOf(file)`. */
const GETTER = /[a-z](Of|In|At)$/
const SIGN_IN = /sign(In)$/i
const PARTICIPLE = /^[a-z]+(ed|ing)$/
/** End like participles, and are none. */
const VERBS_AND_NOUNS = new Set(
  'bring embed exceed feed heading need ping proceed seed setting string'.split(' '),
)

/**
 * Returns one line for each function that is no getter but named as one, and each name that is only
 * a participle.
 */
export function findVagueNames(path: string, text: string): string[] {
  if (!PRODUCT.test(path)) return []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const offences: string[] = []

  const visit = (node: ts.Node): void => {
    const identifier = 'name' in node ? (node.name as ts.Node | undefined) : undefined
    const name = identifier && ts.isIdentifier(identifier) ? identifier.text : ''

    const called = ts.isVariableDeclaration(node) ? node.initializer : node
    if (called && GETTER.test(name) && !SIGN_IN.test(name) && isMoreThanGetter(called))
      offences.push(`${path}: ${name} is no getter, so name it by a verb and a noun`)

    const isFunction = called && (ts.isFunctionDeclaration(called) || ts.isArrowFunction(called))
    if (isFunction && !VERBS_AND_NOUNS.has(name) && PARTICIPLE.test(name))
      offences.push(`${path}: name the function ${name} by a verb and a noun`)

    ts.forEachChild(node, visit)
  }

  visit(file)
  return offences
}

const isMoreThanGetter = (node: ts.Node): boolean =>
  (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isArrowFunction(node)) &&
  (node.parameters.length > 1 ||
    node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true)
