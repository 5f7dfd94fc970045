import type { ComponentType } from 'react'

/** The posts belong to another feature, so app.tsx passes it in. */
export type PostsComponent = ComponentType<{
  projectId: string
  canPost: boolean
  isQuiet?: boolean
}>
