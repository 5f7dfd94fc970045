import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { onOpenPage } from '../../lib/browser/desktop'

/** In the app window: goes to the page that the menu or a `slipway://` link asks for. */
export function useOpenedPage(): void {
  const navigate = useNavigate()
  useEffect(() => onOpenPage((path) => void navigate(path)), [navigate])
}
