import type { Agent } from "#contracts/test-executioner/agents.ts";
import type { Location } from "#contracts/test-executioner/locations.ts";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import type { Tone } from "~/ui/tone";

export type LocationState = "working" | "silent" | "registered" | "empty";

/** `registered`: it has agents, and none has called yet. `empty`: it has none. */
export function getLocationState({ agents, lastSeenAt }: Pick<Location, "agents" | "lastSeenAt">): LocationState {
  if (agents.active > 0) return "working";
  if (agents.silent === 0) return "empty";
  return lastSeenAt ? "silent" : "registered";
}

export const locationStateWords: Record<LocationState, { word: string; tone: Tone }> = {
  working: { word: "Working", tone: "success" },
  silent: { word: "Silent", tone: "warning" },
  registered: { word: "Not started yet", tone: "warning" },
  empty: { word: "No agent yet", tone: "neutral" },
};

export function getAgentWords({ state, lastSeenAt }: Pick<Agent, "state" | "lastSeenAt">): {
  word: string;
  tone: Tone;
} {
  if (state === "active") return { word: "Active", tone: "success" };
  if (state === "revoked") return { word: "Revoked", tone: "neutral" };
  return lastSeenAt ? { word: "Silent", tone: "warning" } : { word: "Not started yet", tone: "warning" };
}

/** What its list of allowed targets and the portal refused; undefined if nothing. */
export function refusedWords({ blocked, refused }: Pick<Agent, "blocked" | "refused">): string | undefined {
  const parts = [
    ...(blocked > 0 ? [`${plural(blocked, "request")} to targets that it does not allow`] : []),
    ...(refused > 0 ? [`${plural(refused, "result")} not accepted`] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : undefined;
}

/** What happens to the work of an agent that is revoked. */
export function revocationWords(
  { running, state }: Pick<Agent, "running" | "state">,
  { name, agents }: Pick<Location, "name" | "agents">,
): string {
  const others = agents.active - (state === "active" ? 1 : 0);
  const work =
    others === 0
      ? `No other agent of ${name} is active: tests ${running > 0 ? "that it runs and those that wait" : "that wait"} there end as skipped after five minutes without one.`
      : running > 0
        ? `The ${plural(running, "test")} that it runs ${running === 1 ? "is" : "are"} taken up by other agents of ${name}.`
        : `Other agents of ${name} continue.`;
  return `Its next call is refused, also if its key was stolen. ${work} This can't be undone; a new code registers another agent.`;
}

/** What uses a location: number and first names of tests, of circles, and of APIs with an environment there. */
export interface LocationUse {
  tests: Used;
  circles: Used;
  apis: Used;
  /** Circles among these that continue from other places if it is deleted. */
  continuing: Used;
}

export interface Used {
  total: number;
  items: readonly { href: string; name: string }[];
}

const list = new Intl.ListFormat("en");

/** What is refused once it is deleted. */
function refusedUseWords({ tests, circles: all, apis, continuing }: LocationUse): string | undefined {
  const continues = new Set(continuing.items.map(({ href }) => href));
  const circles = {
    total: all.total - continuing.total,
    items: all.items.filter(({ href }) => !continues.has(href)),
  };
  const parts = [
    ...(tests.total > 0 ? [namedWords(tests, "test")] : []),
    ...(circles.total > 0 ? [namedWords(circles, "circle")] : []),
    ...(apis.total > 0 ? [namedWords(apis, "API")] : []),
  ];
  return parts.length > 0 ? list.format(parts) : undefined;
}

const maxNamed = 10;

function namedWords({ total, items }: Used, noun: string): string {
  const named = items.slice(0, maxNamed).map(({ name }) => name);
  const more = total - named.length;
  return `${plural(total, noun)} (${list.format(more > 0 ? [...named, `${formatCount(more)} more`] : named)})`;
}

/** What happens when a location is deleted. */
export function deletionWords(
  { agents, waiting }: Pick<Location, "agents" | "waiting">,
  use: LocationUse | undefined,
): string {
  const registered = agents.active + agents.silent;
  const named = use ? refusedUseWords(use) : "tests, circles and environments that can't be listed right now";
  const continuing = use && use.continuing.total > 0 ? use.continuing : undefined;
  return [
    ...(registered > 0 ? [`Its ${plural(registered, "agent")} can no longer call.`] : []),
    ...(waiting > 0 ? [`${plural(waiting, "waiting test")} will end as skipped.`] : []),
    named
      ? `It is chosen for ${named}: their runs are refused until you choose another. Nothing is sent from elsewhere instead.`
      : continuing
        ? undefined
        : "No test, circle or environment is sent from it.",
    continuing &&
      `${namedWords(continuing, "circle")} ${continuing.total === 1 ? "continues from its" : "continue from their"} other places.`,
    "This can't be undone.",
  ]
    .filter(Boolean)
    .join(" ");
}
