import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useSyncExternalStore,
  type ChangeEvent,
} from 'react'
import { useNavigate } from 'react-router-dom'
import { isAppWindow } from '../../../lib/browser/desktop'
import { useHost } from '../../../lib/host/host'
import { useSession } from '../../../lib/session/session'
import { paths } from '../../../paths'
import { readChosen, readDrop } from '../folder/read-drop'
import type { UploadOptions, UploadSource } from '../upload'

/** How the open page receives files. */
export interface PublishPlace {
  invitation?: string
  /** The project of the page, and the version that files join. */
  project?: NonNullable<UploadOptions['project']>
  version?: string
  /** The page of a person's own files, which need no project. */
  isStore?: boolean
  /** A part of the page that takes dropped files itself, such as pictures. */
  onDrop?: (files: readonly UploadSource[]) => void
}

/** Files that wait in the sheet until the person decides. */
export interface PublishRequest {
  /** Another number for each sheet. */
  number: number
  files: readonly UploadSource[]
  place: PublishPlace
}

let places: readonly PublishPlace[] = []
let request: PublishRequest | undefined
let requests = 0
const pickers: { files?: HTMLInputElement | null; folder?: HTMLInputElement | null } = {}
const watchers = new Set<() => void>()

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
const announce = () => {
  for (const watcher of watchers) watcher()
}

export const usePublishRequest = (): PublishRequest | undefined =>
  useSyncExternalStore(subscribe, () => request)

const findTarget = () => places.findLast(({ onDrop }) => onDrop !== undefined)

export const useInvitation = (): string =>
  useSyncExternalStore(
    subscribe,
    () => (findTarget() ?? places.at(-1))?.invitation ?? 'Drop to publish',
  )

/** Passes dropped files to the part of the page that takes them, else to the sheet. */
function dropFiles(files: readonly UploadSource[]): void {
  const target = findTarget()
  if (target?.onDrop) target.onDrop(files)
  else offerFiles(files)
}

/** Opens the sheet with these files, or adds them to the open one. */
function offerFiles(files: readonly UploadSource[]): void {
  if (files.length === 0) return
  if (request) request = { ...request, files: [...request.files, ...files] }
  else
    request = { number: ++requests, files, place: places.findLast(({ onDrop }) => !onDrop) ?? {} }
  announce()
}

/** Opens the sheet with what a person has chosen in an input of files. */
export function offerChosen({ currentTarget }: ChangeEvent<HTMLInputElement>): void {
  void readChosen(currentTarget.files).then(offerFiles)
  // Lets the same file be chosen again.
  currentTarget.value = ''
}

/** Takes a file out of the sheet; the last one closes it. */
export function leaveOut(file: UploadSource): void {
  if (!request) return
  const files = request.files.filter((other) => other !== file)
  request = files.length === 0 ? undefined : { ...request, files }
  announce()
}

export function closeRequest(): void {
  request = undefined
  announce()
}

export const registerPicker = (input: HTMLInputElement | null): void => void (pickers.files = input)

/** The input then takes a whole folder. */
export function registerFolderPicker(input: HTMLInputElement | null): void {
  pickers.folder = input
  if (input) input.webkitdirectory = true
}

/** Whether this browser can choose a folder: most phones cannot. */
export const canChooseFolder = (): boolean => 'webkitdirectory' in HTMLInputElement.prototype

/** Lets the person choose files for the sheet. Call it within a click. */
export const chooseFiles = (): void => pickers.files?.click()

/** The same for a folder, which becomes one zip. */
export const chooseFolder = (): void => pickers.folder?.click()

export const carriesFiles = (data: DataTransfer | null): data is DataTransfer =>
  data?.types.includes('Files') === true

/** Opens the sheet. Signed-out people sign in first. */
export function useOffer(): (files: readonly UploadSource[]) => void {
  const { status } = useSession()
  const { needs_setup } = useHost()
  const navigate = useNavigate()

  return (files) => {
    offerFiles(files)
    if (files.length > 0 && status === 'out' && !needs_setup) void navigate(paths.dashboard)
  }
}

/** Accepts files that are dropped or pasted on any page; in the window also before the login. */
export function useDroppedFiles(): void {
  const { status } = useSession()
  const offer = useOffer()

  const take = useEffectEvent((event: DragEvent | ClipboardEvent) => {
    const data = 'dataTransfer' in event ? event.dataTransfer : event.clipboardData
    if (!carriesFiles(data) || (status !== 'in' && !isAppWindow())) return
    // A part of a page may take files itself, such as pictures.
    if (event.type !== 'dragover' && event.defaultPrevented) return
    if (event.type === 'paste' && isField(event.target)) return
    // Otherwise the browser would open a dropped file in place of the page.
    event.preventDefault()
    if (event.type === 'dragover') return
    void readDrop(data).then((files) => (status === 'in' ? dropFiles(files) : offer(files)))
  })

  // With the first view, because files may wait for it (visitor/early.ts).
  useLayoutEffect(() => {
    const kinds = ['dragover', 'drop', 'paste'] as const
    const listen = (event: DragEvent | ClipboardEvent) => take(event)
    for (const kind of kinds) window.addEventListener(kind, listen)
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, listen)
    }
  }, [])
}

/** Copied cells and pictures carry a file and a text; a field takes the text. */
const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea'))

/** Says where files belong while a page is open. */
export function usePublishPlace(current: PublishPlace): void {
  const facts = JSON.stringify(current)
  useEffect(() => {
    const place = JSON.parse(facts) as PublishPlace
    // The files came before the code of the page.
    if (request && Object.keys(request.place).length === 0) request = { ...request, place }
    return addPlace(place)
  }, [facts])
}

/** Takes dropped files while this part of a page is open. */
export function useDropTarget(
  invitation: string,
  onFiles: (files: readonly UploadSource[]) => void,
): void {
  const take = useEffectEvent(onFiles)
  useEffect(() => addPlace({ invitation, onDrop: (files) => take(files) }), [invitation])
}

function addPlace(place: PublishPlace): () => void {
  places = [...places, place]
  announce()
  return () => {
    places = places.filter((other) => other !== place)
    announce()
  }
}
