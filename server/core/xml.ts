import sax from 'sax'

/** Documents of real routers and packages have small faults, such as a bare `&`. */
const MOST_FAULTS = 10
const MOST_FOUND = 100
/** sax copies an unfinished declaration for each character of it. */
const CHUNK = 4096

/** An element of an XML text. */
export interface Element {
  /** The name without its prefix. */
  name: string
  attribute: (name: string) => string | null
  /** The text directly in it, trimmed. Complete once the element is closed. */
  text: string
  parent: Element | undefined
}

interface Handlers {
  open?: (element: Element) => void
  close?: (element: Element) => void
}

/**
 * Reads an XML text (XML 1.0) without building a tree. Supports CDATA, character references and the
 * five predefined entities; expands no others. Stops after the tenth error.
 */
export function readXml(xml: string, { open, close }: Handlers): void {
  const parser = sax.parser(true) as sax.SAXParser & { sgmlDecl: string }
  const elements: Element[] = []
  let faults = 0

  const addText = (text: string) => {
    const element = elements.at(-1)
    if (element) element.text += text
  }

  parser.ontext = addText
  parser.oncdata = addText
  parser.onopentag = ({ name, attributes }) => {
    const attribute = (key: string) => attributes[key] as string | undefined
    const element: Element = {
      name: localName(name),
      attribute: (key) => attribute(key) ?? null,
      text: '',
      parent: elements.at(-1),
    }
    elements.push(element)
    open?.(element)
  }
  parser.onclosetag = () => {
    const element = elements.pop()
    if (!element) return
    element.text = element.text.trim()
    close?.(element)
  }
  parser.onerror = (error) => {
    if (++faults > MOST_FAULTS) throw error
    parser.error = null as unknown as Error
  }

  try {
    for (let at = 0; at < xml.length && parser.sgmlDecl.length < CHUNK; at += CHUNK)
      parser.write(xml.slice(at, at + CHUNK))
    parser.close()
  } catch (error) {
    if (faults <= MOST_FAULTS) throw error
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** The first 100 elements with this name, in any namespace. */
export function findElements(xml: string, name: string): Element[] {
  const elements: Element[] = []
  readXml(xml, {
    open: (element) => {
      if (element.name === name && elements.length < MOST_FOUND) elements.push(element)
    },
  })
  return elements
}
