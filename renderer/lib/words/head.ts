import { useEffect } from 'react'
import { setHead, type Head } from './head-tags'

/** Gives the page its title, description, canonical address, social tags and structured data while it is shown. */
export function useHead(head: Head): void {
  const described = JSON.stringify(head)
  useEffect(() => setHead(JSON.parse(described) as Head), [described])
}
