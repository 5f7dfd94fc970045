import { routes } from '../server/contract/routes'
import {
  accountTexts,
  loginForm,
  registerForm,
  strengthOf,
  strengthTexts,
} from '../server/texts/account-texts'
import { isAppWindow } from './lib/browser/desktop'
import { ApiError, createClient } from './lib/client/api-client'
import { explainFailure, failureField } from './lib/client/failure'
import type { SignInState } from './lib/session/sign-in-state'

/** How long the message of the registration stays, in ms. */
const CLEARS_AFTER = 3000
/** After this, a form says that the host is still checking, in ms. */
const SLOW_MS = 2000

const client = createClient('')

/** Sends a form of the login or registration page. */
export function startAccountForm(form: HTMLFormElement): void {
  const isLogin = form.dataset['account'] === 'login'
  const button = part(form, 'button[type=submit]')
  let isSending = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    button.dataset['loading'] = 'true'
    const status = part(form, '[role=status]')
    const timer = setTimeout(() => {
      // It would say that the check has failed.
      part(form, '[role=alert]').replaceChildren()
      status.style.visibility = ''
      status.textContent = accountTexts.checking
    }, SLOW_MS)
    void submit(form, isLogin).finally(() => {
      isSending = false
      clearTimeout(timer)
      status.textContent = ''
      delete button.dataset['loading']
    })
  })

  form.addEventListener('input', () => void loadRules().catch(() => undefined), { once: true })
  form.addEventListener('input', ({ target }) => clearMistake(form, target as HTMLInputElement))
  for (const show of form.querySelectorAll<HTMLElement>('.show'))
    show.addEventListener('click', () => toggle(form, show))

  if (isLogin) welcome(form)
  else rate(form)
  keepReturn()
  offerPasskeys()
  offerProvider()
  for (const waiting of form.querySelectorAll(':disabled')) waiting.removeAttribute('disabled')
  // Noted by visitor.ts.
  if ('entered' in form.dataset) form.requestSubmit()
}

async function submit(form: HTMLFormElement, isLogin: boolean): Promise<void> {
  const values = valuesOf(form)
  const mistakes = await findMistakes(values, isLogin)
  if (Object.keys(mistakes).length > 0) return showMistakes(form, mistakes)

  try {
    await (isLogin ? login(values) : register(values))
    clear(form)
  } catch (cause) {
    const failure = explainFailure(isLogin ? loginForm : registerForm)(cause)
    const field = failureField(cause, Object.keys(values))
    if (field === undefined) showFailure(form, failure)
    else showMistakes(form, { [field]: failure.text })
  }
}

/** Loads when something is typed: the page does not need them to begin with. */
const loadRules = () => import('../server/contract')

/** Mistakes by field. The host finds them too, if the rules do not arrive. */
async function findMistakes(
  values: Record<string, string>,
  isLogin: boolean,
): Promise<Record<string, string>> {
  const { password, confirmation } = values
  const mistakes: Record<string, string> = {}
  if (!isLogin && password !== confirmation) mistakes['confirmation'] = accountTexts.passwordsDiffer
  const rules = await loadRules().catch(() => undefined)
  const { input } = rules?.api.accounts[isLogin ? 'login' : 'register'] ?? {}
  for (const { path, message } of input?.safeParse(values).error?.issues ?? [])
    mistakes[String(path[0])] ??= message
  return mistakes
}

async function login({ username = '', password = '' }: Record<string, string>): Promise<void> {
  const { from } = stateOf()
  try {
    await client.accounts.login({ username, password })
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'factor_needed') throw cause
    return open(routes.loginFactor, { ...cause.next, from, username })
  }

  // Two slashes would begin the address of another host.
  window.location.replace((from ?? routes.dashboard).replace(/^[/\\]+/, '/'))
}

async function register({ username = '', email = '', password = '' }: Record<string, string>) {
  await client.accounts.register({ username, email, password })
  open(routes.login, { from: stateOf().from, message: accountTexts.registered, username })
}

/**
 * The state that the app or the registration stored in the history entry, where the router keeps
 * it.
 */
const stateOf = (): SignInState => (window.history.state as { usr?: SignInState } | null)?.usr ?? {}

function open(
  path: string,
  usr: { [Name in keyof SignInState]: SignInState[Name] | undefined },
): void {
  window.history.pushState({ usr }, '', path)
  window.location.reload()
}

