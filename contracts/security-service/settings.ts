import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageOf } from "../kit/endpoint.ts";
import { type SettingName, settingNames, settings } from "../kit/settings.ts";
import { systemTag as tag } from "../kit/system.ts";

const access = "system:manage" as const;
const example = "testTimeoutSeconds";
const name = z.enum(settingNames as [SettingName, ...SettingName[]]).openapi({ example });
const value = z.unknown().nullable().openapi({ example: 30 });

const shownSettings = z
  .object({
    values: settings.describe("What holds now."),
    set: z.array(name).describe("Those that an operator has set; the others are the product's defaults."),
    environmentEgressAllow: z
      .string()
      .nullable()
      .describe("What EGRESS_ALLOW names beside `egressAllow`; it always holds.")
      .openapi({ example: "10.2.0.0/16:8080" }),
  })
  .openapi("Settings");

export const getSettings = endpoint({
  method: "get",
  path: "/api/v1/system/settings",
  access,
  tag,
  summary: "What operators have set for the whole installation",
  description: "A change reaches every process within two seconds.",
  status: 200,
  answer: shownSettings,
});

/** One of them or several; null goes back to the default. */
export const changedSettings = z
  .object(
    Object.fromEntries(
      Object.entries(settings.shape).map(([name, schema]) => [name, schema.nullable().optional()]),
    ) as {
      [Name in SettingName]: z.ZodOptional<z.ZodNullable<(typeof settings.shape)[Name]>>;
    },
  )
  .strict()
  .openapi("ChangedSettings", { example: { [example]: 30 } });

export const changeSettings = endpoint({
  method: "put",
  path: "/api/v1/system/settings",
  access,
  audit: "setting",
  tag,
  summary: "Sets what is named, all of it or nothing",
  description: "What is left out stays; null goes back to the default. Each change can be undone.",
  body: changedSettings,
  status: 200,
  answer: shownSettings,
});

const settingChange = z
  .object({
    id: identifier,
    setting: name,
    before: value.describe("Null: the default."),
    after: value.describe("Null: the default."),
    changedAt: moment,
    changedBy: z.string().openapi({ example: "ada" }),
    undoes: identifier.nullable().describe("The change that this one undid.").openapi({ example: null }),
    isLatest: z.boolean().describe("The setting is still as this change left it, so that it can be undone."),
  })
  .openapi("SettingChange");
export type SettingChange = z.infer<typeof settingChange>;

export const listSettingChanges = endpoint({
  method: "get",
  path: "/api/v1/system/setting-changes",
  access,
  tag,
  summary: "Who set what and when, newest first",
  description: "They are kept for as long as the installation is.",
  query: listQuery.omit({ query: true }),
  status: 200,
  answer: pageOf(settingChange),
});

export const undoSettingChange = endpoint({
  method: "post",
  path: "/api/v1/system/setting-changes/{changeId}/undo",
  access,
  audit: "setting",
  tag,
  summary: "Sets back what a change set",
  description: "It is a change of its own, which can be undone as well.",
  params: z.object({ changeId: z.uuid() }),
  status: 200,
  answer: settingChange,
  problems: { conflict: "The setting was changed again since." },
});
