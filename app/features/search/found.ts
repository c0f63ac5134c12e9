import type { ApiStateWords } from "~/features/apis/api-state";
import type { Status } from "~/features/verdict/verdict-words";

/** Kinds of what is found, in the order in which they are listed. */
export const kinds = {
  id: "With this id",
  apis: "APIs",
  operations: "Operations",
  tests: "Tests",
  circles: "Circles",
  runs: "Runs",
  incidents: "Incidents",
  schedules: "Schedules",
  people: "People",
  pages: "Pages",
  docs: "Documentation",
} as const;
export type Kind = keyof typeof kinds;

export const isKind = (text: string | null): text is Kind => text !== null && Object.hasOwn(kinds, text);

/** One result. */
export interface Hit {
  href: string;
  name: string;
  /** What it is, such as `GET /orders`. */
  what?: string | undefined;
  /** Where it is, such as the name of its API. */
  where?: string | undefined;
  /** Its last verdict; null: it has never run; undefined: it has none, or it is not known. */
  status?: Status | null | undefined;
  /** The state of an API. */
  state?: ApiStateWords | undefined;
}

export interface Group {
  kind: Kind;
  hits: Hit[];
  /** How many there are, counted up to 100; more than the hits only where all of them can be listed. */
  total: number;
  /** Whether there are more than were counted. */
  hasMore: boolean;
}

export interface Found {
  groups: Group[];
  /** Unavailable services, whose results are missing. */
  away: string[];
}
