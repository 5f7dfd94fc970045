import ts from 'typescript'

const PRODUCT = /^(server|renderer|main|preload|cli)\//
const MIN_MEMBERS = 2

interface Shape {
  path: string
  /** Undefined: a literal inside another declaration. */
  name: string | undefined
  isExported: boolean
  members: string
}

/**
 * Returns one line for each type that has the members of a type of another file, which it could use
 * instead.
 */
export function findTypeTwins(files: readonly { path: string; text: string }[]): string[] {
  const shapes = files
    .filter(({ path }) => PRODUCT.test(path))
    .flatMap(({ path, text }) => shapesIn(path, text))

  return [...Map.groupBy(shapes, ({ members }) => members).values()].flatMap((twins) => {
    const original =
      twins.find(({ isExported }) => isExported) ?? twins.find(({ name }) => name !== undefined)
    return twins
      .filter(
        ({ path, name }) =>
          original && path !== original.path && (name !== undefined || original.isExported),
      )
      .map(
        ({ path, name = 'a type' }) => `${path}: ${name} is ${original?.name} of ${original?.path}`,
      )
  })
}

function shapesIn(path: string, text: string): Shape[] {
  const shapes: Shape[] = []
  const visit = (node: ts.Node): void => {
    const isInterface = ts.isInterfaceDeclaration(node) && node.heritageClauses === undefined
    if ((isInterface || ts.isTypeLiteralNode(node)) && node.members.length >= MIN_MEMBERS) {
      const declaration = isInterface
        ? node
        : ts.isTypeAliasDeclaration(node.parent)
          ? node.parent
          : undefined
      shapes.push({
        path,
        name: declaration?.name.text,
        isExported:
          declaration?.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false,
        members: node.members.map(memberOf).sort().join(';'),
      })
    }
    ts.forEachChild(node, visit)
  }

  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  // Each thing has its own list of dependencies.
  return shapes.filter(({ name }) => name !== 'Deps')
}

/** The text of a member, without comments, however it is written. */
const memberOf = (member: ts.TypeElement): string =>
  member
    .getText()
    .replace(/^readonly |[;,]$/g, '')
    .replace(/\s+/g, ' ')
