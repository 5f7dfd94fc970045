import { DEFAULT_DESCRIPTION, DEFAULT_TITLE } from '../../../server/contract/routes'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLoad } from '../../lib/client/use-load'
import { queryKeys } from '../../lib/client/query-keys'
import { useHost } from '../../lib/host/host'
import { useSession } from '../../lib/session/session'
import { useHead } from '../../lib/texts/head'
import { Loaded } from '../../ui/feedback/loaded'
import { CardGridSkeleton } from '../../ui/table/card-grid'
import { useNow } from '../../ui/text/use-now'
import { LandingPage as Page } from '../../visitor/landing/landing-page'

const SetUpHost = lazyPage(() => import('../accounts/register-page'), 'SetUpHost')

const LATEST = 6

export function LandingPage() {
  return useHost().needs_setup ? <SetUpHost /> : <VisitorLanding />
}

function VisitorLanding() {
  useHead({ title: DEFAULT_TITLE, description: DEFAULT_DESCRIPTION, canonical: '/' })
  const { status } = useSession()
  const { share_url, registration_open, largest_file } = useHost()
  const now = useNow()
  const latest = useLoad(queryKeys.projects.latest, (client, signal) =>
    client.projects.listPublic({ limit: LATEST }, signal),
  )

  return (
    <div className="visitor">
      <Page
        url={share_url}
        registrationOpen={registration_open}
        session={status}
        largestFile={largest_file}
        now={now}
        projects={latest.data?.projects}
        waiting={
          <Loaded
            query={latest}
            title="The projects could not be loaded"
            skeleton={<CardGridSkeleton cards={3} />}
          />
        }
      />
    </div>
  )
}
