import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './ui/global.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'
import { listenToPage } from './visitor/parts/page-actions'

/** Starts the app in this element. */
export function start(root: HTMLElement): void {
  listenToPage()
  // In slices, so that the page stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  )
}
