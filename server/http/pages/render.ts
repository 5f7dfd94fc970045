import type { ComponentType } from 'react'
import { Html } from './html'

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
