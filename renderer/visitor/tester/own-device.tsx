import { Time } from '../parts/text'

/** The iPhone or iPad of a tester, and how it sends its identifier. */
export interface OwnDeviceView {
  name: 'iPhone' | 'iPad'
  owner: string
  /** UTC ISO 8601; null: it was not sent. */
  sentAt: string | null
  /** Path of the profile; null: this page did not come over HTTPS. */
  profile: string | null
  /** The address of this page over HTTPS; null: there is none. */
  secure: string | null
}

export const OwnDevice = ({ view, now }: { view: OwnDeviceView; now: Date }) => (
  <section aria-labelledby="device">
    <h2 id="device">This {view.name}</h2>
    {view.sentAt === null ? (
      <Send view={view} />
    ) : (
      <p role="status">
        {view.owner} got its identifier <Time value={view.sentAt} now={now} inSentence />, and can
        include it in the next build.
      </p>
    )}
  </section>
)

function Send({ view: { name, owner, profile, secure } }: { view: OwnDeviceView }) {
  return (
    <>
      <p>
        Test builds start only on devices that {owner} registered with Apple. Send the identifier of
        this {name}; {owner} gets it and the model, and nothing is installed.
      </p>
      {profile !== null ? (
        <>
          <ol className="steps">
            <li>Tap the button in Safari, and allow the download of the profile.</li>
            <li>Open Settings, tap “Profile Downloaded”, then “Install”. It says “Not Signed”.</li>
            <li>Safari opens this page again, and says that the identifier was sent.</li>
          </ol>
          <a className="button medium" href={profile}>
            Send identifier
          </a>
        </>
      ) : secure !== null ? (
        <a className="button medium quiet" href={secure}>
          Open the secure page
        </a>
      ) : (
        <p className="dimmed">This needs HTTPS, which this host does not have yet.</p>
      )}
    </>
  )
}
