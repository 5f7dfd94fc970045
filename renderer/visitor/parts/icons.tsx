import type { ReactNode } from 'react'

export interface IconProps {
  size: number
}

/** Of Tabler Icons, as in the app. */
export const DownloadIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2M7 11l5 5l5 -5M12 4l0 12" />
  </Icon>
)

export const UploadIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2 -2v-2M7 9l5 -5l5 5M12 4l0 12" />
  </Icon>
)

export const SearchIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M3 10a7 7 0 1 0 14 0a7 7 0 1 0 -14 0M21 21l-6 -6" />
  </Icon>
)

export const CopyIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path
      d={
        'M7 9.667a2.667 2.667 0 0 1 2.667 -2.667h8.666a2.667 2.667 0 0 1 2.667 ' +
        '2.667v8.666a2.667 2.667 0 0 1 -2.667 2.667h-8.666a2.667 2.667 0 0 1 -2.667 ' +
        '-2.667zM4.012 16.737a2.005 2.005 0 0 1 -1.012 -1.737v-10c0 -1.1 .9 -2 2 -2h10c.75 0 ' +
        '1.158 .385 1.5 1'
      }
    />
  </Icon>
)

export const MenuIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M4 6l16 0M4 12l16 0M4 18l16 0" />
  </Icon>
)

/** A QR code. */
export const CodeIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path
      d={
        'M5 4h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1zM7 ' +
        '17v.01M15 4h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1zM7 ' +
        '7v.01M5 14h4a1 1 0 0 1 1 1v4a1 1 0 0 1 -1 1h-4a1 1 0 0 1 -1 -1v-4a1 1 0 0 1 1 -1zM17 ' +
        '7v.01M14 14h3M20 14v.01M14 14v3M14 20h3M17 17h3M20 17v3'
      }
    />
  </Icon>
)

export const ShareIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path
      d={
        'M3 12a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M15 6a3 3 0 1 0 6 0a3 3 0 1 0 -6 0M15 18a3 3 0 1 0 6 ' +
        '0a3 3 0 1 0 -6 0M8.7 10.7l6.6 -3.4M8.7 13.3l6.6 3.4'
      }
    />
  </Icon>
)

export const DoneIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d="M5 12l5 5l10 -10" />
  </Icon>
)

/** A link, a page or a project that is not there. */
export const MissingIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path
      d={
        'M9 15l3 -3m2 -2l1 -1M11 6l.463 -.536a5 5 0 0 1 7.071 7.072l-.534 .464M3 3l18 18M13 ' +
        '18l-.397 .534a5.068 5.068 0 0 1 -7.127 0a4.972 4.972 0 0 1 0 -7.071l.524 -.463'
      }
    />
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

/** A drawing on a grid of 24, unless it says another. */
export const Icon = ({
  size,
  grid = 24,
  children,
}: IconProps & { grid?: number; children: ReactNode }) => (
  <svg
    className="icon"
    viewBox={`0 0 ${grid} ${grid}`}
    width={size}
    height={size}
    aria-hidden="true"
  >
    {children}
  </svg>
)
