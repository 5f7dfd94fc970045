import { Code } from '@mantine/core'

/** The shortest help for those who have never seen Markdown. */
export function MarkdownHint() {
  return (
    <>
      Markdown works here: <Code>**bold**</Code> <Code>- list</Code> <Code>[link](https://…)</Code>
    </>
  )
}
