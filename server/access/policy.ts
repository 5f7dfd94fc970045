import { forbidden, notFound } from '../core/errors'
import type { Actor } from './actor'

type Rule<Subject> = (actor: Actor, subject: Subject) => boolean
type Rules<Action extends string, Subject> = { read: Rule<Subject> } & Record<Action, Rule<Subject>>

/** Rules for one kind of record. An action that is not listed does not exist; there is no fallback. */
export function definePolicy<Subject>() {
  return <Action extends string>(
    noun: string,
    rules: Rules<Action, Subject>,
    /** What people are told that they may not do, where the action's own name does not say it. */
    wording: Partial<Record<Action | 'read', string>> = {},
  ) => {
    const actions = Object.keys(rules) as (Action | 'read')[]
    const can = (actor: Actor, action: Action | 'read', subject: Subject): boolean => rules[action](actor, subject)
    return {
      can,
      /** What this actor may do to this record, sent with it so that the UI never re-implements a rule. */
      abilities: (actor: Actor, subject: Subject): (Action | 'read')[] =>
        actions.filter((action) => can(actor, action, subject)),
      /** Returns the record or throws. A record that the actor may not read is reported as missing. */
      require(actor: Actor, action: Action | 'read', subject: Subject | undefined): Subject {
        if (subject === undefined || !rules.read(actor, subject)) throw notFound(noun)
        if (!can(actor, action, subject)) throw forbidden(wording[action] ?? `${action} this ${noun.toLowerCase()}`)
        return subject
      },
    }
  }
}
