import { type ComponentType, lazy } from 'react'
import { MissingPart } from './missing-part.tsx'

type Load = () => Promise<unknown>
const seldom: Load[] = []

/**
 * A component that is loaded when it is first drawn. Where that fails, `Missing` takes its place: what is around it
 * stays on the screen.
 */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<Props> = MissingPart,
) {
  return lazy(partOr(load, Missing))
}

/** What `lazy` and the router load; asked for in idle time as well, unless `large`. */
export function partOr<Props>(
  load: () => Promise<ComponentType<Props>>,
  Missing: ComponentType<Props>,
  { large = false } = {},
): () => Promise<{ default: ComponentType<Props> }> {
  if (!large) seldom.push(load)
  return async () => ({ default: await load().catch(() => Missing) })
}

/**
 * Loads what was not needed yet, one after the other, so that a click finds it there though the server restarts just
 * then. The first failure ends it: a browser would not ask again for the others either.
 */
export async function loadTheRest(untilIdle: () => Promise<void>): Promise<void> {
  try {
    for (const load of seldom) {
      await untilIdle()
      await load()
    }
  } catch {
    // Each of them says so once somebody wants it.
  }
}
