import type { ComponentType } from 'react'
import type { NoticeProps } from '../../../renderer/visitor/parts/notice'
import { once, render, type Html } from '../../http/pages/html'

const loadFrame = once(() => import('../../../renderer/visitor/frame/frame'))
const loadNotice = once(() => import('../../../renderer/visitor/parts/notice'))

/**
 * Renders a page between header and footer. `version` is that of the host. `isSignedIn`: the header
 * leads to the app instead of the login.
 */
export async function renderFramed<Props extends object>(
  version: string,
  Page: ComponentType<Props>,
  props: Props,
  isSignedIn = false,
): Promise<Html> {
  const { FramedPage } = await loadFrame()
  return render(FramedPage<Props>, { version, isSignedIn, Page, props })
}

/** Renders a page with a single message. */
export async function renderNotice(version: string, notice: NoticeProps): Promise<Html> {
  const { Notice } = await loadNotice()
  return renderFramed(version, Notice, notice)
}
