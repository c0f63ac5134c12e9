/** What is wrong in a document, before its line and column are looked up. */
export interface Diagnostic {
  severity: "error" | "warning";
  message: string;
  /** Name of the file within the set; "" is the main document. */
  file: string;
  pointer: string;
  /** Known already for syntax errors; looked up by pointer otherwise. */
  line?: number;
  column?: number;
}

/** More of the same helps nobody, and a hostile document could have millions. */
const kept = 1_000;

export class Diagnostics {
  readonly list: Diagnostic[] = [];
  count = 0;
  errorCount = 0;

  add(diagnostic: Diagnostic): void {
    this.count += 1;
    if (diagnostic.severity === "error") this.errorCount += 1;
    if (this.list.length < kept) this.list.push(diagnostic);
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
  constructor(readonly diagnostic: Diagnostic) {
    super(diagnostic.message);
  }
}

export function refuse(message: string, at: Partial<Diagnostic> = {}): never {
  throw new UnusableDocument({ severity: "error", file: "", pointer: "", ...at, message });
}

/** A user's text inside a message: short, on one line. */
export function quoted(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}
