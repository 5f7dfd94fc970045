import type { ComponentType } from 'react'

/** The feed belongs to another feature, so app.tsx passes it in. */
export type UpdatesFeed = ComponentType<{ projectId: string; canPost: boolean }>
