export type Severity = "error" | "warning" | "notice";

/** A problem in a document, before its lines and columns are resolved; repeated problems are merged into one. */
export interface Diagnostic {
  /** A notice is not a defect of the document: it names something this portal does not support. */
  severity: Severity;
  message: string;
  /** Number of occurrences, with the first locations. */
  count: number;
  places: [FoundPlace, ...FoundPlace[]];
  /** The cause of others, listed before them. */
  isCause: boolean;
}

export interface FoundPlace extends Place {
  /** Known already for syntax errors; resolved from the pointer otherwise. */
  line?: number;
  column?: number;
}

/** Further occurrences are of no use, and a hostile document could have millions. */
const maxKinds = 1_000;
const maxPlaces = 10;
const maxRemembered = 20_000;

interface Found {
  severity: Severity;
  message: string;
  at: FoundPlace;
  /** Replaces the message when occurrences have different ones. */
  inGeneral?: string;
  isCause?: boolean;
}

export class Diagnostics {
  readonly #kinds = new Map<string, Diagnostic>();
  readonly #found: Place[] = [];
  /** Number of distinct problems, excluding notices. */
  faultCount = 0;
  errorCount = 0;

  get list(): Diagnostic[] {
    return [...this.#kinds.values()];
  }

  /** Locations with a diagnostic, to check whether a problem is already explained. */
  get found(): readonly Place[] {
    return this.#found;
  }

  add({ severity, message, at, inGeneral = message, isCause = false }: Found): void {
    if (severity === "error") this.errorCount += 1;
    if (this.#found.length < maxRemembered) this.#found.push({ file: at.file, pointer: at.pointer });
    const key = `${severity} ${inGeneral}`;
    const known = this.#kinds.get(key);
    if (!known) {
      if (severity !== "notice") this.faultCount += 1;
      if (this.#kinds.size >= maxKinds) return;
      this.#kinds.set(key, { severity, message, count: 1, places: [at], isCause });
      return;
    }
    known.count += 1;
    if (known.message !== message) known.message = inGeneral;
    if (known.places.length < maxPlaces) known.places.push(at);
  }

  error(at: Place, message: string, inGeneral?: string): void {
    this.add({ severity: "error", message, at, inGeneral });
  }

  /** The cause of many other problems. */
  cause(at: Place, message: string, inGeneral?: string): void {
    this.add({ severity: "error", message, at, inGeneral, isCause: true });
  }

  warn(at: Place, message: string, inGeneral?: string): void {
    this.add({ severity: "warning", message, at, inGeneral });
  }

  notice(at: Place, message: string, inGeneral?: string): void {
    this.add({ severity: "notice", message, at, inGeneral });
  }
}

/** Location of a value in the set of files. */
export interface Place {
  file: string;
  pointer: string;
}

/** The document cannot be used at all. */
export class UnusableDocument extends Error {
  readonly at: FoundPlace;

  constructor(message: string, at: Partial<FoundPlace>) {
    super(message);
    this.at = { file: "", pointer: "", ...at };
  }
}

export function refuse(message: string, at: Partial<FoundPlace> = {}): never {
  throw new UnusableDocument(message, at);
}

/** A user's text inside a message: short, on one line. */
export function quoted(text: string, longest = 60): string {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > longest ? `${line.slice(0, longest - 3)}…` : line}"`;
}

/** A path or a reference, shortened at the start: the difference between two is often at the end. */
export function quotedAddress(text: string): string {
  return quoted(text, 200);
}

/** Two different texts; long ones are cut around the difference. */
export function quotedPair(one: string, other: string): [string, string] {
  if (one.length <= 200 && other.length <= 200) return [quotedAddress(one), quotedAddress(other)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const start = Math.max(0, same - 60);
  const around = (text: string) => quotedAddress(`${start > 0 ? "…" : ""}${text.slice(start)}`);
  return [around(one), around(other)];
}
