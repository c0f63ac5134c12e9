import { stringify } from "yaml";
import type { PulledItem } from "#contracts/test-registry/code.ts";

const kindWords: Record<PulledItem["kind"], string> = {
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

/** Which object, as in `test bookshop/lists-books`. */
export function nameObject({ kind, parent, key }: Pick<PulledItem, "kind" | "parent" | "key">): string {
  return `${kindWords[kind]} ${parent ? `${parent}/` : ""}${key}`;
}

const isOfCircle = ({ kind }: Pick<PulledItem, "kind">) => kind === "serviceLevel" || kind === "statusPage";

/** The object as files have it: an item of a list, or a circle's service level or status page. */
export function toFragment(item: Pick<PulledItem, "kind" | "key" | "value">): string {
  const { kind, key, value } = item;
  return stringify(isOfCircle(item) ? { [kind]: value } : [{ key, ...value }], { lineWidth: 0 });
}
