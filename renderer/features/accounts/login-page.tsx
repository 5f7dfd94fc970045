import { Page } from '../../ui/page'

export function LoginPage() {
  return <Page title="LoginPage">{null}</Page>
}
