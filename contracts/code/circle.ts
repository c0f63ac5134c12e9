import { z } from "@hono/zod-openapi";
import { displayName } from "../kit/display-name.ts";
import { orNone } from "../kit/or-none.ts";
import { circlePhase, memberEffect } from "../test-registry/circle-members.ts";
import { circleVariable, circleWays } from "../test-registry/circles.ts";
import { maintenanceWindowInput } from "../test-registry/maintenance-windows.ts";
import { scheduleInput } from "../test-registry/schedules.ts";
import { placesCode } from "./places.ts";
import { codeKey, howSecretsAreWritten, readElsewhere, secretReference, testReference } from "./references.ts";

const phase = circlePhase.default("main");

export const memberCode = z.union([
  z.strictObject({
    test: testReference,
    phase,
    effect: orNone(memberEffect),
  }),
  z.strictObject({
    api: codeKey.describe("Its enabled tests, except those that the circle names."),
    tag: orNone(displayName(z.string().trim().min(1).max(60))).describe("Only tests with this tag."),
    include: z.enum(["safe", "all"]).default("safe"),
    phase,
  }),
]);

export const circleCode = z
  .strictObject({
    name: displayName(z.string().trim().min(1, "Give the circle a name").max(300)),
    description: z.string().trim().max(4_000).default(""),
    members: z.array(memberCode).min(1, "Choose at least one test").max(5_000, "At most 5,000 members"),
    order: circleWays.order,
    concurrency: circleWays.concurrency,
    stopOnFailure: circleWays.stopOnFailure,
    cookies: circleWays.cookies,
    onlyOwn: circleWays.onlyOwn,
    places: orNone(placesCode).describe("Several places that it is sent from, and when a test fails."),
    environments: z.record(codeKey, z.string().min(1).max(100)).default({}).describe("By the key of the API."),
    variables: z
      .array(
        z.strictObject({
          name: circleVariable.shape.name,
          value: z.union([z.string().max(100_000), secretReference, readElsewhere]).describe(howSecretsAreWritten),
        }),
      )
      .max(200)
      .default([]),
  })
  .openapi("TestCircleAsCode");
export type CircleCode = z.infer<typeof circleCode>;

export const scheduleCode = z.strictObject(scheduleInput.shape).openapi("ScheduleAsCode");
export type ScheduleCode = z.infer<typeof scheduleCode>;

export const maintenanceWindowCode = z
  .strictObject({
    name: maintenanceWindowInput.shape.name,
    api: orNone(codeKey).describe("For circles with a member of this API."),
    circle: orNone(codeKey).describe("For this circle. Without both, for all schedules."),
    times: maintenanceWindowInput.shape.times,
  })
  .openapi("MaintenanceWindowAsCode");
export type MaintenanceWindowCode = z.infer<typeof maintenanceWindowCode>;
