import type { RunStarter } from "#contracts/test-executioner/run-starters.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { RunRow } from "./tables.ts";

type StarterColumns = Pick<RunRow, "starter_kind" | "starter_id" | "starter_name" | "starter_token">;

/** The caller; null for another service, which starts nothing on its own behalf. */
export function toStarter({ kind, userId, name, apiToken }: Identity): RunStarter | null {
  if (kind === "service") return null;
  return { kind: "user", userId, name, ...(apiToken === undefined ? {} : { apiToken }) };
}

export function writeStarter(starter: RunStarter | null): StarterColumns {
  return {
    starter_kind: starter?.kind ?? null,
    starter_id: starter && (starter.kind === "user" ? starter.userId : starter.scheduleId),
    starter_name: starter?.name ?? null,
    starter_token: starter?.kind === "user" ? (starter.apiToken ?? null) : null,
  };
}

export function readStarter(row: StarterColumns): RunStarter | null {
  const { starter_kind: kind, starter_id: id, starter_name: name, starter_token: apiToken } = row;
  if (kind === null) return null;
  if (kind === "schedule") return { kind, scheduleId: id!, name };
  return { kind, userId: id!, name: name!, ...(apiToken === null ? {} : { apiToken }) };
}
