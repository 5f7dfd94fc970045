import { fileKind } from '../../../server/contract/files/formats'
import { platformOf, type Platform, type Published } from '../../../server/contract/files/platforms'
import { mediaOf, type Media } from './media'
import { Icon, type IconProps } from './icons'

export const ZipIcon = ({ size }: IconProps) => (
  <Icon size={size}>
    <path d={MEDIA.archive} />
  </Icon>
)

const SHEET =
  'M14 3v4a1 1 0 0 0 1 1h4M17 21h-10a2 2 0 0 1 -2 -2v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2'
const MEDIA: Record<Media, string> = {
  archive:
    'M6 20.735a2 2 0 0 1 -1 -1.735v-14a2 2 0 0 1 2 -2h7l5 5v11a2 2 0 0 1 -2 2h-1M11 17a2 2 ' +
    '0 0 1 2 2v2a1 1 0 0 1 -1 1h-2a1 1 0 0 1 -1 -1v-2a2 2 0 0 1 2 -2M11 5h-1M13 7h-1M11 ' +
    '9h-1M13 11h-1M11 13h-1M13 15h-1',
  image:
    'M15 8h.01M3 6a3 3 0 0 1 3 -3h12a3 3 0 0 1 3 3v12a3 3 0 0 1 -3 3h-12a3 3 0 0 1 -3 -3zM3 ' +
    '16l5 -5c.928 -.893 2.072 -.893 3 0l5 5M14 14l1 -1c.928 -.893 2.072 -.893 3 0l3 3',
  video:
    'M15 10l5 -3v10l-5 -3zM3 8a2 2 0 0 1 2 -2h8a2 2 0 0 1 2 2v8a2 2 0 0 1 -2 2h-8a2 2 0 0 1 -2 -2z',
  audio:
    'M3 17a3 3 0 1 0 6 0a3 3 0 0 0 -6 0M13 17a3 3 0 1 0 6 0a3 3 0 0 0 -6 0M9 17v-13h10v13M9 8h10',
  text: `${SHEET}M9 9h1M9 13h6M9 17h6`,
  code: `${SHEET}M10 13l-1 2l1 2M14 13l1 2l-1 2`,
}

const APPLE =
  'M8.286 7.008c-3.216 0 -4.286 3.23 -4.286 5.92c0 3.229 2.143 8.072 4.286 8.072c1.165 -.05 ' +
  '1.799 -.538 3.214 -.538c1.406 0 1.607 .538 3.214 .538s4.286 -3.229 4.286 -5.381c-.03 ' +
  '-.011 -2.649 -.434 -2.679 -3.23c-.02 -2.335 2.589 -3.179 2.679 -3.228c-1.096 -1.606 ' +
  '-3.162 -2.113 -3.75 -2.153c-1.535 -.12 -3.032 1.077 -3.75 1.077c-.729 0 -2.036 -1.077 ' +
  '-3.214 -1.077M12 4a2 2 0 0 0 2 -2a2 2 0 0 0 -2 2'
const PLATFORMS: Record<Platform, string> = {
  Android:
    'M4 10v6M20 10v6M7 9h10v8a1 1 0 0 1 -1 1h-8a1 1 0 0 1 -1 -1v-8a5 5 0 0 1 10 0M8 3l1 ' +
    '2M16 3l-1 2M9 18v3M15 18v3',
  iOS: APPLE,
  macOS: APPLE,
  Windows:
    'M17.8 20l-12 -1.5c-1 -.1 -1.8 -.9 -1.8 -1.9v-9.2c0 -1 .8 -1.8 1.8 -1.9l12 -1.5c1.2 -.1 ' +
    '2.2 .8 2.2 1.9v12.1c0 1.2 -1.1 2.1 -2.2 1.9M12 5v14M4 12h16',
  Linux:
    'M10 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M17.723 7.41a7.992 7.992 0 0 0 -3.74 -2.162m-3.971 ' +
    '0a7.993 7.993 0 0 0 -3.789 2.216m-1.881 3.215a8 8 0 0 0 -.342 2.32c0 .738 .1 1.453 ' +
    '.287 2.132m1.96 3.428a7.993 7.993 0 0 0 3.759 2.19m4 0a7.993 7.993 0 0 0 3.747 ' +
    '-2.186m1.962 -3.43a8.008 8.008 0 0 0 .287 -2.131c0 -.764 -.107 -1.503 -.307 -2.203M3 ' +
    '17a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M17 17a2 2 0 1 0 4 0a2 2 0 1 0 -4 0',
  Web:
    'M3 12a9 9 0 1 0 18 0a9 9 0 0 0 -18 0M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18M12.5 ' +
    '3a17 17 0 0 1 0 18',
  Image:
    'M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0 -2 0M7 12a5 5 0 0 1 ' +
    '5 -5M12 17a5 5 0 0 0 5 -5',
  Firmware:
    'M5 6a1 1 0 0 1 1 -1h12a1 1 0 0 1 1 1v12a1 1 0 0 1 -1 1h-12a1 1 0 0 1 -1 -1zM9 ' +
    '9h6v6h-6zM3 10h2M3 14h2M10 3v2M14 3v2M21 10h-2M21 14h-2M14 21v-2M10 21v-2',
}

export const PlatformIcon = ({ platform, size }: IconProps & { platform: Platform }) => (
  <Icon size={size}>
    <path d={PLATFORMS[platform]} />
  </Icon>
)

/** The icon of the platform of a file, else of its type. */
export function TypeIcon({ file, size }: IconProps & { file: Published }) {
  const platform = platformOf(file)
  if (platform) return <PlatformIcon platform={platform} size={size} />

  const media = fileKind(file.filename) === 'archive' ? 'archive' : mediaOf(file.filename)
  return (
    <Icon size={size}>
      <path d={media ? MEDIA[media] : SHEET} />
    </Icon>
  )
}
