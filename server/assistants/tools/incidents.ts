import { z } from "zod";
import { incidentStates } from "#contracts/test-analyzer/incidents.ts";
import { causeWords, silenceWords, unsteadyWords } from "../../../app/features/incidents/incident-words.ts";
import { href } from "../../../app/href.ts";
import { answerOrNone, requireAnswer } from "../assistant.ts";
import { count, cursor, defineTool, givenId, id, limit, nextCursor } from "../tool.ts";

const incidentFields = {
  id,
  title: z.string(),
  cause: z.string(),
  reason: z.string().nullable().describe("Expected and actual result of the newest failure"),
  severity: z.string(),
  state: z.string(),
  since: z.string().describe("The first failing result"),
  openedAt: z.string(),
  unsteady: z.boolean(),
  failing: z.number().describe("Tests that it causes to fail now"),
  affected: z.number(),
  apiIds: z.array(id),
  runId: id.nullable().describe("Of the newest failure; null where no test has failed"),
};

export const listIncidents = defineTool({
  name: "list_incidents",
  title: "List incidents",
  description:
    "Incidents: one cause of failing tests each, newest first. Without a state those that are not resolved. explain_incident returns one with its tests and history.",
  input: z.object({
    apiId: givenId.optional(),
    state: z.enum([...incidentStates, "unresolved", "all"]).default("unresolved"),
    limit,
    cursor,
  }),
  output: z.object({ incidents: z.array(z.object(incidentFields)), nextCursor }),
  async answer({ state, ...query }, { services }) {
    const chosen = state === "all" ? query : { ...query, state };
    const page = requireAnswer(await services.testAnalyzer.listIncidents({ query: chosen }));
    return {
      summary: `${count(page.items.length, "incident")} on this page.`,
      data: { ...page, incidents: page.items.map((one) => ({ ...one, cause: causeWords(one.cause) })) },
    };
  },
});

export const explainIncident = defineTool({
  name: "explain_incident",
  title: "Explain an incident",
  description:
    "An incident in the portal's words: its cause, since when, which tests fail because of it and why, what happened to it so far, who was notified, and which deployments, document versions and edits came shortly before.",
  input: z.object({ incidentId: givenId }),
  output: z.object({
    incident: z.object(incidentFields),
    unsteadiness: z.string().nullable(),
    tests: z.array(
      z.object({
        testId: id,
        testName: z.string(),
        method: z.string(),
        path: z.string(),
        apiName: z.string(),
        environment: z.string().nullable(),
        state: z.string(),
        since: z.string(),
        reason: z.string().nullable(),
        runId: id,
      }),
    ),
    history: z.array(z.object({ at: z.string(), text: z.string() })).describe("Newest first"),
    marksBefore: z
      .array(z.object({ kind: z.string(), name: z.string(), at: z.string() }))
      .describe("What changed up to the first failing result, newest first"),
    notNotifiedBecause: z.string().nullable(),
    page: z.string(),
  }),
  async answer({ incidentId }, { services, origin }) {
    const params = { incidentId };
    const incident = requireAnswer(await services.testAnalyzer.getIncident({ params }));
    const [entries, marks] = await Promise.all([
      services.testAnalyzer.listIncidentEntries({ params, query: { limit: 20 } }),
      services.testAnalyzer.listMarks({ query: { apiId: incident.apiId, limit: 50 } }),
    ]);
    const { cause, since, unsteady, notNotified, tests, failing } = incident;
    const marksBefore = (answerOrNone(marks)?.items ?? []).filter(({ at }) => at <= since).slice(0, 5);
    return {
      summary: `The incident is ${incident.state}, and ${count(failing, "test")} fail${failing === 1 ? "s" : ""} because of it.`,
      data: {
        incident: { ...incident, cause: causeWords(cause) },
        unsteadiness: unsteady ? unsteadyWords : null,
        tests: tests.slice(0, 20),
        history: answerOrNone(entries)?.items ?? [],
        marksBefore,
        notNotifiedBecause: notNotified ? silenceWords[notNotified.because] : null,
        page: origin + href("/test-management/incidents/:incidentId", { incidentId }),
      },
    };
  },
});
