import type { CodeAddress, CodeKind } from "#contracts/code/objects.ts";
import type { Json, JsonObject } from "#libraries/json/json.ts";

/** An object as the portal has it: its fields without those that have their default. */
export interface CodeValue extends CodeAddress {
  value: JsonObject;
}

/** Lists of a file, each with its kind, in the order in which they are written. */
export const lists = {
  apis: "api",
  tests: "test",
  circles: "circle",
  maintenanceWindows: "maintenanceWindow",
  alertChannels: "alertChannel",
  alertRules: "alertRule",
} as const satisfies Record<string, CodeKind>;
export type ListName = keyof typeof lists;
export const listNames = Object.keys(lists) as ListName[];

/** What a circle of a file has beside its own fields: a list of children, and objects of which it has at most one. */
export const circleChildren = { schedules: "schedule" } as const;
export const circleSingles = ["serviceLevel", "statusPage"] as const;

const names: Record<CodeKind, string> = {
  api: "API",
  test: "test",
  circle: "circle",
  schedule: "schedule",
  maintenanceWindow: "maintenance window",
  alertChannel: "alert channel",
  alertRule: "alert rule",
  serviceLevel: "service level",
  statusPage: "status page",
};

/** "alert rule" */
export const nameKind = (kind: CodeKind): string => names[kind];

const describeKey = ({ parent, key }: CodeAddress) => (parent === undefined ? key : `${parent}/${key}`);

/** "alert rule every-night", for people. */
export const describeAddress = (address: CodeAddress) => `${nameKind(address.kind)} ${describeKey(address)}`;

/** "alertRule every-night", unique in an organization. */
export const writeAddress = (address: CodeAddress) => `${address.kind} ${describeKey(address)}`;

/** The address of such a text. */
export function parseAddress(text: string): CodeAddress {
  const [kind, path = ""] = text.split(" ");
  const [key = "", parent] = path.split("/").reverse();
  return { kind: kind as CodeKind, ...(parent === undefined ? {} : { parent }), key };
}

/** Recognizes items of lists: by their key, the test that a member names, or their name. */
export function identifyItem(item: Json): string | undefined {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  const { key, test, name } = item as JsonObject;
  return [key, test, name].find((one) => typeof one === "string");
}
