/** A problem that the reader can solve: shown without a stack. */
export class SetupProblem extends Error {}
