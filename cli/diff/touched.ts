/** What of a portal a new version touches. */
export interface Touched {
  /** Tests of which something breaks. */
  tests: { id: string; name: string; operation: string; effects: string[] }[];
  /** Other tests of operations that changed. */
  otherTests: number;
  /** Circles that run a test which breaks. */
  circles: { id: string; name: string; schedules: string[] }[];
  /** Rules that apply where such a test fails: "of the circle Daily, to On call". */
  alertRules: string[];
  /** What changes of the lives of resources, and of base URLs. */
  notes: string[];
  /** Why tests, circles, schedules and alert rules are not known. */
  unknown?: string;
}
