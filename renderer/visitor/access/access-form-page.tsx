import type { AccessFormView } from '../../../server/texts/request-view'

/** Asks for access to a beta. Works without scripts. */
export const AccessFormPage = ({ view }: { view: AccessFormView }) => {
  const { title, back, note, form, key, longest, problem } = view

  return (
    <article className="request-page">
      <header>
        <h1>Ask for access</h1>
        <p className="byline">
          <span>
            To test{' '}
            <a href={back}>
              <bdi>{title}</bdi>
            </a>
          </span>
          <span>No account needed</span>
        </p>
      </header>
      {note !== '' && (
        <p className="words" dir="auto">
          {note}
        </p>
      )}
      <form method="post" action={form}>
        <input type="hidden" name="key" value={key} />
        <label htmlFor="name">
          Your name <span className="dimmed">(optional)</span>
        </label>
        <input id="name" name="name" maxLength={60} autoComplete="name" />
        <label htmlFor="email">
          Your email address <span className="dimmed">(optional)</span>
        </label>
        <input
          id="email"
          name="email"
          type="email"
          maxLength={254}
          autoComplete="email"
          aria-describedby="about-email"
        />
        <p className="fine" id="about-email">
          Only so that the project team can reach you.
        </p>
        <label htmlFor="note">
          Why do you want to test it? <span className="dimmed">(optional)</span>
        </label>
        <textarea id="note" name="note" maxLength={longest} rows={4} />
        <p className="problem" role="alert">
          {problem}
        </p>
        <button type="submit" className="button medium">
          Ask for access
        </button>
      </form>
      <p className="dimmed">
        You get a private page. When your request is approved, the downloads are on it.
      </p>
    </article>
  )
}
