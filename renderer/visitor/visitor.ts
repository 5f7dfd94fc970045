import { carryOver } from './carry-over'
import { noteEarly, passOn } from './early'
import { openShot } from './lightbox/open-shot'
import { listenToPage } from './parts/page-actions'
import { Pointer } from './pointer'

/** The visitor may soon use something that needs the app. */
const SIGNS = [
  'pointermove',
  'pointerdown',
  'keydown',
  'focusin',
  'wheel',
  'scroll',
  'touchstart',
] as const
/** Without a sign the app starts this long after the page has loaded, in ms. */
const REST = 3000
/** The first view of the app stays at most this long after its scripts have loaded, in ms. */
const MOST_WAIT = 4000
const LOADING = '[role=status][aria-label=Loading], .mantine-Skeleton-root'

/** Starts the app off the page, and replaces the server's page once the app has loaded as much. */
async function takeOver(page: HTMLElement, pointer: Pointer, onChange: (look: () => void) => void) {
  // Where it does not come (the visitor has left, or the host is away), the server's page works by
  // itself.
  const loaded = await import('../start').catch(() => undefined)
  if (!loaded) return

  const app = createRoot()
  const changes = new MutationObserver(replaceWhenReady)
  changes.observe(app, { childList: true, subtree: true, attributes: true })
  onChange(replaceWhenReady)
  loaded.start(app)

  function replaceWhenReady(): void {
    if (app.isConnected || !hasView(app) || app.querySelector(LOADING) || pointer.isBusy) return
    changes.disconnect()
    replace(page, app)
  }
}

/** Enter sends a form of an account once its script has loaded. */
async function startForm(form: HTMLFormElement) {
  form.addEventListener('keydown', ({ key }) =>
    form.toggleAttribute('data-entered', key === 'Enter'),
  )
  const { startAccountForm } = await import('../account-form')
  startAccountForm(form)
}

/** Starts the app in place of its own first view, whose heading stays until the app has one. */
async function startNow(page: HTMLElement, pointer: Pointer, onChange: (look: () => void) => void) {
  noteEarly(page)
  const loaded = await import('../start').catch(() => undefined)
  // The script in visitor.html loads the page again.
  if (!loaded) return void document.querySelector('script[src]')?.dispatchEvent(new Event('error'))

  const app = createRoot()
  let isLate = false
  let isShown = false
  const showWhenReady = () => (isLate || hasView(app)) && !pointer.isPressed && show()
  const changes = new MutationObserver(showWhenReady)
  const timer = setTimeout(() => {
    isLate = true
    showWhenReady()
  }, MOST_WAIT)
  changes.observe(app, { childList: true, subtree: true })
  onChange(showWhenReady)
  // A field of a page with an unknown heading can take the focus only within the document.
  if (!page.querySelector('h1')) replace(page, app)
  loaded.start(app)

  function show(): void {
    if (isShown) return
    isShown = true
    clearTimeout(timer)
    changes.disconnect()
    if (!app.isConnected) {
      replace(page, app)
      showTarget()
    }
    passOn(page, app)
  }
}

/** Shows the part that the address names, which the app could not while it was off the page. */
function showTarget(): void {
  const target = document.getElementById(location.hash.slice(1))
  target?.scrollIntoView()
  target?.focus({ preventScroll: true })
}

const createRoot = () => Object.assign(document.createElement('div'), { id: 'root' })

const hasView = (app: HTMLElement): boolean =>
  app.querySelector('h1') !== null && app.querySelector('header nav, header button') !== null

function replace(page: HTMLElement, app: HTMLElement): void {
  const restore = carryOver(page)
  page.replaceWith(app)
  document.querySelector('link[rel=stylesheet][href*=visitor]')?.remove()
  restore(app)
}

/** The first sign or a rest, whichever comes first. */
function awaitSign(): Promise<void> {
  const over = new AbortController()
  const until = { passive: true, capture: true, signal: over.signal }
  const sign = new Promise<void>((resolve) => {
    for (const name of SIGNS) addEventListener(name, (event) => isMeant(event) && resolve(), until)
    const rest = () => setTimeout(resolve, REST)
    if (document.readyState === 'complete') rest()
    else addEventListener('load', rest, { once: true })
  })
  return sign.finally(() => over.abort())
}

/** Browsers tell of a pointer that rests where the page has appeared. */
const isMeant = (event: Event): boolean =>
  event.type !== 'pointermove' ||
  (event as PointerEvent).movementX !== 0 ||
  (event as PointerEvent).movementY !== 0

/**
 * Whether a setup or invite link was opened: the app keeps its token in the entry of the history.
 */
function remembersLink(): boolean {
  const { usr } = Object(window.history.state) as { usr?: Record<string, unknown> | null }
  return (usr?.['setup'] ?? usr?.['invite']) !== undefined
}

const page = document.getElementById('root')
if (!page) throw new Error('visitor.html has no #root')
listenToPage()
// The app opens its own pictures: a click that it has handled is no link any more.
addEventListener('click', openShot)
let look: () => void = () => undefined
const pointer = new Pointer(() => look())
const onChange = (next: () => void) => (look = next)
const account = page.querySelector<HTMLElement>('.account')
const isAtLink = account !== null && remembersLink()
const sending = page.querySelector<HTMLFormElement>('form[data-uploads]')
const push = page.querySelector<HTMLElement>('[data-push]')
if (push) void import('./notices/start-push').then(({ startPush }) => startPush(push))
// Login and registration lead into the app by themselves; a setup or invite link has a form of its
// own there.
if (page.querySelector('[data-starting]')) {
  await startNow(page, pointer, onChange)
} else if (sending) {
  ;(await import('../send-files')).startSending(sending)
} else if (account && !isAtLink) {
  const form = account.querySelector<HTMLFormElement>('form')
  if (form) await startForm(form)
} else if (!push) {
  if (account) account.hidden = true
  else await awaitSign()
  await takeOver(page, pointer, onChange)
}
