import type { ComponentType } from 'react'
import type { NoticeProps } from '../../../renderer/visitor/parts/notice'
import type { Rooms } from '../../compose/context'
import { once, render, type Html } from '../../http/pages/html'

const loadFrame = once(() => import('../../../renderer/visitor/frame/frame'))
const loadNotice = once(() => import('../../../renderer/visitor/parts/notice'))

/** What header, banner and footer say of the host. */
type FramedBy = Pick<Rooms<'host'>['host'], 'version' | 'demo'>

/**
 * Renders a page between header and footer. `isSignedIn`: the header leads to the app instead of
 * the login.
 */
export async function renderFramed<Props extends object>(
  { version, demo }: FramedBy,
  Page: ComponentType<Props>,
  props: Props,
  isSignedIn = false,
): Promise<Html> {
  const { FramedPage } = await loadFrame()
  return render(FramedPage<Props>, { version, demo, isSignedIn, Page, props })
}

/** Renders a page with a single message. */
export async function renderNotice(host: FramedBy, notice: NoticeProps): Promise<Html> {
  const { Notice } = await loadNotice()
  return renderFramed(host, Notice, notice)
}
