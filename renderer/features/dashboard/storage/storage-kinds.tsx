import { Box } from '@mantine/core'
import type { StorageKind, StorageStats } from '../../../../server/contract'
import { formatSize, formatWhole } from '../../../lib/words/format'
import { ShareBar } from './share-bar'

/** Each colour has its name beside it. Green, orange and red are reserved for how full the storage is. */
const looks: Record<StorageKind, { name: string; color: string }> = {
  android: { name: 'Android', color: 'var(--mantine-color-quay-6)' },
  ios: { name: 'iOS', color: 'var(--mantine-color-blue-6)' },
  windows: { name: 'Windows', color: 'var(--mantine-color-indigo-6)' },
  macos: { name: 'macOS', color: 'var(--mantine-color-grape-6)' },
  linux: { name: 'Linux', color: 'var(--mantine-color-pink-6)' },
  archive: { name: 'Archives', color: 'var(--mantine-color-gray-6)' },
  other: { name: 'Other files', color: 'var(--mantine-color-gray-5)' },
  text: { name: 'Text', color: 'var(--mantine-color-gray-4)' },
}

const countOf = (files: number) => (files === 1 ? '1 file' : `${formatWhole(files)} files`)

export function StorageKinds({ kinds }: { kinds: StorageStats['by_kind'] }) {
  return (
    <Box mt="xs">
      <ShareBar
        label="Storage by type"
        parts={kinds.map(({ kind, files, size }) => ({
          ...looks[kind],
          share: size,
          text: formatSize(size),
          hint: kind === 'text' ? 'Titles, descriptions and posts' : countOf(files),
        }))}
      />
    </Box>
  )
}
