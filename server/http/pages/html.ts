import { escapeHtml } from '../../texts/format'

/** A piece of HTML that is safe to send: made by `markup` or `render`. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | false | undefined | readonly Html[]

/**
 * A template of HTML that escapes every value which is not HTML itself. `false` and `undefined` add
 * nothing.
 */
export function markup(literals: TemplateStringsArray, ...values: Value[]): Html {
  let [text = ''] = literals
  for (let at = 0; at < values.length; at++) text += written(values[at]) + (literals[at + 1] ?? '')
  return new Html(text)
}

function written(value: Value): string {
  if (value instanceof Html) return value.text
  if (value === false || value === undefined) return ''
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escapeHtml(String(value))
}
