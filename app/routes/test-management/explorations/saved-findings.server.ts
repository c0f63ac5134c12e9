import { createHash } from "node:crypto";
import { toDisplayName } from "#contracts/kit/display-name.ts";
import type { Exploration, Finding } from "#contracts/test-executioner/explorations.ts";
import type { CircleInput } from "#contracts/test-registry/circles.ts";
import { required } from "~/backend/responses";
import { circleAddress } from "~/features/circles/circle-addresses";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { isOneTest } from "./one-test";

/** Tag of tests that were saved from findings. */
const tag = "exploration";

export interface SavedFinding {
  name: string;
  href: string;
}

/** Of the test or circle, which a later press finds by it. */
const toName = ({ message, key }: Finding): string => toDisplayName(message, 300).trim() || key;

const testAddress = (apiId: string, testId: string) =>
  href("/test-management/:apiId/tests/:testId/edit", { apiId, testId });

/** What findings were saved as, by key; of 200 tests and 200 circles at most. */
export async function findSaved(
  { backend }: Viewer,
  apiId: string,
  findings: readonly Finding[],
): Promise<Record<string, SavedFinding>> {
  if (findings.length === 0) return {};
  const [tests, circles] = await Promise.all([
    backend.testRegistry.listTests({ params: { apiId }, query: { tag, limit: 200 } }).then(required),
    backend.testRegistry.listCircles({ query: { apiId, limit: 200 } }).then(required),
  ]);
  const saved: Record<string, SavedFinding> = {};
  for (const finding of findings) {
    const name = toName(finding);
    const test = isOneTest(finding) && tests.items.find((one) => one.name === name);
    const circle = !isOneTest(finding) && circles.items.find((one) => one.name === name);
    if (test) saved[finding.key] = { name, href: testAddress(apiId, test.id) };
    else if (circle) saved[finding.key] = { name, href: circleAddress(circle, apiId) };
  }
  return saved;
}

export interface Saving {
  viewer: Viewer;
  exploration: Exploration;
  finding: Finding;
  /** Of the form: a double press saves once. */
  formKey: string;
}

/** Saves a finding as a test if it is one request that needs nothing, otherwise as a circle that sends its chain. */
export async function saveFinding(saving: Saving) {
  return isOneTest(saving.finding) ? await saveAsTest(saving) : await saveAsCircle(saving);
}

async function saveAsTest(saving: Saving) {
  const name = toName(saving.finding);
  const made = await createTests(saving, { keepExisting: true, name });
  if (!made.ok) return made;
  return { ok: true as const, name, href: testAddress(saving.exploration.apiId, made.value.items[0]!.id) };
}

async function saveAsCircle(saving: Saving) {
  const { viewer, exploration, finding } = saving;
  const { apiId } = exploration;
  const name = toName(finding);
  const { listCircles, createCircle } = viewer.backend.testRegistry;
  const query = { apiId, query: name.slice(0, 200).trim(), limit: 200 };
  const before = required(await listCircles({ query })).items.find((one) => one.name === name);
  if (before) return { ok: true as const, name, href: circleAddress(before, apiId) };
  const made = await createTests(saving, {});
  if (!made.ok) return made;
  const members: CircleInput["members"] = finding.steps.map(({ phase, effect }, index) => ({
    ...{ kind: "test" as const, testId: made.value.items[index]!.id, phase },
    ...(effect ? { effect } : {}),
  }));
  const { environment } = exploration.input;
  const circle = await createCircle({
    body: {
      ...{ name, members, variables: finding.variables, order: "sequential", onlyOwn: true },
      environments: environment === null ? {} : { [apiId]: environment },
    },
    headers: { "idempotency-key": toKey(saving, "circle") },
  });
  return circle.ok ? { ok: true as const, name, href: circleAddress(circle.value, apiId) } : circle;
}

function createTests(saving: Saving, { keepExisting, name }: { keepExisting?: boolean; name?: string }) {
  const items = saving.finding.steps.map(({ test }) => ({
    ...test,
    ...(name === undefined ? {} : { name }),
    tags: [...test.tags.filter((one) => one !== tag), tag],
  }));
  return saving.viewer.backend.testRegistry.createTests({
    params: { apiId: saving.exploration.apiId },
    body: { items, keepExisting },
    headers: { "idempotency-key": toKey(saving, "tests") },
  });
}

function toKey({ formKey, finding }: Saving, subject: string): string {
  return `${formKey}:${subject}:${createHash("sha256").update(finding.key).digest("base64url")}`;
}
