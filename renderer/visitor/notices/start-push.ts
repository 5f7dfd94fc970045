/** Where the page of a subscription is kept, by the path of the call that made it. */
const KEPT = 'slipway.push:'
const WORKER = '/push/worker.js'

const texts = {
  off: 'Also while this page is closed. The browser asks you first.',
  on: 'This browser gets notifications.',
  none: 'This browser shows no notifications of this page. Use another way.',
  denied: 'Notifications of this site are blocked. Allow them in the settings of the browser.',
  ignored: 'The browser was not allowed to show notifications.',
  offline: 'The host cannot be reached. Try again.',
}

/** Offers notifications on the page of a tester, report or request, by `data-` attributes. */
export async function startPush(part: HTMLElement): Promise<void> {
  const { push: path = '', key = '' } = part.dataset
  const [button, status, alert] = ['button', '[role=status]', '[role=alert]'].map((name) =>
    part.querySelector<HTMLElement>(name),
  )
  if (!button || !status || !alert) return

  let page = await findKept(path)
  const show = () => {
    button.textContent = page === null ? 'Notify me in this browser' : 'Stop notifications'
    status.textContent = page === null ? texts.off : texts.on
  }
  show()

  const isAble = 'serviceWorker' in navigator && 'PushManager' in window
  button.hidden = !isAble
  if (!isAble) status.textContent = texts.none
  for (const word of document.querySelectorAll<HTMLElement>('[data-push-word]'))
    word.hidden = !isAble
  part.hidden = false

  let isBusy = false
  button.addEventListener('click', () => {
    if (isBusy) return
    isBusy = true
    alert.textContent = ''
    const changing = page === null ? subscribe(path, key) : end(page)
    void changing
      .then((next) => {
        page = next
        if (next === null) localStorage.removeItem(KEPT + path)
        else localStorage.setItem(KEPT + path, next)
        show()
      })
      .catch((cause: unknown) => (alert.textContent = reasonOf(cause)))
      .finally(() => (isBusy = false))
  })
}

/** The page of the subscription that this browser has; null: none, or it has ended. */
async function findKept(path: string): Promise<string | null> {
  const page = localStorage.getItem(KEPT + path)
  if (page === null) return null
  const reply = await fetch(page).catch(() => undefined)
  if (reply?.status !== 404) return page
  localStorage.removeItem(KEPT + path)
  return null
}

async function subscribe(path: string, key: string): Promise<string> {
  // First: browsers ask only right after a click.
  const permission = await Notification.requestPermission()
  if (permission !== 'granted')
    throw new Error(texts[permission === 'denied' ? 'denied' : 'ignored'])

  const { pushManager } = await startWorker()
  const earlier = await pushManager.getSubscription()
  // The host may have another key since.
  if (earlier && encode(earlier.options.applicationServerKey) !== key) await earlier.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: key }
  const { endpoint, keys } = (await pushManager.subscribe(options)).toJSON()

  const { notice_path: page } = await post(path, { endpoint, keys })
  return page ?? ''
}

async function end(page: string): Promise<null> {
  await post(`${page}/end`, {})
  return null
}

/** Browsers subscribe by a worker that is active. */
async function startWorker(): Promise<ServiceWorkerRegistration> {
  const registration = await navigator.serviceWorker.register(WORKER)
  const worker = registration.installing ?? registration.waiting
  if (registration.active || !worker) return registration

  return new Promise((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve(registration)
      if (worker.state === 'redundant') reject(new Error('Its worker did not start'))
    })
  })
}

async function post(path: string, body: object): Promise<{ notice_path?: string }> {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => {
    throw new Error(texts.offline)
  })
  const { error, ...rest } = (await reply.json()) as { error?: string; notice_path?: string }
  if (!reply.ok) throw new Error(error ?? texts.offline)
  return rest
}

const encode = (bytes: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? [])))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** Ours are whole sentences; those of browsers tell what failed. */
const reasonOf = (cause: unknown): string =>
  cause instanceof DOMException
    ? `The browser could not subscribe: ${cause.message}`
    : (cause as Error).message
