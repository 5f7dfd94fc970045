const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

/**
 * The text of the first element with this name and without children, or undefined. Reads untrusted
 * XML: limits keep the time linear, and only the five predefined entities are decoded.
 */
export function findText(xml: string, name: string): string | undefined {
  const pattern = new RegExp(
    `<(?:\\w{1,20}:)?${name}(?:\\s[^<>]{0,200})?>([^<]{0,2000})</(?:\\w{1,20}:)?${name}\\s?>`,
  )
  const text = pattern.exec(xml)?.[1]
  return text
    ?.trim()
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => ENTITIES[entity] ?? '')
}

/** The contents of the elements with this name; at most 100. */
export function elements(xml: string, name: string): string[] {
  const parts = xml.split(`<${name}>`, 101).slice(1)
  return parts.map((part) => part.split(`</${name}>`, 1)[0] ?? '')
}

export const escapeXml = (value: string | number): string =>
  String(value).replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`)
