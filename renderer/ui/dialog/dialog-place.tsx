import { useDidUpdate } from '@mantine/hooks'
import { modals, ModalsProvider } from '@mantine/modals'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { announcePlaceForDialogs } from './dialog-readiness'

export function DialogPlace() {
  const { pathname } = useLocation()
  useDidUpdate(() => modals.closeAll(), [pathname])
  useEffect(() => announcePlaceForDialogs(modals), [])
  return <ModalsProvider />
}
