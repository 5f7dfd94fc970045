import { NativeSelect } from '@mantine/core'

interface ChannelSelectProps {
  channels: readonly string[]
  /** Empty: all. */
  value: string
  onChange: (channel: string) => void
}

/** Shows the releases of one channel, where there are several. */
export function ChannelSelect({ channels, value, onChange }: ChannelSelectProps) {
  const allChannels = value === '' || channels.includes(value) ? channels : [...channels, value]
  if (allChannels.length < 2 && value === '') return null

  return (
    <NativeSelect
      aria-label="Channel"
      data={[{ value: '', label: 'All channels' }, ...allChannels]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
