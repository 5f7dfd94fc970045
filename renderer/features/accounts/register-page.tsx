import { Page } from '../../ui/page'

export function RegisterPage() {
  return <Page title="RegisterPage">{null}</Page>
}
