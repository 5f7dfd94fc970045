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
import { mediaOf, type Media } from '../../visitor/parts/media'
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

const others: Readonly<Record<Media, Icon>> = {
  archive: IconFileZip,
  image: IconPhoto,
  video: IconVideo,
  audio: IconMusic,
  text: IconFileText,
  code: IconFileCode,
}

function pictureOf(filename: string): Icon {
  const icon = formatIcon(filename)
  if (icon) return builds[icon]
  const media = mediaOf(filename)
  return media ? others[media] : IconFile
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
