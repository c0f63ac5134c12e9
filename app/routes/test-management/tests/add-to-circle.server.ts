import { circleInput } from "#contracts/test-registry/circles.ts";
import { required } from "~/backend/responses";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { plural } from "~/ui/count/plural";
import type { Toast } from "./list-changes.server";

const listedCircles = 200;

export async function listCircleChoices({ backend }: Viewer): Promise<{ id: string; name: string }[]> {
  const { items } = required(await backend.testRegistry.listCircles({ query: { limit: listedCircles } }));
  return items.map(({ id, name }) => ({ id, name }));
}

type Added = { done: Toast } | { typed: string; error: string };

/** Appends tests to the members of a circle; a concurrent change of the circle is not overwritten. */
export async function addToCircle(viewer: Viewer, apiId: string, ids: string[], circleId: string): Promise<Added> {
  const { testRegistry } = viewer.backend;
  const params = { testCircleId: circleId };
  if (!circleId) return { typed: circleId, error: "Choose a circle" };
  const circle = required(await testRegistry.getCircle({ params }));
  const named = new Set(circle.members.map((member) => (member.kind === "test" ? member.testId : "")));
  const fresh = ids.filter((id) => !named.has(id));
  const displayed = href("/test-management/:apiId/test-circles/:testCircleId", { apiId, testCircleId: circleId });
  const actions = [{ name: "Open it", href: displayed }];
  if (fresh.length === 0) return { done: { message: `${circle.name} has them already.`, variant: "info", actions } };
  const members = [...circle.members, ...fresh.map((testId) => ({ kind: "test" as const, testId }))];
  const body = circleInput.parse({ ...circle, members });
  const result = await testRegistry.changeCircle({ params, body, headers: { "if-match": `"${circle.version}"` } });
  if (!result.ok && (result.status === 412 || result.status === 422)) {
    const { errors, detail } = result.problem;
    return { typed: circleId, error: errors?.map(({ message }) => message).join(". ") || detail };
  }
  required(result);
  return { done: { message: `${plural(fresh.length, "test")} added to ${circle.name}.`, variant: "success", actions } };
}
