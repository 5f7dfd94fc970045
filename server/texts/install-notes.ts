import { installTemplate } from '../contract/files/formats'
import type { InstallNote, WrittenFile } from '../contract/files/install-steps'
import type { Platform } from '../contract/files/platforms'
import { posixQuoted } from '../contract/shell-quote'

/** Undefined: opening the file is enough. */
export function installNote(file: WrittenFile): InstallNote | undefined {
  const { filename } = file
  const note = installTemplate(file)
  const fill = (step: string) =>
    step.replace(/\{(file|name)\}/g, (_, field) =>
      field === 'name' ? filename : posixQuoted(`./${filename}`),
    )
  return note && { title: note.title, steps: note.steps.map(fill) }
}

/** The button that downloads a file. Undefined: for any platform. */
export function downloadWords(platform: Platform | undefined): string {
  if (platform === 'Image' || platform === 'Firmware')
    return `Download the ${platform.toLowerCase()}`
  return platform === undefined ? 'Download' : `Download for ${platform}`
}
