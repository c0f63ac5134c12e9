import type { UpdateKind } from "#contracts/test-analyzer/status-updates.ts";

export interface PublicIncident {
  id: string;
  title: string;
  /** Of the page, in any order. */
  circleIds: readonly string[];
}

export interface Displayed {
  circleId: string;
  /** Public. */
  name: string;
}

export interface Update {
  kind: UpdateKind;
  title: string;
  text: string;
}

/** What a page has to report about its incidents since it last did; circles by their public names. */
export function compareIncidents(
  reported: readonly PublicIncident[],
  open: readonly PublicIncident[],
  displayed: readonly Displayed[],
): Update[] {
  const known = new Map(reported.map((incident) => [incident.id, incident]));
  const openIds = new Set(open.map(({ id }) => id));
  const affected = ({ circleIds }: PublicIncident, beginning: string) => {
    if (displayed.length < 2) return "";
    return `${beginning} ${displayed.flatMap(({ circleId, name }) => (circleIds.includes(circleId) ? [name] : [])).join(", ")}.`;
  };
  return [
    ...reported
      .filter(({ id }) => !openIds.has(id))
      .map(({ title }): Update => ({ kind: "resolved", title: `Resolved: ${title}`, text: "" })),
    ...open.flatMap((incident): Update[] => {
      const before = known.get(incident.id);
      if (!before) return [{ kind: "opened", title: incident.title, text: affected(incident, "Affects") }];
      if (isSame(before.circleIds, incident.circleIds)) return [];
      return [{ kind: "changed", title: incident.title, text: affected(incident, "Now affects") }];
    }),
  ];
}

const isSame = (one: readonly string[], other: readonly string[]) => one.toSorted().join() === other.toSorted().join();

/** The owner's announcement. */
export const toMessageUpdate = (text: string): Update => ({ kind: "message", title: "Announcement", text });
