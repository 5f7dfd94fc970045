import type { ComponentType } from 'react'
import { Html } from './html'

/** Renders a component of renderer/visitor. React is loaded with the first page, because an idle host needs none. */
export async function render<Props extends object>(Page: ComponentType<Props>, props: Props): Promise<Html> {
  const [{ createElement }, { renderToStaticMarkup }] = await Promise.all([import('react'), import('react-dom/server')])
  return new Html(renderToStaticMarkup(createElement(Page, props)))
}

/** Renders a component that is a whole page of its own. */
export async function renderDocument<Props extends object>(Page: ComponentType<Props>, props: Props): Promise<string> {
  return `<!doctype html>\n${(await render(Page, props)).text}`
}
