import { z } from "@hono/zod-openapi";
import { operationWithComponents } from "../api-registry/operations.ts";
import { endpoint, moment } from "../kit/endpoint.ts";
import { orNone } from "../kit/or-none.ts";
import { circlePhase } from "../test-registry/circle-members.ts";
import { maxGenerated, maxPlannedMembers, maxPlannedSchedules, maxReportedOccurrences } from "./agent-limits.ts";
import { agentTask, hold, readsVault } from "./agent-work.ts";
import { agentsTag, agentVersion } from "./agents.ts";
import { runOrder } from "./runs.ts";

const dueTime = z.object({ scheduleId: z.uuid(), scheduledFor: moment });
export type DueTime = z.infer<typeof dueTime>;

/** How an agent runs a circle without the portal. */
export const plannedCircle = z.object({
  order: runOrder,
  concurrency: z.int().nullable(),
  stopOnFailure: z.boolean(),
  generated: z
    .array(z.object({ name: z.string(), text: z.string() }))
    .describe("Variables with placeholders such as `{{$uuid}}`, to fill in once a run."),
  members: z
    .array(agentTask.extend({ phase: circlePhase.optional().describe("`main` if absent.") }))
    .describe("In their order. Their ids and fences are those of no execution."),
});
export type PlannedCircle = z.infer<typeof plannedCircle>;

export const plannedSchedule = z
  .object({
    scheduleId: z.uuid(),
    testCircleId: z.uuid(),
    moments: z.array(moment),
    tag: z.string().describe("Changes with the circle, which is then sent again."),
    circle: orNone(plannedCircle).describe("Absent if the agent knows its tag."),
  })
  .openapi("PlannedSchedule");
export type PlannedSchedule = z.infer<typeof plannedSchedule>;

export const agentPlan = z.object({
  schedules: z.array(plannedSchedule),
  operations: z.record(z.string(), operationWithComponents),
  leftOut: z
    .int()
    .describe("Schedules of the location that can't be started without the portal, or exceed the limits."),
});
export type AgentPlan = z.infer<typeof agentPlan>;

const busy = "Too many calls of agents are in progress.";

export const takeAgentPlan = endpoint({
  method: "post",
  path: "/api/v1/agent-plan",
  timeoutSeconds: 60,
  access: "agent",
  audit: { nothingBecause: "It starts nothing: what the agent runs by it is recorded as its schedule's run" },
  tag: agentsTag,
  summary: "What an agent starts while the portal is away",
  description:
    "Due times of the next 65 minutes, with the tasks of their circles, of schedules that are assigned to this agent alone. A circle whose tag the agent knows is not sent again. Tags change when the circle does, and every five minutes, since secrets expire after 70 minutes. Due times that have passed and are not in `held` are no longer assigned.",
  body: z.object({
    version: agentVersion,
    readsVault,
    runsAll: z
      .boolean()
      .default(false)
      .describe(
        "Whether it runs set-up and tear-down, generates variables, and keeps to what a run created; circles with any of these are not assigned to others.",
      ),
    known: z
      .array(z.object({ scheduleId: z.uuid(), tag: z.string().max(100) }))
      .max(maxPlannedSchedules)
      .default([]),
    held: z.array(dueTime).max(10_000).default([]).describe("Occurrences that it runs, or has not reported."),
  }),
  status: 200,
  response: agentPlan,
  problems: {
    conflict: "The agent's version is not one that this portal works with.",
    too_many_requests: busy,
  },
});

export const reportedOccurrence = dueTime.extend({
  members: z.int().min(1).max(maxPlannedMembers).describe("Of the circle as the agent ran it."),
  generated: z
    .array(z.object({ name: z.string().max(100), value: z.string().max(maxGenerated.characters) }))
    .max(maxGenerated.variables)
    .default([])
    .describe("What it filled in. Names that the circle does not generate are ignored."),
  executions: z
    .array(
      z.object({
        position: z.int().min(1).max(maxPlannedMembers),
        testId: z.uuid(),
        testVersion: z.int(),
        startedAt: moment,
      }),
    )
    .min(1)
    .max(maxPlannedMembers),
});
export type ReportedOccurrence = z.infer<typeof reportedOccurrence>;

export const occurrenceOutcome = dueTime.extend({
  outcome: z
    .enum(["recorded", "refused", "later"])
    .describe(
      "`refused`: see `reason`; it is not to be reported again. `later`: something it depends on is unavailable.",
    ),
  reason: orNone(z.string()),
  executions: z
    .array(hold.extend({ position: z.int() }))
    .describe("To send results with to `agent-results`. Other members have already ended."),
});
export type OccurrenceOutcome = z.infer<typeof occurrenceOutcome>;

export const reportAgentOccurrences = endpoint({
  method: "post",
  path: "/api/v1/agent-occurrences",
  timeoutSeconds: 60,
  access: "agent",
  audit: { nothingBecause: "The run of a schedule is the history of its circle" },
  tag: agentsTag,
  summary: "Records occurrences that an agent started while the portal was away",
  description:
    "For due times that are assigned to this agent. Each becomes one run, however often it is reported, whose executions the agent holds until it has sent their results. One that the portal has started itself stays as it is: the agent gets those of its executions that wait.",
  body: z.object({ items: z.array(reportedOccurrence).min(1).max(maxReportedOccurrences) }),
  maxBodyBytes: 8 * 1_048_576,
  status: 200,
  response: z.object({ items: z.array(occurrenceOutcome) }),
  problems: { too_many_requests: busy },
});
