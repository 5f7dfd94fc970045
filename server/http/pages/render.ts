import type { ComponentType } from 'react'
import { Html } from './html'

/** Renders a component of renderer/visitor. React is loaded with the first page, because an idle host needs none. */
export async function render<Props extends object>(Page: ComponentType<Props>, props: Props): Promise<Html> {
  const [{ createElement }, { renderToStaticMarkup }] = await Promise.all([import('react'), import('react-dom/server')])
  return new Html(renderToStaticMarkup(createElement(Page, props)))
}
