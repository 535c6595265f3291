import type { Express } from 'express'
import { CLUSTER_TEST_PATH, type ClusterTest } from '../contract/index.ts'
import type { TestedEndpoint } from '../federation/cluster-test.ts'
import { fromOurPages } from './from-our-pages.ts'
import { abortOnLeave } from './mount.ts'
import { time } from './present-golden.ts'
import { HttpProblem, notFound } from './problem.ts'
import { sendJson } from './send-json.ts'

export interface ClusterTestDeps {
  /** Asks each endpoint of a cluster once; null where the name is nobody's. */
  readonly testCluster: (cluster: string, signal: AbortSignal) => Promise<readonly TestedEndpoint[]> | null
  /** Unix seconds. */
  readonly clock: () => number
}

/** A test goes past the breaker and the line: whoever keeps on testing must not become a load. */
const APART_SECONDS = 5

/** `POST /api/v1/clusters/NAME/test`: asks the cluster's endpoints now, whatever the breaker thinks of them. */
export function mountClusterTest(app: Express, { testCluster, clock }: ClusterTestDeps): void {
  const startedAtSeconds = new Map<string, number>()
  const running = new Set<string>()

  app.post(CLUSTER_TEST_PATH, fromOurPages, async (request, response) => {
    response.locals.route = CLUSTER_TEST_PATH
    const cluster = String(request.params.cluster)
    // However the clock was set meanwhile.
    const passedSeconds = Math.abs(clock() - (startedAtSeconds.get(cluster) ?? -Infinity))
    const waitSeconds = running.has(cluster) ? APART_SECONDS : Math.ceil(APART_SECONDS - passedSeconds)
    if (waitSeconds > 0) {
      response.set('retry-after', String(waitSeconds))
      const detail = `${cluster} is being tested, or just was; try again in ${waitSeconds} s`
      throw new HttpProblem({ status: 429, type: '/problems/too-many', title: 'Just tested', detail })
    }
    const testing = testCluster(cluster, abortOnLeave(response))
    if (testing === null) throw notFound(`cluster ${cluster.slice(0, 100)} is not configured here`)
    startedAtSeconds.set(cluster, clock())
    running.add(cluster)
    try {
      const endpoints = await testing
      await sendJson(request, response, { at: time(clock()), endpoints: [...endpoints] } satisfies ClusterTest)
    } finally {
      running.delete(cluster)
    }
  })
  app.all(CLUSTER_TEST_PATH, (request, response) => {
    response.set('allow', 'POST')
    const detail = `${request.method} is not possible here; use POST`
    throw new HttpProblem({ status: 405, type: '/problems/method-not-allowed', title: 'Method not allowed', detail })
  })
}
