interface PasswordPageProps {
  /** Where the form is sent. */
  action: string
  /** Why the last password did not open the link. */
  problem: string | undefined
  /** The username of the person who made the link. */
  sender: string
}

/** Asks for the password of a link. Names who made it, but not what it opens. */
export const PasswordPage = ({ action, problem, sender }: PasswordPageProps) => (
  <form className="tester" method="post" action={action}>
    <h1>This link needs a password</h1>
    <p>
      It is from{' '}
      <b>
        <bdi>{sender}</bdi>
      </b>
      , who knows the password.
    </p>
    <label htmlFor="password">Password</label>
    <input
      id="password"
      name="password"
      type="password"
      required
      maxLength={256}
      autoComplete="current-password"
      aria-invalid={problem === undefined ? undefined : true}
      aria-describedby={problem === undefined ? undefined : 'problem'}
    />
    {problem !== undefined && (
      <p id="problem" className="problem" role="alert">
        {problem}
      </p>
    )}
    <button type="submit" className="button medium">
      Open
    </button>
  </form>
)
