import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import type { Page } from '../../http/pages/static-ui'
import { accessFormPage } from './access-pages'
import { noticePage } from './notice-page'
import { ownReportPage } from './own-report'
import { publicReportPage } from './report-form'
import { requestPage } from './request-page'
import { sharePage } from './share-page'
import { testerPage } from './tester-page'

type Deps = Rooms<
  'accounts' | 'data' | 'files' | 'host' | 'network' | 'notices' | 'projects' | 'transfers'
>

/** Renders the pages of links for people without an account. Returns undefined elsewhere. */
export function linkPages(context: Deps): (ctx: Context) => Promise<Page | undefined> {
  const pages = [
    ...[testerPage, sharePage, requestPage, noticePage],
    ...[ownReportPage, publicReportPage, accessFormPage],
  ].map((page) => page(context))

  return async (ctx) => {
    for (const page of pages) {
      const found = await page(ctx)
      if (found) return found
    }
    return undefined
  }
}
