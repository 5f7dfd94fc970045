import type { ReactNode } from 'react'

interface IconProps {
  size: number
}

/** Of Tabler Icons, as in the app. */
export const DownloadIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2M7 11l5 5l5 -5M12 4l0 12" />
  </Icon>
)

export const FileIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2" />
  </Icon>
)

const Icon = ({ size, children }: IconProps & { children: ReactNode }) => (
  <svg className="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true">
    {children}
  </svg>
)
