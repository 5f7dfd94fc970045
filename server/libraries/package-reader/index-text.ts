import { LINE_ENDS, oneLine } from '../../contract/unseen.ts'
import { Unreadable } from './look.ts'

const UNSAFE_IN_LINES = new RegExp(`(?![\\n\\t])[${LINE_ENDS}]`, 'gu')

/** One line of at most so many characters, for a feed. */
export const toLine = (text = '', most = 1000): string => oneLine(text.slice(0, most))

/** Text of several lines for a feed. */
export const toLines = (text = '', most = 4000): string =>
  text.slice(0, most).replaceAll('\r\n', '\n').replaceAll(UNSAFE_IN_LINES, ' ').trim()

/** A name that would mean something else if it were changed. Throws Unreadable. */
export function exactLine(text: string): string {
  if (text !== '' && text === toLine(text)) return text
  throw new Unreadable('This package contains a name that no repository can list.')
}

/** A field of a control file. */
export interface ControlField {
  name: string
  value: string
  /** The lines that continue the value, with the space at their beginning. */
  more: string[]
}

/**
 * Reads the fields of a control file in order. `syntax`: matches a line with its name and value;
 * lines that begin with a space continue one.
 */
export function readFields(text: string, syntax: RegExp): ControlField[] {
  const fields: ControlField[] = []
  let current: ControlField | undefined
  for (const line of text.split('\n')) {
    const [, name, value = ''] = syntax.exec(line) ?? []
    if (name !== undefined) fields.push((current = { name, value: value.trim(), more: [] }))
    else if (/^[ \t]+\S/.test(line)) current?.more.push(line.trimEnd())
    else if (line.trim() !== '') current = undefined
  }
  return fields
}

/** Prints a field as `Name: value`, with the lines that continue it. */
export const printField = ({ name, value, more }: ControlField): string =>
  `${[`${name}: ${value}`.trimEnd(), ...more].join('\n')}\n`
