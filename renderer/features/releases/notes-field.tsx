import { Box, Button, Paper, Textarea, type TextareaProps } from '@mantine/core'
import { useId, useState } from 'react'
import { Markdown } from '../../ui/markdown/markdown'
import { MarkdownHint } from '../../ui/markdown/markdown-hint'

/** Release notes in Markdown, with a preview. */
export function NotesField({ value, ...props }: TextareaProps) {
  const [isShown, setShown] = useState(false)
  const preview = useId()
  const text = typeof value === 'string' ? value.trim() : ''

  return (
    <Box>
      <Textarea
        label="Notes"
        description={
          <>
            What is new for the people who use it. <MarkdownHint />
          </>
        }
        autosize
        minRows={5}
        maxRows={16}
        value={value}
        {...props}
      />
      <Button
        mt={4}
        size="compact-xs"
        variant="subtle"
        aria-expanded={isShown}
        aria-controls={preview}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? 'Hide preview' : 'Preview'}
      </Button>
      {isShown && (
        <Paper withBorder p="sm" mt={4} id={preview} component="section" aria-label="Preview">
          {text === '' ? 'Nothing to preview yet' : <Markdown text={text} small />}
        </Paper>
      )}
    </Box>
  )
}
