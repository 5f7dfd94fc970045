import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'

interface SearchInputProps {
  /** The accessible name of the input: 'Search projects'. */
  label: string
  value: string
  onChange: (value: string) => void
}

export function SearchInput({ label, value, onChange }: SearchInputProps) {
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={
        value !== '' && (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => onChange('')} />
        )
      }
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      maxLength={200}
      w={{ base: '100%', xs: 320 }}
    />
  )
}
