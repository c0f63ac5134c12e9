import type { OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import type { PlannedStep } from "#contracts/test-analyzer/suite-plans.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { CircleDraft, type PlanParts } from "../plan/circle-draft.ts";
import { changesByGet } from "../plan/effect-by-name.ts";
import { toKey } from "../plan/known.ts";
import { refuse } from "../plan/plan-life.ts";
import type { Draft } from "../plan/planned-tests.ts";
import type { Supply } from "../plan/supplies.ts";
import { withArticle } from "../plan/words.ts";
import type { SentStep } from "./findings.ts";
import type { Session, Step } from "./session.ts";
import { conformance } from "./violations.ts";

/** What operations of one resource need, and how it is removed again. */
export interface Scene {
  resource: Resource | undefined;
  /** How one is made, if the exploration may make one. */
  own: { maker: Supply; creation: Draft; removal: Step } | undefined;
  /** Makes and takes what the others need. */
  opening: SentStep[];
  /** The operations that are explored, by their valid calls; without the creation. */
  drafts: Draft[];
  closing: Step[];
}

/** Plans a scene; what can't be explored is left out with a reason. */
export function planScene(
  resource: Resource | undefined,
  operations: readonly OperationKey[],
  { parts, changes, leaveOut }: { parts: PlanParts; changes: boolean; leaveOut: Session["leaveOut"] },
): Scene {
  const { known, supplies, tests } = parts;
  const own = changes && resource ? findOwn(resource, parts) : undefined;
  const circle = new CircleDraft(parts);
  if (own && resource) {
    circle.makeOwn(own.maker);
    circle.unmake(resource, "main");
  }
  const drafts: Draft[] = [];
  for (const operation of operations) {
    if (own && toKey(operation) === toKey(own.maker.operation)) continue;
    const draft = tests.call(operation, { own: own && resource });
    const reason = draft ? refuseToExplore(draft) : "The document does not describe it.";
    if (!draft || reason) leaveOut(operation, reason ?? "");
    else {
      drafts.push(draft);
      circle.add("read", draft);
    }
  }
  return { resource, own, drafts, ...order() };

  function refuseToExplore(draft: Draft): string | undefined {
    const { operation } = draft;
    const described = known.operations.get(toKey(operation))!.operation;
    if (!isSafe(operation.method) && !changes) return "It may change something, and only safe methods are sent.";
    if (changesByGet({ ...operation, summary: described.summary })) return "By its name it changes something.";
    const refusal = refuse(draft, own && resource, parts);
    if (refusal) return refusal;
    if (!operation.path.includes("{") && !isSafe(operation.method))
      return "What it makes or changes can't be removed or put back.";
    const left = draft.resources.find((one) => supplies.find(one)?.kind === "make" && !supplies.isRemoved(one));
    return left && `It needs ${withArticle(left.name)}, which no operation removes.`;
  }

  function order(): Pick<Scene, "opening" | "closing"> {
    const { steps } = circle.finish();
    const explored = new Set(drafts.map(({ key }) => key));
    const toPlanned = ({ test, effect }: PlannedStep) => ({ ...toStep(circle.tests.get(test)!, parts), effect });
    return {
      opening: steps
        .filter(({ phase, test }) => phase !== "tearDown" && !explored.has(test))
        .map((step) => ({ ...toPlanned(step), phase: "setUp" as const })),
      closing: steps.filter(({ phase }) => phase === "tearDown").map(toPlanned),
    };
  }
}

/** How to make one. Undefined where it could not be identified, or deleted again. */
function findOwn(resource: Resource, parts: PlanParts): Scene["own"] {
  const { supplies, tests } = parts;
  const maker = supplies.findMaker(resource);
  const { remove } = resource.operations;
  const removal = remove && tests.remove(resource, remove);
  if (!maker || !removal || !supplies.isRemoved(resource) || supplies.needsOf(maker.call, resource).asks.length > 0) {
    return undefined;
  }
  return { maker, creation: tests.create(maker), removal: toStep(removal, parts) };
}

export function toStep({ test, operation, generated }: Draft, { supplies }: PlanParts): Step {
  const joins = !isSafe(operation.method) && supplies.findJoining(operation) !== undefined;
  const effect = joins ? ("allowed" as const) : undefined;
  return { test: { ...test, checks: conformance }, operation, effect, generated };
}

/** A scene whose parts are there. */
export interface OpenScene extends Scene {
  captures: Map<string, OpenCapture>;
  /** As they were sent. */
  opened: SentStep[];
  close(): Promise<void>;
}

/** Makes what a scene needs. What fails is missed by those that need it. */
export async function openScene(scene: Scene, session: Session): Promise<OpenScene> {
  const captures = new Map<string, OpenCapture>();
  const opened: SentStep[] = [];
  for (const step of scene.opening) opened.push({ ...step, called: await session.send(step, captures) });
  return { ...scene, captures, opened, close };

  async function close(): Promise<void> {
    for (const step of scene.closing) await session.send(step, captures);
  }
}
