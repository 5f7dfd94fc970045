import { Page } from '../../ui/page'

export function NotFoundPage() {
  return <Page title="NotFoundPage">{null}</Page>
}
