import { Page } from '../../ui/page'

export function BrowsePage() {
  return <Page title="BrowsePage">{null}</Page>
}
