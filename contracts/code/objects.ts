import { z } from "@hono/zod-openapi";
import { alertChannelCode, alertRuleCode, serviceLevelCode, statusPageCode } from "./alerting.ts";
import { apiCode } from "./api.ts";
import { circleCode, maintenanceWindowCode, scheduleCode } from "./circle.ts";
import { codeKey } from "./references.ts";
import { testCode } from "./test.ts";

/** In an order in which each kind refers to earlier ones only. */
export const codeKinds = [
  "api",
  "test",
  "circle",
  "schedule",
  "maintenanceWindow",
  "alertChannel",
  "alertRule",
  "serviceLevel",
  "statusPage",
] as const;
export type CodeKind = (typeof codeKinds)[number];

/** Kinds whose objects belong to one of another kind: their `parent` is its key. */
export const parentKinds = { test: "api", schedule: "circle" } as const satisfies Partial<Record<CodeKind, CodeKind>>;

/** A circle has at most one of these, whose key is the circle's. */
export const kindsOfCircle = ["serviceLevel", "statusPage"] as const satisfies CodeKind[];

/** What an object of each kind holds. Fields that have their default may be left out, and are left out in responses. */
export const codeValues = {
  api: apiCode,
  test: testCode,
  circle: circleCode,
  schedule: scheduleCode,
  maintenanceWindow: maintenanceWindowCode,
  alertChannel: alertChannelCode,
  alertRule: alertRuleCode,
  serviceLevel: serviceLevelCode,
  statusPage: statusPageCode,
} as const satisfies Record<CodeKind, z.ZodType>;

const object = <Kind extends CodeKind, Value extends z.ZodType>(kind: Kind, value: Value) =>
  z.strictObject({ kind: z.literal(kind), key: codeKey, value });
const child = <Kind extends CodeKind, Value extends z.ZodType>(kind: Kind, value: Value) =>
  z.strictObject({ kind: z.literal(kind), parent: codeKey, key: codeKey, value });

export const codeObject = z
  .discriminatedUnion("kind", [
    object("api", apiCode),
    child("test", testCode),
    object("circle", circleCode),
    child("schedule", scheduleCode),
    object("maintenanceWindow", maintenanceWindowCode),
    object("alertChannel", alertChannelCode),
    object("alertRule", alertRuleCode),
    object("serviceLevel", serviceLevelCode),
    object("statusPage", statusPageCode),
  ])
  .openapi("CodeObject");
export type CodeObject = z.infer<typeof codeObject>;

/** Which object; unique in the organization. `parent` is of a test's API or a schedule's circle. */
export const codeAddress = z.object({
  kind: z.enum(codeKinds),
  parent: codeKey.optional(),
  key: codeKey,
});
export type CodeAddress = z.infer<typeof codeAddress>;

/** Identifies what an object holds, defaults left out: equal hashes, equal values. */
export const codeHash = z.string().max(100).openapi({ example: "b5bb9d8014a0f9b1d61e21e7" });

/** In what an object was applied by files last. */
export const codeProvenance = z
  .object({
    repository: z.string().trim().max(500).default("").openapi({ example: "https://git.example.com/shop/assurance" }),
    commit: z.string().trim().max(200).default("").openapi({ example: "4f2a9c1" }),
  })
  .openapi("CodeProvenance");
export type CodeProvenance = z.infer<typeof codeProvenance>;
