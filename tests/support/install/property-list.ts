const TOKEN =
  /<\?xml[^>]*\?>|<!DOCTYPE[^>]*>|<(\/?)(plist|dict|array|key|string)( version="1\.0")?>|([^<]+)/y

type Value = string | Value[] | { [key: string]: Value }

/**
 * Reads a property list in XML of dictionaries, arrays and strings, as Apple's DTD "PLIST 1.0"
 * describes it. Throws for anything else.
 */
export function propertyList(xml: string): Value {
  const tokens = tokensOf(xml)
  let at = 0
  const next = () => tokens[at++] ?? 'the end'
  const expectNext = (wanted: string) => {
    const got = next()
    if (got !== wanted) throw new Error(`Expected ${wanted}, got ${got}`)
  }
  const textUntil = (end: string) => {
    const text = tokens[at]?.startsWith('<') === false ? unescaped(next()) : ''
    expectNext(end)
    return text
  }
  const value = (): Value => {
    const opening = next()
    if (opening === '<string>') return textUntil('</string>')
    if (opening === '<array>') {
      const items: Value[] = []
      while (tokens[at] !== '</array>') items.push(value())
      at++
      return items
    }
    if (opening !== '<dict>') throw new Error(`Expected a value, got ${opening}`)
    const entries: [string, Value][] = []
    while (tokens[at] !== '</dict>') {
      expectNext('<key>')
      entries.push([textUntil('</key>'), value()])
    }
    at++
    return Object.fromEntries(entries)
  }
  expectNext('<plist>')
  const root = value()
  expectNext('</plist>')
  if (at !== tokens.length) throw new Error('There is more after the end')
  return root
}

/** Tags, and texts in their elements; without white space between tags. */
function tokensOf(xml: string): string[] {
  // oxlint-disable-next-line no-control-regex -- XML 1.0 cannot contain these (section 2.2)
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(xml) || !xml.isWellFormed())
    throw new Error('Not XML 1.0')
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < xml.length) {
    const start = TOKEN.lastIndex
    const match = TOKEN.exec(xml)
    if (!match) throw new Error(`Cannot read ${xml.slice(start, start + 40)}`)
    const [, slash, name, , text] = match
    if (name !== undefined) tokens.push(`<${slash}${name}>`)
    else if (text?.trim()) tokens.push(text)
  }
  return tokens
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const unescaped = (text: string) =>
  text.replace(/&(?:([#\w]+);)?/g, (_all, name: string | undefined) => {
    const character = ENTITIES[name ?? '']
    if (character === undefined) throw new Error(`Unknown entity ${name}`)
    return character
  })
