import {
  IconBrandAndroid,
  IconBrandApple,
  IconBrandUbuntu,
  IconBrandWindows,
  IconCoffee,
  IconCpu,
  IconDisc,
  IconFile,
  IconFileCode,
  IconFileText,
  IconFileZip,
  IconMusic,
  IconPhoto,
  IconVideo,
  type Icon,
} from '@tabler/icons-react'
import { createElement } from 'react'
import { formatIcon, type FormatIcon } from '../../../server/contract/files/formats'
import { extensionOf } from '../../../server/texts/filename'
import { AppIcon } from '../app-icon'

const builds: Readonly<Record<FormatIcon, Icon>> = {
  android: IconBrandAndroid,
  apple: IconBrandApple,
  windows: IconBrandWindows,
  linux: IconBrandUbuntu,
  java: IconCoffee,
  disc: IconDisc,
  chip: IconCpu,
  archive: IconFileZip,
}

const others: readonly [Icon, string][] = [
  [IconFileZip, 'tar gz xz bz2 rar zst'],
  [IconPhoto, 'png jpg jpeg gif webp avif svg ico bmp'],
  [IconVideo, 'mp4 mov mkv webm avi'],
  [IconMusic, 'mp3 wav flac ogg m4a'],
  [IconFileText, 'txt md pdf doc docx odt rtf csv log'],
  [IconFileCode, 'js ts json html css xml yml yaml sh py java kt swift c h cpp rs go'],
]
const pictures = new Map(
  others.flatMap(([picture, names]) => names.split(' ').map((name) => [name, picture] as const)),
)

function pictureOf(filename: string): Icon {
  const icon = formatIcon(filename)
  return icon ? builds[icon] : (pictures.get(extensionOf(filename)) ?? IconFile)
}

interface FileIconProps {
  filename: string
  /** Address of the icon of the app inside. */
  icon?: string | null | undefined
  size?: number
}

/**
 * The icon of an app, or of a file type; hidden from screen readers because the name says the same.
 */
export function FileIcon({ filename, icon, size = 20 }: FileIconProps) {
  const ofType = <TypeIcon filename={filename} size={size} />
  return icon ? <AppIcon src={icon} size={size} fallback={ofType} /> : ofType
}

function TypeIcon({ filename, size }: { filename: string; size: number }) {
  return createElement(pictureOf(filename), {
    size,
    stroke: 1.5,
    color: 'var(--mantine-color-dimmed)',
    style: { flexShrink: 0 },
    'aria-hidden': true,
  })
}
