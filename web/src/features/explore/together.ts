/** Who answers for all clusters at once; no cluster can be called that. */
export const TOGETHER = 'all together'
