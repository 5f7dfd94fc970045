/** A form of an account, as the page of the server and the app show it. */
export interface AccountForm {
  title: string
  text: string
  /** Fallback error when the host gives no reason. */
  failed: string
  unreachable: string
}

export const loginForm: AccountForm = {
  title: 'Login',
  text: 'Log in to publish builds and see downloads.',
  failed: 'Login failed',
  unreachable: 'An error occurred during login',
}

export const registerForm: AccountForm = {
  title: 'Register',
  text: 'Create an account to publish on this host.',
  failed: 'Registration failed',
  unreachable: 'An error occurred during registration',
}

export const newPasswordForm: AccountForm = {
  title: 'New password',
  text: 'Choose a new password for your account.',
  failed: 'Failed to set the password',
  unreachable: 'An error occurred while setting the password',
}

export const forgottenForm: AccountForm = {
  title: 'Forgot your password?',
  text: 'Get an email with a link to set a new one.',
  failed: 'Failed to ask for a link',
  unreachable: 'An error occurred while asking for a link',
}

const forgottenAdvice = 'Ask the person who runs this host for a link that sets a new one.'

export const accountTexts = {
  usernameAtLogin: 'Your email address works too',
  usernameAtRegistration: 'Shown on everything you publish',
  passwordsDiffer: 'Passwords do not match',
  registered: 'Registration successful! Please log in.',
  /** For a login or registration that takes seconds, which slows guessing. */
  checking: 'Checking …',
  byPasskey: 'Sign in with a passkey',
  continueWith: (provider: string) => `Continue with ${provider}`,
  forgotten: `Forgot your password? ${forgottenAdvice}`,
  forgottenAdvice,
  forgottenByMail: 'Forgot your password?',
  closed: 'Registration is closed',
  closedAtLogin: 'This host does not accept new accounts.',
  closedAdvice: 'This host does not accept new accounts. Ask the person who runs it for one.',
  unreachable:
    'The host cannot be reached. Check that it is running and that you are on its network, ' +
    'then try again.',
} as const

export type Strength = 'weak' | 'fair' | 'good' | 'strong'

const alphabets = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/]

/** Rates a password: length counts most, then kinds of characters; repetition lowers it. */
export function strengthOf(password: string): Strength {
  const different = new Set(password.toLowerCase()).size
  const kinds = alphabets.filter((alphabet) => alphabet.test(password)).length
  const length = Math.min(password.length, different * 2)
  if (length < 8) return 'weak'
  if (length < 12) return kinds >= 3 ? 'good' : 'fair'
  return length >= 16 || kinds >= 3 ? 'strong' : 'good'
}

/** Advice only: the contract sets the rule. `value`: of a bar, in percent. */
export const strengthTexts = {
  weak: { value: 25, text: 'Weak. Use 12 characters or more.' },
  fair: { value: 50, text: 'Fair. Use 12 characters or more.' },
  good: { value: 75, text: 'Good' },
  strong: { value: 100, text: 'Strong' },
} as const
