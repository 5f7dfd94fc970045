import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Component, type ErrorInfo, type ReactNode } from 'react'

interface ErrorBoundaryProps {
  /** A change of this (the route) tries again. */
  resetKey?: string
  /** Stands where a part of a page stopped working. Without it, the whole page is said to have stopped. */
  fallback?: ReactNode
  children: ReactNode
}

/** Catches what a page throws, so that the frame around it stays usable. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { error: Error | null }> {
  override state = { error: null as Error | null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override componentDidCatch(error: Error, { componentStack }: ErrorInfo) {
    console.error('A page failed', error, componentStack)
  }

  override componentDidUpdate({ resetKey }: ErrorBoundaryProps) {
    if (this.state.error && resetKey !== this.props.resetKey) this.setState({ error: null })
  }

  override render() {
    const { fallback = <Failure />, children } = this.props
    return this.state.error ? fallback : children
  }
}

/** Mostly a page of an older version whose files the host no longer has: loading it again mends that. */
function Failure() {
  return (
    <Stack role="alert" align="center" ta="center" gap="sm" py={96} px="md">
      <Title order={1} size="h2">
        This page stopped working
      </Title>
      <Text c="dimmed" maw={440}>
        Nothing that you saved is lost. Load the page again; if it stops again, the host may have been updated or be out
        of reach.
      </Text>
      <Group mt="xs">
        <Button onClick={() => window.location.reload()}>Load again</Button>
        <Button variant="default" component="a" href="/">
          Go to the start page
        </Button>
      </Group>
    </Stack>
  )
}
