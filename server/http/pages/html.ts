import type { ComponentType } from 'react'
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

/** Returns a function that loads a module once: Node takes long to find it again. */
export function once<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined
  return () => (loading ??= load())
}

/** Loaded with the first page, because an idle host needs no page. */
const loadReact = once(() => Promise.all([import('react'), import('react-dom/server')]))

/** Renders a component of renderer/visitor. */
export async function render<Props extends object>(
  Page: ComponentType<Props>,
  props: Props,
): Promise<Html> {
  const [{ createElement }, { renderToStaticMarkup }] = await loadReact()
  return new Html(renderToStaticMarkup(createElement(Page, props)))
}

/** Renders a component as a complete document. */
export async function renderDocument<Props extends object>(
  Page: ComponentType<Props>,
  props: Props,
): Promise<string> {
  return `<!doctype html>\n${(await render(Page, props)).text}`
}
