export type Severity = "error" | "warning" | "notice";

/** What is wrong in a document, before its lines and columns are looked up; the same fault in many places is one. */
export interface Diagnostic {
  /** A notice is no fault of the document: it tells what this portal does not do with it. */
  severity: Severity;
  message: string;
  /** How often it was found, the first places among them. */
  count: number;
  places: [FoundPlace, ...FoundPlace[]];
  /** The cause of others, to be read before them. */
  isCause: boolean;
}

export interface FoundPlace extends Place {
  /** Known already for syntax errors; looked up by pointer otherwise. */
  line?: number;
  column?: number;
}

/** More of the same helps nobody, and a hostile document could have millions. */
const mostKinds = 1_000;
const mostPlaces = 10;
const mostRemembered = 20_000;

interface Found {
  severity: Severity;
  message: string;
  at: FoundPlace;
  /** What is said instead of the message where this was found several times with different words. */
  inGeneral?: string;
  isCause?: boolean;
}

export class Diagnostics {
  readonly #kinds = new Map<string, Diagnostic>();
  readonly #found: Place[] = [];
  /** How many kinds there are, of faults alone: notices are none. */
  faultCount = 0;
  errorCount = 0;

  get list(): Diagnostic[] {
    return [...this.#kinds.values()];
  }

  /** Places where something was said, for whoever asks whether a fault is explained. */
  get found(): readonly Place[] {
    return this.#found;
  }

  add({ severity, message, at, inGeneral = message, isCause = false }: Found): void {
    if (severity === "error") this.errorCount += 1;
    if (this.#found.length < mostRemembered) this.#found.push({ file: at.file, pointer: at.pointer });
    const key = `${severity} ${inGeneral}`;
    const known = this.#kinds.get(key);
    if (!known) {
      if (severity !== "notice") this.faultCount += 1;
      if (this.#kinds.size >= mostKinds) return;
      this.#kinds.set(key, { severity, message, count: 1, places: [at], isCause });
      return;
    }
    known.count += 1;
    if (known.message !== message) known.message = inGeneral;
    if (known.places.length < mostPlaces) known.places.push(at);
  }

  error(at: Place, message: string, inGeneral?: string): void {
    this.add({ severity: "error", message, at, inGeneral });
  }

  /** What many other faults come from. */
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

/** A value's place in the set of files. */
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

/** A path or a reference: what tells two of them apart often stands at the end. */
export function quotedAddress(text: string): string {
  return quoted(text, 200);
}

/** Two texts that differ: of long ones the part where they do. */
export function quotedPair(one: string, other: string): [string, string] {
  if (one.length <= 200 && other.length <= 200) return [quotedAddress(one), quotedAddress(other)];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const start = Math.max(0, same - 60);
  const around = (text: string) => quotedAddress(`${start > 0 ? "…" : ""}${text.slice(start)}`);
  return [around(one), around(other)];
}
