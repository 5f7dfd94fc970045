import { Autocomplete, Group, TextInput } from '@mantine/core'
import { PLATFORMS } from '../../../../server/contract'

interface ReleaseFieldsProps {
  version: string
  platform: string
  onChange: (news: { version?: string; platform?: string }) => void
}

export function ReleaseFields({ version, platform, onChange }: ReleaseFieldsProps) {
  return (
    <Group grow preventGrowOverflow={false} align="flex-start">
      <TextInput
        label="Version"
        description="Optional. Default: the package’s version"
        placeholder="1.4.0"
        maxLength={64}
        autoComplete="off"
        value={version}
        onChange={(event) => onChange({ version: event.currentTarget.value })}
      />
      <Autocomplete
        label="Platform"
        description="Optional"
        placeholder="Android"
        maxLength={32}
        data={[...PLATFORMS]}
        value={platform}
        onChange={(value) => onChange({ platform: value })}
      />
    </Group>
  )
}
