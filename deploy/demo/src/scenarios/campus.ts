import type { Behaviour, Call } from '../services/behaviour.ts'
import type { PhasePlan, Scenario, ServiceChange, ServicePlan } from './scenario.ts'

/** Who may carry the fault: the story's own culprit first. */
export const CAMPUS_CULPRITS = ['directory', 'permissions', 'pdf', 'ingress'] as const
export const CAMPUS_CLUSTERS = ['east', 'west'] as const
export type CampusCulprit = (typeof CAMPUS_CULPRITS)[number]

const APP_PORT = 8080
const MANY_WORKERS = 64
/** All times are the story's, divided by this: a minute has to hold enough requests, and no more than one process can serve. */
const SHRINK = 6
const SLOW_MS = Math.round(200 / SHRINK)
/** 200 users at 30 requests per second wait 6.7 s from one question to the next, of which this is not spent at X: just under its limit. */
const THINK_SECONDS = 13 / SHRINK
const X_TIMEOUT_MS = 30_000 / SHRINK
/** Under one shared lock, three replicas together manage 1000 / 27 = 37 requests per second instead of one's 30. */
const SHARED_LOCK_MS = Math.round(160 / SHRINK)
const perSecond = (ms: number) => Math.floor(1000 / ms)

const SERVICE_OF: Record<CampusCulprit, string> = {
  directory: 'west/campus/directory',
  permissions: 'west/campus/permissions',
  pdf: 'west/campus/pdf',
  ingress: 'west/ingress-nginx/controller',
}

const campus = (name: string): Call => ({ host: `${name}.campus.svc.cluster.local:${APP_PORT}` })
const viaIngress = (name: string): Call => ({ host: `${name}.campus.example`, timeoutMs: X_TIMEOUT_MS })
const quick = (workMs: number, more: Partial<Behaviour> = {}): Behaviour => ({
  workers: MANY_WORKERS,
  workMs,
  spreadMs: workMs / 2,
  ...more,
})
const ONE_SLOW_WORKER: Partial<Behaviour> = { workers: 1, workMs: SLOW_MS, spreadMs: 0 }
/** Each replica still takes 33 ms in all, 27 of them under the lock. */
const SHARED_LOCK: Partial<Behaviour> = {
  workers: MANY_WORKERS,
  workMs: SLOW_MS - SHARED_LOCK_MS,
  spreadMs: 0,
  lockMs: SHARED_LOCK_MS,
}

export function createCampus(culprit: CampusCulprit): Scenario {
  return {
    name: 'campus',
    title: 'Ten thousand test appointments',
    scale: `All times are the story's times / ${SHRINK}: one directory worker takes ${SLOW_MS} ms (200 ms in the story), the clinic waits ${X_TIMEOUT_MS / 1000} s for the campus (30 s), so that a minute holds enough requests.`,
    culprit: SERVICE_OF[culprit],
    cast: CAST,
    clusters: CAMPUS_CLUSTERS,
    services: SERVICES.map((service) =>
      `${service.cluster}/${service.namespace}/${service.name}` === SERVICE_OF[culprit]
        ? { ...service, replicas: 1, behaviour: { ...service.behaviour, ...ONE_SLOW_WORKER } }
        : service,
    ),
    phases: phases(culprit),
    load: { host: 'scheduler.clinic.example', path: '/invitations', thinkSeconds: THINK_SECONDS },
    // The catalog's readers are many enough that west's ingress is not X's alone: rates do not tell whose calls are whose.
    background: [
      { host: 'portal.clinic.example', path: '/', thinkSeconds: 2, users: 5 },
      { host: 'catalog.campus.example', path: '/books', thinkSeconds: 2, users: 12 },
    ],
  }
}

const CAST = [
  {
    letter: 'X',
    service: 'east/clinic/scheduler',
    text: 'sends the invitations; each needs one answer from the campus',
  },
  { letter: 'A', service: 'west/campus/appointments', text: 'half of the calls; asks C once' },
  { letter: 'B', service: 'west/campus/reminders', text: 'three in ten of the calls; asks C once' },
  {
    letter: 'C',
    service: 'west/campus/permissions',
    text: 'two in ten of the calls, and all of A and B; asks pdf, mail and D once each',
  },
  {
    letter: 'D',
    service: 'west/campus/directory',
    text: `another team's: one replica, one worker, ${SLOW_MS} ms per request`,
  },
]

const east = (namespace: string, name: string, behaviour: Behaviour, replicas = 1): ServicePlan => ({
  cluster: 'east',
  namespace,
  name,
  replicas,
  port: APP_PORT,
  serviceAccount: name,
  behaviour,
})
const west = (...args: Parameters<typeof east>): ServicePlan => ({ ...east(...args), cluster: 'west' })
const ingress = (cluster: string, address: string, hosts: Record<string, string>): ServicePlan => ({
  ...east('ingress-nginx', 'controller', quick(1)),
  cluster,
  port: 80,
  serviceAccount: 'ingress-nginx',
  ingress: { address, hosts },
})

