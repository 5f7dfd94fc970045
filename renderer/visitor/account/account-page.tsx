import type { ReactNode } from 'react'
import { routes } from '../../../server/contract/routes'
import {
  accountTexts,
  loginForm,
  registerForm,
  type AccountForm,
} from '../../../server/texts/account-texts'
import { NameMark } from '../parts/icons'

interface AccountPageProps {
  registrationOpen: boolean
  passkeyOrigins: readonly string[]
  /** The provider of single sign-on, and where that begins. */
  provider: { name: string; url: string } | null
  /** Whether the host mails links for new passwords. */
  sendsMail: boolean
}

/** The login page before the app has loaded; account-form.ts sends its form. */
export const LoginPage = ({
  registrationOpen,
  passkeyOrigins,
  provider,
  sendsMail,
}: AccountPageProps) => (
  <AccountCard
    form={loginForm}
    footer={
      <>
        {registrationOpen ? (
          <>
            No account yet? <a href={routes.register}>Register</a>
          </>
        ) : (
          accountTexts.closedAtLogin
        )}
        <br />
        {sendsMail ? (
          <a href={routes.forgotPassword}>{accountTexts.forgottenByMail}</a>
        ) : (
          accountTexts.forgotten
        )}
        {/* Last, so that nothing moves when the script shows it. */}
        <span data-passkeys={passkeyOrigins.join(' ')} hidden>
          <br />
          <a href={routes.loginFactor}>{accountTexts.byPasskey}</a>
        </span>
      </>
    }
  >
    <Form name="login" button={loginForm.title}>
      <Field
        name="username"
        label="Username"
        help={accountTexts.usernameAtLogin}
        complete="username"
        autoFocus
      />
      <Field name="password" label="Password" type="password" complete="current-password" />
    </Form>
    {provider && (
      <div className="account-provider">
        <p className="fine">or</p>
        {/* Disabled as the form is, until the script has loaded. */}
        <a
          className="button medium quiet"
          role="link"
          aria-disabled="true"
          data-provider={provider.url}
        >
          {accountTexts.continueWith(provider.name)}
        </a>
      </div>
    )}
  </AccountCard>
)

/**
 * The registration page before the app has loaded. Setup and invite links open the one of the app.
 */
export const RegisterPage = ({ registrationOpen }: AccountPageProps) => (
  <AccountCard
    form={registerForm}
    footer={
      <>
        Have an account? <a href={routes.login}>Login</a>
      </>
    }
  >
    {registrationOpen ? (
      <Form name="register" button={registerForm.title}>
        <Field
          name="username"
          label="Username"
          help={accountTexts.usernameAtRegistration}
          complete="username"
          autoFocus
        />
        <Field name="email" label="Email" type="email" complete="email" />
        <Field name="password" label="Password" type="password" complete="new-password">
          <div className="strength" role="status">
            <progress max={100} value={0} aria-hidden="true" hidden />
            <span className="fine" />
          </div>
        </Field>
        <Field
          name="confirmation"
          label="Confirm password"
          type="password"
          complete="new-password"
        />
      </Form>
    ) : (
      <div className="account-closed">
        <b>{accountTexts.closed}</b>
        <p>{accountTexts.closedAdvice}</p>
      </div>
    )}
  </AccountCard>
)

const AccountCard = ({
  form,
  footer,
  children,
}: {
  form: AccountForm
  footer: ReactNode
  children: ReactNode
}) => (
  <div className="account">
    <div className="card">
      <div className="account-head">
        <NameMark size={40} />
        <h1>{form.title}</h1>
        <p>{form.text}</p>
      </div>
      {children}
    </div>
    <p className="account-foot">{footer}</p>
  </div>
)

/** Disabled until its script has loaded: a plain submit would put the password into the address. */
const Form = ({
  name,
  button,
  children,
}: {
  name: 'login' | 'register'
  button: string
  children: ReactNode
}) => (
  <form method="post" data-account={name} noValidate>
    <div role="status" />
    <div role="alert" />
    {children}
    <button type="submit" className="button medium" disabled>
      {button}
    </button>
    <noscript>
      <p className="problem">This form needs JavaScript.</p>
    </noscript>
  </form>
)

interface FieldProps {
  name: string
  label: string
  help?: string
  type?: 'text' | 'email' | 'password'
  complete: string
  autoFocus?: boolean
  children?: ReactNode
}

const Field = ({ name, label, help, type = 'text', complete, autoFocus, children }: FieldProps) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    {help !== undefined && (
      <p className="fine" id={`${name}-help`}>
        {help}
      </p>
    )}
    <div className="input">
      <input
        id={name}
        name={name}
        type={type}
        autoComplete={complete}
        autoCapitalize="none"
        spellCheck={false}
        autoFocus={autoFocus}
        aria-describedby={`${help === undefined ? '' : `${name}-help `}${name}-problem`}
      />
      {type === 'password' && (
        <button
          type="button"
          className="show"
          aria-label="Show password"
          aria-pressed="false"
          aria-controls={name}
          disabled
        >
          <Eye />
        </button>
      )}
    </div>
    <p className="problem" id={`${name}-problem`} />
    {children}
  </div>
)

const Eye = () => (
  <svg className="icon" viewBox="0 0 24 24" width={18} height={18} aria-hidden="true">
    <path
      d={
        'M10 12a2 2 0 1 0 4 0a2 2 0 0 0 -4 0M21 12c-2.4 4 -5.4 6 -9 6c-3.6 0 -6.6 -2 -9 -6c2.4 ' +
        '-4 5.4 -6 9 -6c3.6 0 6.6 2 9 6'
      }
    />
  </svg>
)
