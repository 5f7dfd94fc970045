import { Code } from '@mantine/core'
import { Fragment } from 'react'

export function InlineCode({ text }: { text: string }) {
  return <Code fz="0.9em">{text}</Code>
}

/** A sentence whose `backticked` parts are code. */
export function MarkedText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) =>
      index % 2 === 0 ? (
        <Fragment key={index}>{part}</Fragment>
      ) : (
        <InlineCode key={index} text={part} />
      ),
    )
}
