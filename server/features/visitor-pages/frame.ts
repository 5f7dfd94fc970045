import type { ComponentType } from 'react'
import type { Html } from '../../http/pages/html'
import { render } from '../../http/pages/render'

/** Renders a page for visitors between header and footer. `version`: of the host. */
export async function renderFramed<Props extends object>(
  version: string,
  Page: ComponentType<Props>,
  props: Props,
): Promise<Html> {
  const { FramedPage } = await import('../../../renderer/visitor/frame/frame')
  return render(FramedPage<Props>, { version, Page, props })
}

/** Renders a page that says one thing. */
export async function renderNotice(version: string, notice: { title: string; text: string }): Promise<Html> {
  const { Notice } = await import('../../../renderer/visitor/parts/notice')
  return renderFramed(version, Notice, notice)
}
