import './lib/browser/jitless'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './ui/global.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
startTransition(() =>
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
)
