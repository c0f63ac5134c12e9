/** Where a variable comes from, for who reads that a test would change what its run did not make. */
export function createDescribeVariable(isOfRun: (name: string) => boolean): (name: string) => string {
  return (name) => (isOfRun(name) ? "comes from the circle's or the run's variables." : "comes from the environment.");
}
