import { formatDate, formatQuantity } from '../../../server/texts/format'
import type { ShareView } from '../../../server/texts/share-view'
import { Build } from '../install/install-build'

/** Offers the file of a share link. Works without scripts. */
export const SharePage = ({ view }: { view: ShareView }) => (
  <article className="install-page share-page">
    <header>
      <h1>
        <bdi>{view.owner}</bdi> shares a file with you
      </h1>
      <p className="byline">
        <span>
          The link works until <time dateTime={view.until}>{formatDate(view.until)}</time>
        </span>
        {view.left !== null && <span>{formatQuantity(view.left, 'download')} left</span>}
      </p>
    </header>
    <div className="install-main">
      <Build view={view} build={view.build} />
    </div>
  </article>
)
