/** Something found wrong in a document, before its line and column are looked up. */
export interface Finding {
  severity: "error" | "warning";
  message: string;
  /** Name of the file within the set; "" is the main document. */
  file: string;
  pointer: string;
  /** Known already for syntax errors; looked up by pointer otherwise. */
  line?: number;
  column?: number;
}

/** Finding more of the same helps nobody, and a hostile document could have millions. */
const kept = 1_000;

export class Findings {
  readonly list: Finding[] = [];
  count = 0;
  errorCount = 0;

  add(finding: Finding): void {
    this.count += 1;
    if (finding.severity === "error") this.errorCount += 1;
    if (this.list.length < kept) this.list.push(finding);
  }

  error(place: Place, message: string): void {
    this.add({ severity: "error", message, file: place.file, pointer: place.pointer });
  }

  warn(place: Place, message: string): void {
    this.add({ severity: "warning", message, file: place.file, pointer: place.pointer });
  }
}

/** A value's place in the set of files. */
export interface Place {
  file: string;
  pointer: string;
}

/** The document cannot be used at all. */
export class UnusableDocument extends Error {
  constructor(readonly finding: Finding) {
    super(finding.message);
  }
}

export function refuse(message: string, at: Partial<Finding> = {}): never {
  throw new UnusableDocument({ severity: "error", file: "", pointer: "", ...at, message });
}

/** A user's text inside a message: short, on one line. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}
