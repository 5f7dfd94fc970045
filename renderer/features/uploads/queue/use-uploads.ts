import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { useClient } from '../../../lib/client/client-context'
import { uploadsOf } from './uploads'

/** The uploads of this page load, and the queue that runs them. */
export function useUploads() {
  const queue = uploadsOf(useClient(), useQueryClient())
  const uploads = useSyncExternalStore(queue.subscribe, queue.list)
  return { uploads, queue }
}
