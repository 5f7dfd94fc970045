/** An element of an XML text. */
export interface Element {
  attribute: (name: string) => string | null
  /** The text before the first element in it. */
  text: string
}

/**
 * A tag with its text. No two parts can match the same character, so that matching takes linear
 * time.
 */
const TAG = /<(?:[\w.-]+:)?([\w.-]+)((?:[\s/][^<>]*)?)>([^<]*)/g
const ATTRIBUTE = /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const MOST = 100
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/**
 * The first 100 elements with this name, in any namespace. Builds no tree, and expands no own
 * entities.
 */
export function findElements(xml: string, name: string): Element[] {
  const elements: Element[] = []
  for (const [, local, attributes = '', text = ''] of withoutComments(xml).matchAll(TAG)) {
    if (local !== name) continue
    elements.push({ attribute: (key) => findAttribute(attributes, key), text: plain(text.trim()) })
    if (elements.length === MOST) break
  }
  return elements
}

function findAttribute(attributes: string, key: string): string | null {
  for (const [, name, double, single] of attributes.matchAll(ATTRIBUTE))
    if (name === key) return plain(double ?? single ?? '')
  return null
}

function withoutComments(xml: string): string {
  const [first = '', ...others] = xml.split('<!--')
  const behind = others.map((part) =>
    part.includes('-->') ? part.slice(part.indexOf('-->') + 3) : '',
  )
  return [first, ...behind].join('')
}

function plain(text: string): string {
  return text.replaceAll(/&(#?\w{2,7});/g, (whole, name: string) => {
    const code = name.startsWith('#x')
      ? Number.parseInt(name.slice(2), 16)
      : Number.parseInt(name.slice(1), 10)
    const isCode = name.startsWith('#') && code <= 0x10ffff
    return ENTITIES.get(name) ?? (isCode ? String.fromCodePoint(code) : whole)
  })
}
