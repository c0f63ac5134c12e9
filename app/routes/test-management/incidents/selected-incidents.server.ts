import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import { problemResponse } from "~/backend/responses";
import { isMuteChoice, muteChoices } from "~/features/incidents/mute-choices";
import { readRunKey } from "~/features/runs/start-run.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { readSelected } from "~/ui/selection/selected-field";
import type { CallResult } from "../../../../services/kit/client/client.ts";

interface Selected {
  viewer: Viewer;
  context: PortalContext;
  form: FormData;
  timeZone: string;
  /** The list to return to. */
  list: string;
}

/** The confirmation of an action on all ticked incidents, or what it needs to know. */
export interface IncidentQuestion {
  intent: "resolve-selected" | "mute-selected" | "comment-selected";
  ids: string[];
  /** The input, and its error. */
  typed?: string;
  error?: string;
}

type Change = (incidentId: string) => Promise<CallResult<unknown>>;

/** Acknowledges, mutes, resolves or comments on the ticked incidents. */
export async function handleSelectedIncidents({ viewer, context, form, timeZone, list }: Selected) {
  const ids = readSelected(form);
  if (ids.length === 0) {
    return redirectWithToast(context, list, { message: "Select incidents first.", variant: "warning" });
  }
  const analyzer = viewer.backend.testAnalyzer;
  const isConfirmed = form.get("confirmed") === "yes";
  const conclude = async (change: Change, words: (incidents: string) => string) =>
    redirectWithToast(context, list, await changeAll(ids, change, words));
  const intent = form.get("intent");
  switch (intent) {
    case "acknowledge-selected":
      return await conclude(
        (incidentId) => analyzer.acknowledgeIncident({ params: { incidentId } }),
        (incidents) => `${incidents} acknowledged by you. No more reminders are sent.`,
      );
    case "resolve-selected":
      if (!isConfirmed) return { requested: { intent, ids } satisfies IncidentQuestion };
      return await conclude(
        (incidentId) => analyzer.resolveIncident({ params: { incidentId } }),
        (incidents) => `${incidents} resolved.`,
      );
    case "mute-selected": {
      const choice = form.get("mute");
      if (!isConfirmed || !isMuteChoice(choice)) return { requested: { intent, ids } satisfies IncidentQuestion };
      const until = muteChoices[choice].until(new Date(), timeZone);
      return await conclude(
        (incidentId) => analyzer.muteIncident({ params: { incidentId }, body: { until } }),
        (incidents) => `${incidents} muted: no alerts until then.`,
      );
    }
    case "comment-selected": {
      const text = String(form.get("text") ?? "").trim();
      const requested = { intent, ids, typed: text } satisfies IncidentQuestion;
      if (!isConfirmed) return { requested };
      if (!text) return { requested: { ...requested, error: "Write a comment" } };
      if (text.length > 5_000) return { requested: { ...requested, error: "At most 5,000 characters" } };
      const key = readRunKey(form);
      return await conclude(
        (incidentId) =>
          analyzer.createIncidentComment({
            params: { incidentId },
            body: { text },
            headers: { "idempotency-key": `${key}:comment:${incidentId}` },
          }),
        (incidents) => `Comment added to ${incidents}.`,
      );
    }
  }
  throw new Response("No such action.", { status: 400 });
}

/** Those that another user, or a run, resolved meanwhile are counted, and do not stop the others. */
async function changeAll(ids: string[], change: Change, words: (incidents: string) => string) {
  let resolved = 0;
  for (const id of ids) {
    const result = (await change(id)) as CallResult<IncidentSummary>;
    if (result.ok) continue;
    if (result.status !== 409 && result.status !== 404) throw problemResponse(result.problem);
    resolved += 1;
  }
  const changed = ids.length - resolved;
  if (resolved === 0) return words(plural(changed, "incident"));
  const rest = `${plural(resolved, "selected incident")} had been resolved before.`;
  return { message: changed > 0 ? `${words(plural(changed, "incident"))} ${rest}` : rest, variant: "warning" as const };
}
