import type { PlannedCircle, StepKind } from "#contracts/test-analyzer/suite-plans.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { OperationKey } from "~/features/operation/operation-key";

/** A step with the operation of its test. */
export interface StepInWords extends OperationKey {
  does: StepKind;
  phase: CirclePhase;
  effect?: PlannedCircle["steps"][number]["effect"];
}

const words: Partial<Record<StepKind, string>> = {
  list: "list",
  findGone: "gone",
  findUnknown: "an unknown id",
  putBack: "put back",
};
const list = new Intl.ListFormat("en");
const maxOperations = 3;

/** "POST → GET → list → PATCH → GET, then DELETE → gone" */
export function stepsInWords(steps: readonly StepInWords[]): string {
  const inPhase = (wanted: CirclePhase) => chain(steps.filter(({ phase }) => phase === wanted));
  const [setUp, main, tearDown] = [inPhase("setUp"), inPhase("main"), inPhase("tearDown")];
  return [setUp && `first ${setUp}`, main, tearDown && `then ${tearDown}`].filter(Boolean).join(", ");
}

/** Equal neighbours are counted: "3 × GET". */
function chain(steps: readonly StepInWords[]): string {
  const counted: { word: string; count: number }[] = [];
  for (const { does, method } of steps) {
    const word = words[does] ?? method.toUpperCase();
    const last = counted.at(-1);
    if (last?.word === word) last.count += 1;
    else counted.push({ word, count: 1 });
  }
  return counted.map(({ word, count }) => (count === 1 ? word : `${count} × ${word}`)).join(" → ");
}

/** What a circle makes and removes again, and what else it changes. What it leaves behind is displayed apart. */
export function effectInWords(
  circle: Pick<PlannedCircle, "kind" | "isSafe" | "makes" | "leaves">,
  steps: readonly StepInWords[],
): string {
  const removed = circle.makes.filter((thing) => !circle.leaves.includes(thing));
  const made =
    removed.length > 0 && `Creates ${list.format(removed)} and removes ${removed.length === 1 ? "it" : "them"} again.`;
  const changed = !circle.isSafe && changeInWords(circle.kind, steps);
  const nothing = circle.makes.length === 0 && circle.isSafe && "Changes nothing.";
  return [made, changed, nothing].filter(Boolean).join(" ");
}

function changeInWords(kind: PlannedCircle["kind"], steps: readonly StepInWords[]): string {
  const changing = steps.filter(({ method, does }) => !isSafe(method) && does !== "putBack");
  const allowed = changing.filter(({ effect }) => effect === "allowed");
  const operations = (allowed.length > 0 ? allowed : changing).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  const different = [...new Set(operations)];
  const more = different.length > maxOperations ? [`${different.length - maxOperations} more`] : [];
  const back = kind === "setting" ? ", and puts it back" : "";
  return `Changes existing data: ${list.format([...different.slice(0, maxOperations), ...more])}${back}.`;
}
