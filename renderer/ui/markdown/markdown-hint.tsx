import { Code } from '@mantine/core'

/** A short introduction to Markdown. */
export function MarkdownHint() {
  return (
    <>
      Markdown works here: <Code>**bold**</Code> <Code>- list</Code> <Code>[link](https://…)</Code>
    </>
  )
}
