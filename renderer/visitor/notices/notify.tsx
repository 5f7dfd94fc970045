/** The part of a page by which a person without an account asks for notices. */
export interface NotifyView {
  /** What they hear of: `new releases`. */
  about: string
  /** Where the form for a mail address goes; null: this host sends no mail. */
  form: string | null
  /** The whole address of the Atom feed, with what it needs. */
  feed: string
  /** What came of the last form. */
  message: string | null
  problem: string | null
}

/** Folded on the page of testers, where the download comes first. */
export const NotifyFolded = ({ view }: { view: NotifyView }) => (
  <details
    className="notify"
    id="notices"
    open={view.message !== null || view.problem !== null || undefined}
  >
    <summary>
      Get notified of {view.about} <span className="fine">{listWays(view)}</span>
    </summary>
    <Ways view={view} />
  </details>
)

export const Notify = ({ view }: { view: NotifyView }) => (
  <section className="notify" id="notices" aria-labelledby="notify">
    <h2 className="small" id="notify">
      Get notified of {view.about}
    </h2>
    <Ways view={view} />
  </section>
)

const listWays = ({ form }: NotifyView) => (form === null ? 'feed' : 'mail, feed')

const Ways = ({ view: { form, feed, message, problem } }: { view: NotifyView }) => (
  <>
    {message !== null && <p role="status">{message}</p>}
    {problem !== null && (
      <p className="problem" role="alert">
        {problem}
      </p>
    )}
    {form !== null && (
      <form method="post" action={form}>
        <label htmlFor="email">Your email address</label>
        <div className="notify-line">
          <input
            id="email"
            name="email"
            type="email"
            required
            maxLength={254}
            autoComplete="email"
            aria-describedby="about-mails"
          />
          <button type="submit" className="button medium quiet">
            Send me mails
          </button>
        </div>
        <p className="fine" id="about-mails">
          The first mail has a link that confirms the address. Each mail has a link that ends them.
        </p>
      </form>
    )}
    <p className="fine">
      {form !== null && 'Or use a feed reader: '}
      <a href={feed}>Feed (Atom)</a>. Its address is yours alone; do not share it.
    </p>
  </>
)
