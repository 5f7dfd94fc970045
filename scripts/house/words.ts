import ts from 'typescript'

const PRODUCT = /^(server|renderer|main|preload|cli)\//

/**
 * Words of our own for what the field calls otherwise (CONTRIBUTING, glossary), as parts of
 * identifiers and file names.
 */
const OWN_WORDS = new Set(
  (
    'office ledger passage parting parted masters shelf companion companions spool cargo ' +
    'entrance entrances means turn turns'
  ).split(' '),
)

/** The words in a name: `readerTurns` has `reader` and `turns`. */
const splitWords = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

/** Returns one line for each word of our own in the path or an identifier that `text` declares. */
export function findOwnWords(path: string, text: string): string[] {
  if (!PRODUCT.test(path)) return []

  const names = new Set<string>()

  const visit = (node: ts.Node): void => {
    const identifier = 'name' in node ? (node.name as ts.Node | undefined) : undefined
    if (identifier && ts.isIdentifier(identifier)) names.add(identifier.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))

  return [path, ...names].flatMap((name) =>
    splitWords(name)
      .filter((word) => OWN_WORDS.has(word))
      .map((word) => `${path}: the word ${word}${name === path ? '' : ` in ${name}`} is our own`),
  )
}
