import { Anchor, Text, type TextProps } from '@mantine/core'
import { Fragment } from 'react'

const ADDRESS = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/

/** What a person typed, with its line breaks, and with its web addresses as links. */
export function PlainText({ text, ...props }: { text: string } & Omit<TextProps, 'children'>) {
  return (
    <Text size="md" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto" {...props}>
      {text.split(ADDRESS).map((part, index) =>
        index % 2 === 0 ? (
          <Fragment key={index}>{part}</Fragment>
        ) : (
          <Anchor key={index} href={part} target="_blank" rel="noopener noreferrer nofollow ugc" inherit>
            {part}
          </Anchor>
        ),
      )}
    </Text>
  )
}
