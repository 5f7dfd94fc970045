/** The part of a page by which a person without an account asks for notices. */
export interface NotifyView {
  /** What they hear of: `new releases`. */
  about: string
  /** Where the form for a mail address goes; null: this host sends no mail. */
  form: string | null
  /** What the form suggests. */
  email: string
  /** Where a browser subscribes, and with which key; null: this page has no script. */
  push: { path: string; key: string } | null
  /** The whole address of the Atom feed, with what it needs; null: there is none. */
  feed: string | null
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
      Get notified of {view.about}{' '}
      <span className="fine">
        {/* The script shows it where the browser can. */}
        <span data-push-word hidden>
          browser,{' '}
        </span>
        {listWays(view)}
      </span>
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

const listWays = ({ form }: NotifyView) => (form === null ? 'feed' : 'email, feed')

/** Hidden until the script knows what the browser can do (start-push.ts). */
const Push = ({ push }: { push: NonNullable<NotifyView['push']> }) => (
  <div className="notify-push" data-push={push.path} data-key={push.key} hidden>
    <button type="button" className="button medium quiet" aria-describedby="about-push">
      Notify me in this browser
    </button>
    <p className="fine" id="about-push" role="status" />
    <p className="problem" role="alert" />
  </div>
)

const Ways = ({ view: { form, email, push, feed, message, problem } }: { view: NotifyView }) => (
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
            defaultValue={email}
            required
            maxLength={254}
            autoComplete="email"
            aria-describedby="about-mails"
          />
          <button type="submit" className="button medium quiet">
            Email me
          </button>
        </div>
        <p className="fine" id="about-mails">
          The first email has a link that confirms the address. Each email has a link that stops
          them.
        </p>
      </form>
    )}
    {feed !== null && (
      <p className="fine">
        {form !== null && 'Or use a feed reader: '}
        <a href={feed}>Feed (Atom)</a>. Keep its address private.
      </p>
    )}
    {/* Last, so that the form stays where it is when the script shows it. */}
    {push !== null && <Push push={push} />}
  </>
)
