import { routes } from '../server/contract/routes'
import { accountTexts, loginForm, registerForm, strengthOf, strengthTexts } from '../server/texts/account-texts'
import { createClient } from './lib/client/api-client'
import { explainFailure, failureField } from './lib/client/failure'
import type { SignInState } from './lib/session/sign-in-state'

/** How long the message of the registration stays, in ms. */
const CLEARS_AFTER = 3000

const client = createClient('')

/** Sends a form of the login or registration page. The host checks its fields, in the words of the contract. */
export function startAccountForm(form: HTMLFormElement): void {
  const isLogin = form.dataset['account'] === 'login'
  const explain = explainFailure(isLogin ? loginForm : registerForm)
  const send = isLogin ? login : register
  const button = part(form, 'button[type=submit]')
  let isSending = false
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    button.dataset['busy'] = ''
    void send(valuesOf(form))
      .then(
        () => clear(form),
        (cause: unknown) =>
          show(form, failureField(cause, Object.keys(valuesOf(form))) ?? fieldOf(cause), explain(cause)),
      )
      .finally(() => {
        isSending = false
        delete button.dataset['busy']
      })
  })
  for (const show of form.querySelectorAll<HTMLElement>('.show'))
    show.addEventListener('click', () => toggle(form, show))
  if (isLogin) welcome(form)
  else rate(form)
  keepReturn()
  button.removeAttribute('disabled')
}

/** The repeated password differs: the one mistake that the host cannot see. */
class PasswordsDiffer extends Error {}
const fieldOf = (cause: unknown) => (cause instanceof PasswordsDiffer ? 'confirmation' : undefined)

async function login({ username = '', password = '' }: Record<string, string>): Promise<void> {
  await client.accounts.login({ username, password })
  window.location.replace(stateOf().from ?? routes.dashboard)
}

async function register(fields: Record<string, string>): Promise<void> {
  const { username = '', email = '', password = '', confirmation } = fields
  if (password !== confirmation) throw new PasswordsDiffer()
  await client.accounts.register({ username, email, password })
  open(routes.login, { from: stateOf().from, message: accountTexts.registered, username })
}

/** What the app or the registration handed over, in the entry of the history where the app's router keeps it. */
const stateOf = (): SignInState => (window.history.state as { usr?: SignInState } | null)?.usr ?? {}

function open(path: string, usr: { [Name in keyof SignInState]: SignInState[Name] | undefined }): void {
  window.history.pushState({ usr }, '', path)
  window.location.reload()
}

/** Login and registration lead to each other without forgetting the page that asked. */
function keepReturn(): void {
  const { from } = stateOf()
  const link = document.querySelector<HTMLAnchorElement>('.account-foot a')
  if (from === undefined || !link) return
  link.addEventListener('click', (event) => {
    event.preventDefault()
    open(link.pathname, { from })
  })
}

/** Shows what the registration passed on, and asks for the password of a known name. */
function welcome(form: HTMLFormElement): void {
  const { message, username } = stateOf()
  const [name, password] = inputsOf(form)
  if (username !== undefined && name?.value === '') {
    name.value = username
    password?.focus()
  }
  const place = part(form, '[role=status]')
  place.textContent = message ?? ''
  setTimeout(() => (place.textContent = ''), CLEARS_AFTER)
}

/** Rates a new password while it is typed. */
function rate(form: HTMLFormElement): void {
  const bar = part(form, 'progress')
  part(form, '#password').addEventListener('input', ({ target }) => {
    const { value: password } = target as HTMLInputElement
    const { value, text } = strengthTexts[strengthOf(password)]
    bar.hidden = password === ''
    bar.setAttribute('value', String(value))
    part(form, '.strength .fine').textContent = password === '' ? '' : text
  })
}

/** Shows a failure at its field, else on top. Screen readers read it either way. */
function show(
  form: HTMLFormElement,
  field: string | undefined,
  failure: { text: string; detail?: string | undefined },
) {
  clear(form)
  const text = field === 'confirmation' ? accountTexts.passwordsDiffer : failure.text
  if (field === undefined) {
    const title = document.createElement('b')
    title.textContent = text
    part(form, '[role=alert]').replaceChildren(title, ...(failure.detail === undefined ? [] : [failure.detail]))
    return
  }
  const input = part(form, `[name=${field}]`)
  part(form, `#${field}-problem`).textContent = text
  input.setAttribute('aria-invalid', 'true')
  input.focus()
}

function clear(form: HTMLFormElement): void {
  part(form, '[role=alert]').replaceChildren()
  for (const input of inputsOf(form)) {
    input.removeAttribute('aria-invalid')
    part(form, `#${input.name}-problem`).textContent = ''
  }
}

function toggle(form: HTMLFormElement, button: HTMLElement): void {
  const input = part(form, `#${button.getAttribute('aria-controls')}`) as HTMLInputElement
  const isShown = input.type === 'password'
  input.type = isShown ? 'text' : 'password'
  button.setAttribute('aria-pressed', String(isShown))
}

const inputsOf = (form: HTMLFormElement) => [...form.querySelectorAll('input')]

const valuesOf = (form: HTMLFormElement) => Object.fromEntries(inputsOf(form).map(({ name, value }) => [name, value]))

function part(form: HTMLFormElement, selector: string): HTMLElement {
  const match = form.querySelector<HTMLElement>(selector)
  if (!match) throw new Error(`The form has no ${selector}`)
  return match
}
