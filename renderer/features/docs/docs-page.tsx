import { Page } from '../../ui/page'

export function DocsPage() {
  return <Page title="DocsPage">{null}</Page>
}
