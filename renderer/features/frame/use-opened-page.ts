import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { onOpenPage } from '../../lib/browser/desktop'

/** In the app window: opens the page that the menu or a `slipway://` link requests. */
export function useOpenedPage(): void {
  const navigate = useNavigate()
  useEffect(() => onOpenPage((path) => void navigate(path)), [navigate])
}
