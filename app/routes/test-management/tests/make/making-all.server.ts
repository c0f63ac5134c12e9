import { data } from "@remix-run/node";
import { circleListAddress } from "~/features/circles/circle-addresses";
import { findGivenValues } from "~/features/runs/given-values.server";
import { startCircles } from "~/features/runs/start-run.server";
import { href } from "~/href";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { type Creation, createCircles } from "./creating.server";
import type { MakeRequest, MakeResponse } from "./make-request";
import { invalidField, type MakeReply, type Making } from "./making";
import { findExisting, isTickedAtFirst, listWanted, planFor } from "./plan.server";
import { isRefusals } from "./refusals";

/** Long enough for some hundred operations, and well below the timeout of a proxy. */
const stepMilliseconds = 4_000;
/** Circles, between two looks at the clock. */
const atOnce = 20;

/**
 * Creates the circles of all matches that are ticked at first, and runs them if requested. In steps: the next form
 * continues work that exceeds the duration of one response.
 */
export async function createAll(requested: MakeRequest, intent: string): Promise<MakeResponse> {
  const { context, apiId, form } = requested;
  const count = (name: string) => Math.max(0, Math.trunc(Number(form.get(name)) || 0));
  const before: Making = {
    intent,
    cursor: String(form.get("from") ?? "") || undefined,
    ...{ looked: count("looked"), made: count("made"), lacking: count("lacking"), total: count("total") },
    invalid: form.has(invalidField),
  };
  const { making, isDone, stopped } = await createNext(requested, before);
  if (stopped) return stopped;
  if (!isDone) return data<MakeReply>({ making });
  const { made, lacking } = making;
  const runs = intent === "create-and-run-all" && made > 0;
  const done =
    made === 0 ? "No circle was created." : `${plural(made, "circle")} created${runs ? " and running" : ""}.`;
  const rest = lacking === 0 ? "" : ` ${plural(lacking, "circle")} ${lacking === 1 ? "lacks" : "lack"} values.`;
  const address = runs ? href("/test-management/:apiId/runs", { apiId }) : circleListAddress(apiId);
  return redirectWithToast(context, address, `${done}${rest}`);
}

/** Continues from the last step: with the page of operations that is not done yet, whose first circles exist. */
async function createNext(
  { viewer, context, apiId, filters, runKey }: MakeRequest,
  making: Making,
): Promise<{ making: Making; isDone: boolean; stopped?: MakeResponse }> {
  const until = performance.now() + stepMilliseconds;
  const [found, given] = await Promise.all([findExisting(viewer, apiId), findGivenValues(viewer, apiId)]);
  const existing = new Map(found);
  let { intent, cursor, looked, made, lacking, total } = making;
  do {
    const page = await listWanted(viewer, apiId, { ...filters, cursor });
    total = page.total ?? total;
    const plan = await planFor(viewer, apiId, page.items);
    const wanted = plan.circles.filter(
      (circle) => isTickedAtFirst(circle) && !existing.has(circle.name) && (making.invalid || !isRefusals(circle)),
    );
    let lackingHere = 0;
    for (let from = 0; from < wanted.length; from += atOnce) {
      const some = wanted.slice(from, from + atOnce);
      const creation = await createCircles({ viewer, apiId, plan, existing, given, formKey: runKey }, some);
      for (const circle of creation.circles) existing.set(circle.name, circle);
      made += creation.circles.length;
      lackingHere += creation.lacking.circles.length;
      const stopped = await startOrStop(creation);
      if (stopped) return { making, isDone: false, stopped };
      const hasMore = from + atOnce < wanted.length;
      if (hasMore && performance.now() > until) return { making: toMaking(), isDone: false };
    }
    lacking += lackingHere;
    looked += page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor && performance.now() < until);
  return { making: toMaking(), isDone: cursor === undefined };

  function toMaking(): Making {
    return { ...making, intent, cursor, looked, made, lacking, total };
  }

  /** The response that says why it stopped. */
  async function startOrStop({ circles, refusal }: Creation): Promise<MakeResponse | undefined> {
    const title = made === 0 ? "No circle was created" : `Created ${plural(made, "circle")} before an error`;
    const start = intent === "create-and-run-all" ? await startCircles(viewer, circles, runKey) : undefined;
    if (refusal) {
      const error = { title, message: refusal.detail, isPlan: refusal.status === 402 };
      return data<MakeReply>({ error }, { status: refusal.status });
    }
    if (!start?.refusal) return undefined;
    const message = `${start.refusal.title}. ${start.refusal.message}`;
    return redirectWithToast(context, circleListAddress(apiId), { ...start.refusal, title, message });
  }
}
