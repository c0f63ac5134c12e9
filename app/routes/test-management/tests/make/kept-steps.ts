import type { PlannedCircle, PlannedStep, PlannedTest, SuitePlan } from "#contracts/test-analyzer/suite-plans.ts";

export interface KeptSteps {
  /** Those whose values are known, in order. */
  steps: PlannedStep[];
  /** The others, each with the names of its missing values. */
  dropped: { step: PlannedStep; names: string[] }[];
  /** Whether the circle still does what it is for, and removes what it makes. */
  isUsable: boolean;
}

/** The tests of a plan, by key. */
export function getTests({ tests }: Pick<SuitePlan, "tests">): Map<string, PlannedTest> {
  return new Map(tests.map((test) => [test.key, test]));
}

/** The steps of a circle that can be sent with the given values and the circle's own. */
export function keepSteps(
  { kind, steps, variables }: PlannedCircle,
  tests: ReadonlyMap<string, PlannedTest>,
  given: ReadonlySet<string>,
): KeptSteps {
  const known = new Set([...given, ...variables.map(({ name }) => name)]);
  const checked = steps.map((step) => {
    const names = (tests.get(step.test)?.needs ?? []).filter((name) => !known.has(name));
    return { step, names };
  });
  const dropped = checked.filter(({ names }) => names.length > 0);
  const kept = checked.filter(({ names }) => names.length === 0).map(({ step }) => step);
  const isUsable =
    (kind === "refusals" ? kept.some(({ does }) => does === "refuse") : kept.length > 0) &&
    !dropped.some(({ step }) => kind === "setting" || isIndispensable(step, tests.get(step.test)));
  return { steps: kept, dropped, isUsable };
}

/** Later steps use what it captures, or it removes what earlier ones made. */
function isIndispensable({ does }: PlannedStep, planned: PlannedTest | undefined): boolean {
  return ["create", "take", "remove", "putBack"].includes(does) || (planned?.test.captures ?? []).length > 0;
}
