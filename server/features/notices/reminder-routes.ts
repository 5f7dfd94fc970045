import type Router from '@koa/router'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import { api } from '../../contract'
import { serve } from '../../http/endpoint/serve'
import { countNotices } from '../../texts/reminder-texts'
import { projectPolicy } from '../projects/policy'
import { planReminders, presentReminders, sendReminders } from './reminders'

type Deps = Rooms<'accounts' | 'data' | 'files' | 'host' | 'notices' | 'projects'>

/** Tells the testers below a version of the newest one, or says who would be told. */
export function reminderRoutes(router: Router, context: Deps): void {
  const { planReminder, remind } = api.notices
  const requireProject = (actor: Actor, id: string) =>
    projectPolicy.require(actor, 'testers', context.projects.store.find(id))

  serve(router, planReminder, ({ actor, input: { id, below } }) =>
    presentReminders(planReminders(context, requireProject(actor, id), below)),
  )

  serve(router, remind, async ({ actor, input: { id, below }, ctx }) => {
    const project = requireProject(actor, id)
    const reminders = await context.data.library.transact((tx) => {
      const plan = planReminders(context, project, below)
      sendReminders(context, tx, plan)
      return plan
    })

    const reminded = presentReminders(reminders)
    const detail = countNotices(reminded)
    if (detail !== '')
      context.accounts.audit.record(ctx, {
        ...{ kind: 'tester_remind', subject: project.title, detail },
      })
    return reminded
  })
}
