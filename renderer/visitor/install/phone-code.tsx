import { routes } from '../../../server/contract/routes'
import type { InstallView } from '../../../server/texts/install-view'
import { PageCode } from '../parts/page-code'

/** The page as a QR code, for the camera of a phone. */
export function PhoneCode({ code }: { code: NonNullable<InstallView['code']> }) {
  const { address, isReachable, isForHost, platforms } = code

  return (
    <aside className="phone-code" aria-labelledby="phone">
      <h2 id="phone">On a phone</h2>
      <p>
        {platforms.length > 0
          ? 'Scan this code with the camera. The phone gets the newest build that fits it.'
          : 'There is no build for phones yet. The code opens this page.'}
      </p>
      <PageCode value={address} />
      <p>
        <code>{address}</code>
      </p>
      {!isReachable && (
        <p className="alone">
          Only this computer can open this link.{' '}
          {isForHost ? (
            <a href={routes.host}>Share on this network</a>
          ) : (
            'Ask the host to share it.'
          )}
        </p>
      )}
    </aside>
  )
}
