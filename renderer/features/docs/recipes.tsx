import { Anchor, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import { api, type Endpoint } from '../../../server/contract'
import { Address } from './call'
import { CodeTabs } from './code-tabs'
import classes from './docs.module.css'
import { languages, writeExample } from './examples/examples'
import { callPath, operationOf } from './examples/operations'
import { Section } from './section'

/** What people come for first, with its call. */
const recipes: readonly [title: string, Endpoint][] = [
  ['Upload a build', api.files.upload],
  ['List your files', api.files.mine],
  ['Read about a file', api.files.info],
  ['Download a file', api.files.download],
  ['Download a public file of a person', api.files.downloadPublic],
  ['Make a file public or private', api.files.setVisibility],
  ['Delete a file', api.files.remove],
  ['Create a project', api.projects.create],
  ['Promote a beta to stable', api.releases.promote],
  ['Register an account', api.accounts.register],
]

export function Recipes({ base }: { base: string }) {
  return (
    <div className={classes.group}>
      <Title order={2} id="recipes" className={classes.groupTitle}>
        Recipes
      </Title>
      {recipes.map(([title, endpoint]) => (
        <Recipe key={title} title={title} endpoint={endpoint} base={base} />
      ))}
    </div>
  )
}

interface RecipeProps {
  title: string
  endpoint: Endpoint
  base: string
}

function Recipe({ title, endpoint, base }: RecipeProps) {
  const operation = operationOf(endpoint)
  const examples = languages.map(
    (language) => [language, () => writeExample(operation, base, language)] as const,
  )

  return (
    <Section
      anchor={`recipe-${operation.anchor}`}
      title={title}
      order={3}
      code={<CodeTabs title={title} examples={examples} />}
    >
      <Address endpoint={endpoint} />
      <p>
        <Anchor component={Link} to={callPath(operation)} inherit>
          Inputs, reply and errors
        </Anchor>
      </p>
    </Section>
  )
}