const SERVICES: readonly ServicePlan[] = [
  ingress('east', '203.0.113.10:80', {
    'scheduler.clinic.example': 'clinic/scheduler',
    'portal.clinic.example': 'clinic/portal',
  }),
  east(
    'clinic',
    'scheduler',
    quick(6, {
      oneOf: [
        { ...viaIngress('appointments'), share: 0.5 },
        { ...viaIngress('reminders'), share: 0.3 },
        { ...viaIngress('permissions'), share: 0.2 },
      ],
    }),
    2,
  ),
  east('clinic', 'portal', quick(8, { calls: [{ host: `badges.clinic.svc.cluster.local:${APP_PORT}` }] })),
  east('clinic', 'badges', quick(3)),
  ingress('west', '203.0.113.20:80', {
    'appointments.campus.example': 'campus/appointments',
    'reminders.campus.example': 'campus/reminders',
    'permissions.campus.example': 'campus/permissions',
    'catalog.campus.example': 'library/catalog',
  }),
  west('campus', 'appointments', quick(5, { calls: [campus('permissions')] }), 2),
  west('campus', 'reminders', quick(5, { calls: [campus('permissions')] })),
  west('campus', 'permissions', quick(4, { calls: [campus('pdf'), campus('mail'), campus('directory')] }), 2),
  west('campus', 'pdf', quick(5)),
  west('campus', 'mail', quick(4)),
  west('campus', 'directory', quick(SLOW_MS, { spreadMs: 0 })),
  west('library', 'catalog', quick(7)),
]

const CALM_USERS = 24
const PEAK_USERS = 200

function phases(culprit: CampusCulprit): PhasePlan[] {
  const id = SERVICE_OF[culprit]
  const short = id.split('/').at(-1) ?? id
  const steady = (users: number) => [{ afterSeconds: 0, users }]
  return [
    {
      name: 'calm',
      title: 'Calm',
      text: `${CALM_USERS} users. Everybody answers quickly.`,
      durationSeconds: 300,
      users: steady(CALM_USERS),
      changes: {},
    },
    {
      name: 'ramp',
      title: 'Ramp',
      text: `The invitations go out: 80, 140, then ${PEAK_USERS} users. One worker of ${short} manages ${perSecond(SLOW_MS)} requests per second; all who wait for it look equally sick.`,
      durationSeconds: 120,
      users: [
        { afterSeconds: 0, users: 80 },
        { afterSeconds: 10, users: 140 },
        { afterSeconds: 20, users: PEAK_USERS },
      ],
      changes: {},
    },
    {
      name: 'scaled',
      title: `${short} scaled out`,
      text: `Three replicas of ${short}, but each request holds a lock that they share for ${SHARED_LOCK_MS} ms: ${perSecond(SHARED_LOCK_MS)} per second instead of ${perSecond(SLOW_MS)}. The timeouts stop, the wait does not.`,
      durationSeconds: 75,
      users: steady(PEAK_USERS),
      changes: { [id]: { replicas: 3, behaviour: SHARED_LOCK } },
    },
    { ...without(culprit, id), name: 'without', durationSeconds: 150, users: steady(PEAK_USERS) },
  ]
}

/** The needless check goes away; what cannot be left out (the ingress, the permissions) is repaired. */
function without(culprit: CampusCulprit, id: string): Pick<PhasePlan, 'title' | 'text' | 'changes'> {
  const skip = (called: string): Record<string, ServiceChange> => ({
    'west/campus/permissions': {
      behaviour: { calls: ['pdf', 'mail', 'directory'].filter((name) => name !== called).map(campus) },
    },
  })
  switch (culprit) {
    case 'directory':
    case 'pdf':
      return {
        title: `permissions without ${culprit}`,
        text: `permissions no longer calls ${culprit}, which it never needed: quick again at ${PEAK_USERS} users, and ${culprit} has no traffic at all.`,
        // The idle service keeps the replicas it was given: only the traffic goes.
        changes: { ...skip(culprit), [id]: { replicas: 3, behaviour: SHARED_LOCK } },
      }
    case 'permissions':
    case 'ingress':
      return {
        title: `${culprit} repaired`,
        text: `${culprit} works on many requests at once again: quick at ${PEAK_USERS} users.`,
        changes: { [id]: { replicas: 3, behaviour: quick(culprit === 'ingress' ? 1 : 4) } },
      }
    default:
      return culprit satisfies never
  }
}
