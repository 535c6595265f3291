import { CLUSTER_TEST_PATH, ClusterTest } from '@goldseam/server/contract'
import { addressOf, post } from './client.ts'

/** Asks each endpoint of a cluster once, now. */
export function testCluster(cluster: string): Promise<ClusterTest> {
  return post(addressOf(CLUSTER_TEST_PATH, { cluster }, {}), {}, ClusterTest)
}
