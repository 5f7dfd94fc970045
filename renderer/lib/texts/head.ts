import { useEffect } from 'react'
import { setHead, type Head } from './head-tags'

/**
 * Sets the page's title, description, canonical address, social tags and structured data while
 * mounted.
 */
export function useHead(head: Head): void {
  const described = JSON.stringify(head)
  useEffect(() => setHead(JSON.parse(described) as Head), [described])
}
