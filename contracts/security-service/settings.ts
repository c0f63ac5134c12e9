import { z } from "@hono/zod-openapi";
import { endpoint, identifier, listQuery, moment, pageSchema } from "../kit/endpoint.ts";
import { type SettingName, settingNames, settings } from "../kit/settings.ts";
import { systemTag as tag } from "../kit/system.ts";

const access = "system:manage" as const;
const example = "testTimeoutSeconds";
const name = z.enum(settingNames as [SettingName, ...SettingName[]]).openapi({ example });
const value = z.unknown().nullable().openapi({ example: 30 });

const returnedSettings = z
  .object({
    values: settings.describe("Values in effect."),
    set: z.array(name).describe("Names of settings set by an operator; the others have the product's defaults."),
    environmentEgressAllow: z
      .string()
      .nullable()
      .describe("Targets in EGRESS_ALLOW, which are always allowed in addition to `egressAllow`.")
      .openapi({ example: "10.2.0.0/16:8080" }),
  })
  .openapi("Settings");

export const getSettings = endpoint({
  method: "get",
  path: "/api/v1/system/settings",
  access,
  tag,
  summary: "Settings of the whole installation",
  description: "A change reaches every process within two seconds.",
  status: 200,
  response: returnedSettings,
});

/** One or several settings; null restores the default. */
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
  summary: "Sets the named settings, all or none",
  description: "Omitted settings are unchanged; null restores the default. Each change can be undone.",
  body: changedSettings,
  status: 200,
  response: returnedSettings,
});

const settingChange = z
  .object({
    id: identifier,
    setting: name,
    before: value.describe("Null: the default."),
    after: value.describe("Null: the default."),
    changedAt: moment,
    changedBy: z.string().openapi({ example: "ada" }),
    undoes: identifier.nullable().describe("The change that this one reverted.").openapi({ example: null }),
    isLatest: z.boolean().describe("Whether the setting still has the value of this change, so that it can be undone."),
  })
  .openapi("SettingChange");
export type SettingChange = z.infer<typeof settingChange>;

export const listSettingChanges = endpoint({
  method: "get",
  path: "/api/v1/system/setting-changes",
  access,
  tag,
  summary: "History of the settings, newest first",
  description: "Stored for the lifetime of the installation.",
  query: listQuery.omit({ query: true }),
  status: 200,
  response: pageSchema(settingChange),
});

export const undoSettingChange = endpoint({
  method: "post",
  path: "/api/v1/system/setting-changes/{changeId}/undo",
  access,
  audit: "setting",
  tag,
  summary: "Reverts a change",
  description: "Recorded as another change, which can also be undone.",
  params: z.object({ changeId: z.uuid() }),
  status: 200,
  response: settingChange,
  problems: { conflict: "The setting has since been changed again." },
});
