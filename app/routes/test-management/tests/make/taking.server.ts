import { z } from "zod";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { parseJson, UnreadableJson } from "#libraries/json/parse-json.ts";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import { requireScope, type Viewer } from "~/session/guards";
import { type MakeReply, operationValue, type Taking } from "./making";
import { suggestFor } from "./suggest-for.server";
import { takenValues } from "./taken-values";
import type { ValueSource } from "./value-sources";
import { whyUnreadable } from "./why-unreadable";

const fill = z.object({ name: z.string().max(100), value: z.string().max(10_000) });
const source = z.object({
  use: z.object({ variable: z.string().max(100), parameter: z.string().max(500), path: z.string().max(4_000) }),
  from: z.object({ method: z.literal("get"), path: z.string().max(4_000) }),
});

/** Handles the buttons of a value: sends a GET for it, or fills the field with the response. */
export async function fillOrTake(
  viewer: Viewer,
  apiId: string,
  intent: string,
  typed: Record<string, string>,
): Promise<Pick<MakeReply, "typed" | "taking"> | undefined> {
  const [, step, written = ""] = /^(fill|take):(.*)$/s.exec(intent) ?? [];
  if (step === "fill") {
    const { name, value } = read(fill, written);
    return { typed: { ...typed, [name]: value } };
  }
  if (step !== "take") return undefined;
  requireScope(viewer, "tests:run");
  const wanted = read(source, written);
  return { typed, taking: { ...wanted, ...(await take(viewer, apiId, wanted, typed)) } };
}

function read<Read>(schema: z.ZodType<Read>, written: string): Read {
  try {
    return schema.parse(JSON.parse(written));
  } catch {
    throw new Response("There is no such action.", { status: 400 });
  }
}

type Taken = Pick<Taking, "values" | "refusal">;
const refused = (refusal: string): Taken => ({ values: [], refusal });

/** The response is not stored. */
async function take(
  viewer: Viewer,
  apiId: string,
  { use, from }: ValueSource,
  typed: Record<string, string>,
): Promise<Taken> {
  const suggestion = (await suggestFor(viewer, apiId, [from])).get(operationValue(from));
  if (!suggestion) return refused("The current document has no such operation.");
  const sent = await send(viewer, apiId, suggestion.test, typed);
  if (!sent.ok) {
    const details = sent.problem.errors?.map(({ message }) => message) ?? [];
    return refused([sent.problem.detail, ...details].join(" "));
  }
  const reason = whyUnreadable(sent.value);
  if (reason) return refused(reason);
  try {
    const values = takenValues(parseJson(sent.value.response!.body!), use, from.path);
    return values.length > 0 ? { values } : refused(`No ${use.variable} stands in the answer.`);
  } catch (error) {
    if (error instanceof UnreadableJson) return refused(error.message);
    throw error;
  }
}

/** With the active environment and the credentials of its host, like a test. */
async function send(viewer: Viewer, apiId: string, test: TestInput, variables: Record<string, string>) {
  const environment = (await findEnvironmentInUse(viewer, apiId))?.name;
  const { method, path, request } = test;
  return await viewer.backend.testExecutioner.sendRequest({
    body: { apiId, method, path, request, environment, variables },
  });
}