/** Login and registration lead to each other without forgetting the page that asked. */
function keepReturn(): void {
  const { from } = stateOf()
  if (from === undefined) return
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.account-foot a'))
    lead(link, { from })
}

/** Only a page of this host can say that a person has chosen the provider: one press then does. */
function offerProvider(): void {
  const link = document.querySelector<HTMLAnchorElement>('.account-provider a')
  // The app window opens no pages of others.
  if (isAppWindow()) return link?.parentElement?.remove()
  if (!link) return
  link.href = link.dataset['provider'] ?? ''
  link.removeAttribute('role')
  link.removeAttribute('aria-disabled')
  // The other address of the host asks by itself.
  if (link.origin === location.origin) lead(link, { from: stateOf().from, hasChosenProvider: true })
}

function lead(link: HTMLAnchorElement, state: SignInState): void {
  link.addEventListener('click', (event) => {
    event.preventDefault()
    open(link.pathname, state)
  })
}

/** Passkeys work at some addresses of the host only. */
function offerPasskeys(): void {
  const offer = document.querySelector<HTMLElement>('[data-passkeys]')
  const origins = offer?.dataset['passkeys']?.split(' ') ?? []
  if (offer && 'PublicKeyCredential' in window) offer.hidden = !origins.includes(location.origin)
}

/** Shows the message that registration passed on. Focuses the password if the name is known. */
function welcome(form: HTMLFormElement): void {
  const { message, username } = stateOf()
  const [name, password] = inputsOf(form)
  // Firefox and Safari fill it in by themselves, because the page was reloaded.
  if (username !== undefined && name && ['', username].includes(name.value)) {
    name.value = username
    // After `autofocus`, which Safari obeys although another field has the focus.
    requestAnimationFrame(() => password?.focus())
  }

  const place = part(form, '[role=status]')
  place.textContent = message ?? ''
  setTimeout(() => {
    // By then it may say that a login is being checked. It keeps its room: nothing moves.
    if (place.textContent === message) place.style.visibility = 'hidden'
  }, CLEARS_AFTER)
}

/** Rates a new password while it is typed. */
function rate(form: HTMLFormElement): void {
  const bar = part(form, 'progress')
  const input = part(form, '#password') as HTMLInputElement
  const show = () => {
    const { value, text } = strengthTexts[strengthOf(input.value)]
    bar.hidden = input.value === ''
    bar.setAttribute('value', String(value))
    part(form, '.strength .fine').textContent = input.value === '' ? '' : text
  }
  input.addEventListener('input', show)
  // Typed before this script had loaded.
  show()
}

function showFailure(
  form: HTMLFormElement,
  { text, detail }: ReturnType<ReturnType<typeof explainFailure>>,
): void {
  clear(form)
  const title = document.createElement('b')
  title.textContent = text
  part(form, '[role=alert]').replaceChildren(title, ...(detail === undefined ? [] : [detail]))
}

/** Shows each mistake at its field. Screen readers read that of the first, which gets the focus. */
function showMistakes(form: HTMLFormElement, mistakes: Record<string, string>): void {
  clear(form)
  const wrong = inputsOf(form).filter(({ name }) => name in mistakes)
  for (const input of wrong) {
    part(form, `#${input.name}-problem`).textContent = mistakes[input.name] ?? ''
    input.setAttribute('aria-invalid', 'true')
  }
  wrong[0]?.focus()
}

function clear(form: HTMLFormElement): void {
  part(form, '[role=alert]').replaceChildren()
  for (const input of inputsOf(form)) clearMistake(form, input)
}

function clearMistake(form: HTMLFormElement, input: HTMLInputElement): void {
  input.removeAttribute('aria-invalid')
  part(form, `#${input.name}-problem`).textContent = ''
}

function toggle(form: HTMLFormElement, button: HTMLElement): void {
  const input = part(form, `#${button.getAttribute('aria-controls')}`) as HTMLInputElement
  const isShown = input.type === 'password'
  input.type = isShown ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(isShown))
}

const inputsOf = (form: HTMLFormElement) => [...form.querySelectorAll('input')]

const valuesOf = (form: HTMLFormElement) =>
  Object.fromEntries(inputsOf(form).map(({ name, value }) => [name, value]))

function part(form: HTMLFormElement, selector: string): HTMLElement {
  const match = form.querySelector<HTMLElement>(selector)
  if (!match) throw new Error(`The form has no ${selector}`)
  return match
}
