import { randomBytes } from "node:crypto";
import type { Verdict } from "../../test-executioner/contract/verdicts.ts";
import type { PublishedStatus } from "../contract/status-pages.ts";

export const shownDays = 90;
const dayMilliseconds = 86_400_000;

/** Somebody could take these for pages of the portal, or for its word. */
const reservedNames = new Set(
  (
    "about account admin administration administrator api api-assurance apis assets auth badge billing contact create " +
    "dashboard delete edit error favicon health help home index info internal legal list login logout metrics new none " +
    "null official operator organization portal pricing privacy public register root security settings signin signout " +
    "signup static status support system terms test undefined user users welcome www"
  ).split(" "),
);

export const isReserved = (name: string) => reservedNames.has(name);

/** 128 bits: nobody finds one by trying. */
export const newAddress = () => randomBytes(16).toString("base64url");

/** The midnights (UTC) with which the shown days begin, oldest first. */
export function dayStarts(now: Date): Date[] {
  const today = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds;
  return Array.from({ length: shownDays }, (_, index) => new Date(today - (shownDays - 1 - index) * dayMilliseconds));
}

/** How a circle stands by its last runs, newest first: what was cancelled or did not run says nothing. */
export function publicStanding(
  runs: readonly { verdict: Verdict | null; finishedAt: string }[],
): Pick<PublishedStatus, "standing" | "checkedAt"> {
  const last = runs.find(({ verdict }) => verdict !== null && verdict !== "skipped" && verdict !== "blocked");
  if (!last) return { standing: "unknown", checkedAt: null };
  const works = last.verdict === "passed" || last.verdict === "flaky";
  return { standing: works ? "working" : "failing", checkedAt: last.finishedAt };
}
