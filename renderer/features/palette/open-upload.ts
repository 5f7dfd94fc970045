import { paths } from '../../paths'

const PICKER = 'input[type="file"][aria-label="Choose files"]'

/** Opens the file picker of this page, or the page that has one. */
export function openUpload(navigate: (path: string) => unknown): void {
  const picker = document.querySelector<HTMLInputElement>(PICKER)
  if (picker) picker.click()
  else navigate(paths.myFiles)
}
