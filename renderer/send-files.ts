import { formatQuantity, formatSize } from '../server/texts/format'
import { computeFingerprint } from './features/uploads/transport/file-fingerprint'
import { transferByTus } from './features/uploads/transport/tus-transfer'
import { withPatience } from './features/uploads/transport/upload-patience'
import { ApiError } from './lib/client/api-client'

/*
 * Forms for files of people without an account, by `data-` attributes: `uploads` is where resumable
 * uploads begin, `next` the page to open after all files have arrived, and `most` how many a report
 * takes. A report sends its text first: then its uploads can begin, and a failure costs no text.
 */

/** Where the addresses of unfinished uploads are kept, by the file and the link. */
const KEPT = 'slipway.sending'

/** A chosen file with its row. */
interface Sending {
  file: File
  row: HTMLLIElement
  progress: HTMLProgressElement
  /** Ends its transfer. */
  stop: AbortController
  isSent: boolean
}

/** Sends the chosen files of a form one after the other, resuming each. */
export function startSending(form: HTMLFormElement): void {
  const chooser = form.elements.namedItem('file') as HTMLInputElement
  const list = part(form, '.sending')
  const button = part(form, 'button[type=submit]')
  const { next } = form.dataset
  let chosen: Sending[] = []
  let isSending = false

  const show = () => {
    button.setAttribute('aria-disabled', String(isSending))
    button.textContent = isSending ? 'Sending…' : 'Send'
    chooser.required = !isReport(form) && chosen.every(({ isSent }) => isSent)
  }

  const add = (file: File) => {
    const sending: Sending = { file, ...rowOf(file), stop: new AbortController(), isSent: false }
    part(sending.row, 'button').addEventListener('click', () => {
      sending.stop.abort()
      chosen = chosen.filter((it) => it !== sending)
      sending.row.remove()
      chooser.focus()
      show()
    })
    chosen.push(sending)
    list.append(sending.row)
  }

  const addChosen = () => {
    const most = Number(form.dataset['most'] ?? Infinity)
    for (const file of chooser.files ?? []) if (chosen.length < most) add(file)
    // The same file can be chosen again.
    chooser.value = ''
    show()
  }

  chooser.multiple = true
  if (next === undefined) part(form, 'label[for=file]').textContent = 'Files'
  chooser.addEventListener('change', () => {
    part(form, '[role=alert]').textContent = ''
    addChosen()
  })
  // A person may choose files before this script has loaded.
  if (chooser.files?.length) addChosen()

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (isSending) return
    isSending = true
    show()
    void sendForm(form, () => chosen)
      .catch(() => false)
      .then((isTextSent) => {
        isSending = false
        show()
        if (next !== undefined && isTextSent && isDone(form, chosen))
          location.replace(next || location.pathname)
      })
  })

  addEventListener('beforeunload', (event) => {
    if (isSending) event.preventDefault()
  })
}

/** Whether the form of a report has a text of its own. */
const isReport = (form: HTMLFormElement): boolean => form.dataset['most'] !== undefined

/** Whether all that a person chose has arrived. */
const isDone = (form: HTMLFormElement, chosen: readonly Sending[]): boolean =>
  isReport(form)
    ? form.dataset['arrived'] !== undefined && chosen.every(({ isSent }) => isSent)
    : chosen.length > 0 && chosen.every(({ isSent }) => isSent)

/**
 * Sends the text of a report, again if the person has changed it, and then the files. Returns
 * whether the text has arrived.
 */
async function sendForm(form: HTMLFormElement, chosen: () => readonly Sending[]): Promise<boolean> {
  const alert = part(form, '[role=alert]')
  alert.textContent = ''
  const fields = [...new FormData(form)].filter(([name, value]) => name !== 'file' && value !== '')
  const text = JSON.stringify(Object.fromEntries(fields))

  if (isReport(form) && form.dataset['arrived'] !== text) {
    const failure = await sendText(form, text).catch(() => 'The host cannot be reached. Try again.')
    if (failure !== undefined) {
      alert.textContent = failure
      return false
    }
    form.dataset['arrived'] = text
  }
  await sendAll(form, chosen)
  return true
}

/** Returns why the text of a report was not sent; undefined: it has arrived. */
async function sendText(form: HTMLFormElement, body: string): Promise<string | undefined> {
  const response = await fetch(form.action, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body,
  })
  if (response.ok) return undefined

  const { error } = (await response.json().catch(() => ({}))) as { error?: string }
  return error ?? 'The report was not sent. Try again.'
}

