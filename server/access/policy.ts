import { forbidden, notFound } from '../core/errors'
import type { Actor } from './actor'

type Rule<Subject> = (actor: Actor, subject: Subject) => boolean
type Rules<Action extends string, Subject> = { read: Rule<Subject> } & Record<Action, Rule<Subject>>

/**
 * Defines the rules for one kind of record. An action without a rule does not exist; there is no
 * fallback.
 */
export function definePolicy<Subject>() {
  return <Action extends string>(
    noun: string,
    rules: Rules<Action, Subject>,
    /** The forbidden action in the error message, where the action's name is not enough. */
    wording: Partial<Record<Action | 'read', string>> = {},
  ) => {
    const actions = Object.keys(rules) as (Action | 'read')[]
    const can = (actor: Actor, action: Action | 'read', subject: Subject): boolean =>
      rules[action](actor, subject)

    return {
      can,
      /**
       * The actions this actor may take; sent with the record so that the UI does not re-implement
       * rules.
       */
      abilities: (actor: Actor, subject: Subject): (Action | 'read')[] =>
        actions.filter((action) => can(actor, action, subject)),
      /**
       * Returns the record. Throws `not_found` if the actor may not read it, else `forbidden` if
       * not allowed.
       */
      require(actor: Actor, action: Action | 'read', subject: Subject | undefined): Subject {
        if (subject === undefined || !rules.read(actor, subject)) throw notFound(noun)
        if (!can(actor, action, subject))
          throw forbidden(wording[action] ?? `${action} this ${noun.toLowerCase()}`)
        return subject
      },
    }
  }
}
