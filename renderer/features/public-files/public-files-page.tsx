import { Page } from '../../ui/page'

export function PublicFilesPage() {
  return <Page title="PublicFilesPage">{null}</Page>
}
