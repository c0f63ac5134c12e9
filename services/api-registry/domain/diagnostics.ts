export type Severity = "error" | "warning" | "notice";

/** A problem in a document, before its lines and columns are resolved; repeated problems are merged into one. */
export interface Diagnostic {
  /** A notice is not a defect of the document: it names something this portal does not support. */
  severity: Severity;
  message: string;
  /** Number of occurrences, with the first locations. */
  count: number;
  locations: [FoundLocation, ...FoundLocation[]];
  /** The cause of others, listed before them. */
  isCause: boolean;
}

export interface FoundLocation extends DocumentLocation {
  /** Known already for syntax errors; resolved from the pointer otherwise. */
  line?: number;
  column?: number;
}

/** Further occurrences are of no use, and a hostile document could have millions. */
const maxKinds = 1_000;
const maxLocations = 10;
const maxRemembered = 20_000;

interface Found {
  severity: Severity;
  message: string;
  at: FoundLocation;
  /** Replaces the message when occurrences have different ones. */
  inGeneral?: string;
  isCause?: boolean;
}

export class Diagnostics {
  readonly #kinds = new Map<string, Diagnostic>();
  readonly #found: DocumentLocation[] = [];
  /** Number of distinct problems, excluding notices. */
  problemCount = 0;
  errorCount = 0;

  get list(): Diagnostic[] {
    return [...this.#kinds.values()];
  }

  /** Locations with a diagnostic, to check whether a problem is already explained. */
  get found(): readonly DocumentLocation[] {
    return this.#found;
  }

  add({ severity, message, at, inGeneral = message, isCause = false }: Found): void {
    if (severity === "error") this.errorCount += 1;
    if (this.#found.length < maxRemembered) this.#found.push({ file: at.file, pointer: at.pointer });
    const key = `${severity} ${inGeneral}`;
    const known = this.#kinds.get(key);
    if (!known) {
      if (severity !== "notice") this.problemCount += 1;
      if (this.#kinds.size >= maxKinds) return;
      this.#kinds.set(key, { severity, message, count: 1, locations: [at], isCause });
      return;
    }
    known.count += 1;
    if (known.message !== message) known.message = inGeneral;
    if (known.locations.length < maxLocations) known.locations.push(at);
  }

  error(at: DocumentLocation, message: string, inGeneral?: string): void {
    this.add({ severity: "error", message, at, inGeneral });
  }

  /** The cause of many other problems. */
  cause(at: DocumentLocation, message: string, inGeneral?: string): void {
    this.add({ severity: "error", message, at, inGeneral, isCause: true });
  }

  warn(at: DocumentLocation, message: string, inGeneral?: string): void {
    this.add({ severity: "warning", message, at, inGeneral });
  }

  notice(at: DocumentLocation, message: string, inGeneral?: string): void {
    this.add({ severity: "notice", message, at, inGeneral });
  }
}

/** Location of a value in the set of files. */
export interface DocumentLocation {
  file: string;
  pointer: string;
}

/** The document cannot be used at all. */
export class UnusableDocument extends Error {
  readonly at: FoundLocation;

  constructor(message: string, at: Partial<FoundLocation>) {
    super(message);
    this.at = { file: "", pointer: "", ...at };
  }
}

export function refuse(message: string, at: Partial<FoundLocation> = {}): never {
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
