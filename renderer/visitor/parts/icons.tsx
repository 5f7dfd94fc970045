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

/** The same drawing as favicon.svg and assets/icon.svg. */
export const NameMark = ({ size }: IconProps) => (
  <Icon size={size} grid={32}>
    <g className="mark" transform="rotate(14 16 16)">
      <path d="M9 13V5.5h7l3 7.5" />
      <path d="M4 12.5h25l-4.5 7H8a4 4 0 0 1-4-4z" />
      <path d="M5 25.5h25" fill="none" strokeWidth={3} />
    </g>
  </Icon>
)

const Icon = ({ size, grid = 24, children }: IconProps & { grid?: number; children: ReactNode }) => (
  <svg className="icon" viewBox={`0 0 ${grid} ${grid}`} width={size} height={size} aria-hidden="true">
    {children}
  </svg>
)
