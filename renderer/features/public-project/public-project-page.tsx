import { Page } from '../../ui/page'

export function PublicProjectPage() {
  return <Page title="PublicProjectPage">{null}</Page>
}
