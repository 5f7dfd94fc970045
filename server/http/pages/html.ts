/** A piece of HTML that is safe to send: made by `markup` or `render`. */
export class Html {
  constructor(readonly text: string) {}
}

type Value = Html | string | number | false | undefined | readonly Html[]

/** A template of HTML that escapes every value which is not HTML itself. `false` and `undefined` add nothing. */
export function markup(literals: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(String.raw({ raw: literals }, ...values.map(written)))
}

function written(value: Value): string {
  if (value instanceof Html) return value.text
  if (value === false || value === undefined) return ''
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return String(value).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