/** Sends each file that has not arrived once. `chosen` can change meanwhile. */
async function sendAll(form: HTMLFormElement, chosen: () => readonly Sending[]): Promise<void> {
  const status = part(form, '[role=status]')
  status.textContent = ''
  const tried = new Set<Sending>()

  for (;;) {
    const next = chosen().find((it) => !it.isSent && !tried.has(it))
    if (!next) break
    tried.add(next)
    await sendOne(form, next)
  }

  const sent = chosen().filter(({ isSent }) => isSent).length
  if (isReport(form)) {
    if (sent < chosen().length) status.append(...describeArrived(form, sent, chosen().length))
    return
  }
  if (sent === 0) return
  const rest =
    sent < chosen().length
      ? 'Select Send to retry the others.'
      : 'You can close this page, or send more.'
  status.textContent = `${formatQuantity(sent, 'file')} arrived. ${rest}`
}

/** Says that a report has arrived without all its files, and leads to its page. */
function describeArrived(form: HTMLFormElement, sent: number, all: number): (string | Node)[] {
  const link = document.createElement('a')
  link.href = form.dataset['next'] ?? ''
  link.textContent = 'Open its page'
  const files = sent === 0 ? 'without files' : `with ${sent} of ${formatQuantity(all, 'file')}`
  return [`Your report has arrived, ${files}. Select Send to retry the others. `, link]
}

async function sendOne(form: HTMLFormElement, sending: Sending): Promise<void> {
  const { file, row, stop } = sending
  delete row.dataset['failed']

  try {
    const largest = Number(form.dataset['largest'])
    if (file.size > largest)
      throw new ApiError('too_large', `The file is larger than ${formatSize(largest)}.`, 413)
    await transfer(form, sending)
    sending.isSent = true
    tell(row, 'Arrived')
    part(row, 'button').remove()
  } catch (cause) {
    if (stop.signal.aborted) return
    row.dataset['failed'] = ''
    tell(row, cause instanceof ApiError ? cause.message : 'The file was not sent.')
  }
}

/** Sends a file, or the rest of it. An upload that the host no longer has starts again, once. */
async function transfer(
  form: HTMLFormElement,
  { file, row, progress, stop }: Sending,
): Promise<void> {
  const endpoint = form.dataset['uploads'] ?? ''
  const fingerprint = await computeFingerprint(file)
  const key = `${KEPT} ${endpoint} ${fingerprint}`
  const { from = '', message = '' } = Object.fromEntries(new FormData(form)) as Record<
    string,
    string
  >
  const { signal } = stop

  const attempt = async (progressed: () => void) => {
    const keptAt = localStorage.getItem(key)
    const metadata = { filename: file.name, from, message }

    await transferByTus({
      file,
      fingerprint,
      chunkBytes: Number(form.dataset['chunk']),
      target: keptAt === null ? { endpoint, metadata } : { uploadUrl: keptAt },
      onKept: ({ address }) => localStorage.setItem(key, address),
      onProgress(sent) {
        if (sent > progress.value) progressed()
        progress.value = sent
        tell(row, sent === file.size ? 'Almost there' : `${formatSize(sent)} sent`)
      },
      signal,
    })
  }

  const patience = {
    signal,
    onInterrupted: () => tell(row, 'The connection was lost. Trying again…'),
  }

  const isResumed = localStorage.getItem(key) !== null
  try {
    await withPatience(attempt, patience)
  } catch (cause) {
    if (!(isResumed && cause instanceof ApiError && cause.code === 'not_found')) throw cause
    localStorage.removeItem(key)
    await withPatience(attempt, patience)
  }
  localStorage.removeItem(key)
}

function rowOf({ name, size }: File): Pick<Sending, 'row' | 'progress'> {
  const row = document.createElement('li')
  const title = document.createElement('bdi')
  title.textContent = title.title = name

  const remove = document.createElement('button')
  remove.type = 'button'
  remove.className = 'button small quiet'
  remove.textContent = 'Remove'
  remove.setAttribute('aria-label', `Remove ${name}`)

  const progress = document.createElement('progress')
  progress.max = size || 1
  progress.value = 0
  progress.setAttribute('aria-label', `Progress of ${name}`)

  const state = document.createElement('span')
  state.className = 'state'
  state.textContent = formatSize(size)
  row.append(title, remove, progress, state)
  return { row, progress }
}

const tell = (row: HTMLElement, text: string): void => {
  part(row, '.state').textContent = text
}

function part(whole: HTMLElement, selector: string): HTMLElement {
  const found = whole.querySelector<HTMLElement>(selector)
  if (!found) throw new Error(`The page has no ${selector}`)
  return found
}
