import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import type { KnownNames, KnownResource } from "./known-names.server";
import { type Reference, readSubject } from "./record-subject";
import { kindWords } from "./record-words";

interface Named {
  name: string;
  /** Its page; undefined once it was deleted. */
  address: string | undefined;
}

/** A record with the names of who and what. */
export interface NamedRecord extends AuditRecord {
  /** The full name and, for a user, the username. */
  who: { name: string; username: string | undefined };
  kindName: string;
  /** What it was called then, or else what it is called now. */
  self: Named | undefined;
  /** The API or circle that it belongs to. */
  owner: Named | undefined;
}

/** Names a record's actor and resource: by its own values, or else by what is still there. */
export function nameRecord(record: AuditRecord, known: KnownNames): NamedRecord {
  const subject = readSubject(record);
  const find = (reference: Reference | undefined): KnownResource | undefined =>
    reference && known[reference.kind]?.[reference.id];
  const self = find(subject.self);
  const owner = find(subject.owner) ?? (self?.apiId ? known.api?.[self.apiId] : undefined);
  const name = subject.name ?? self?.name;
  const ownerName = subject.ownerName ?? owner?.name;
  return {
    ...record,
    who: nameActor(record, known),
    kindName: kindWords(record.resource.kind),
    self: name === undefined ? undefined : { name, address: self?.address },
    owner: ownerName === undefined ? undefined : { name: ownerName, address: owner?.address },
  };
}

function nameActor({ actor: { kind, id, name } }: AuditRecord, known: KnownNames): NamedRecord["who"] {
  if (kind === "visitor") return { name: "A visitor", username: undefined };
  if (kind === "service") return { name: name.includes(" ") ? name : "The portal", username: undefined };
  const person = id ? known.user?.[id] : undefined;
  return person ? { name: person.name, username: name } : { name, username: undefined };
}
