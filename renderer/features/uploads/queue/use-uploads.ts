import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useClient } from '../../../lib/client/client-context'
import { uploadsOf } from './uploads'

export function useUploads() {
  const queue = uploadsOf(useClient(), useQueryClient())
  const uploads = useSyncExternalStore(queue.subscribe, queue.list)
  return { uploads, queue }
}
