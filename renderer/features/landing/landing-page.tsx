import { Page } from '../../ui/page'

export function LandingPage() {
  return <Page title="LandingPage">{null}</Page>
}
