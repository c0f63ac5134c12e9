import type { IncidentSummary } from "#contracts/test-analyzer/incidents.ts";
import { problemResponse } from "~/backend/responses";
import { isMuteChoice, muteChoices } from "~/features/incidents/mute-choices";
import { readMoment } from "~/features/time-zone/local-moment";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import type { CallResult } from "../../../../services/kit/client/client.ts";
import { muteForm } from "./mute-form";

interface IncidentActionParts {
  viewer: Viewer;
  context: PortalContext;
  incidentId: string;
}

/** Handles the actions of an incident's page. */
export async function handleIncidentAction(request: Request, { viewer, context, incidentId }: IncidentActionParts) {
  const params = { incidentId };
  const { acknowledgeIncident, muteIncident, unmuteIncident, resolveIncident } = viewer.backend.testAnalyzer;
  const here = href("/test-management/incidents/:incidentId", params);
  function conclude(result: CallResult<IncidentSummary>, message: string): Response {
    if (result.ok) return redirectWithToast(context, here, message);
    // Another user, or the next run, was faster.
    if (result.status === 409) {
      return redirectWithToast(context, here, { message: result.problem.detail, variant: "warning" });
    }
    throw problemResponse(result.problem);
  }
  const form = await readForm(request.clone());
  const choice = form.get("mute");
  if (isMuteChoice(choice)) {
    const until = muteChoices[choice].until(new Date(), getTimeZone(request, viewer.session));
    return conclude(await muteIncident({ params, body: { until } }), "Muted: no alerts for this incident.");
  }
  switch (form.get("intent")) {
    case "acknowledge":
      return conclude(await acknowledgeIncident({ params }), "Acknowledged by you. No more reminders are sent.");
    case "unmute":
      return conclude(await unmuteIncident({ params }), "Unmuted. Delayed alerts are sent now.");
    case "resolve":
      return conclude(await resolveIncident({ params }), "The incident is resolved.");
    case "mute": {
      const submission = await parseSubmission(request, muteForm);
      if (submission.status !== "success") return rejected(submission);
      const { until, timeZone } = submission.value;
      const muted = await muteIncident({ params, body: { until: readMoment(until, timeZone) } });
      if (muted.status === 422 && !muted.ok) return rejected(submission, muted.problem);
      return conclude(muted, "Muted: no alerts for this incident.");
    }
  }
  throw new Response("No such action.", { status: 400 });
}
