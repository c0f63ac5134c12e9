import type { DocumentProblem, ProblemPlace } from "#contracts/api-registry/documents.ts";
import type { Diagnostic, Diagnostics, FoundPlace } from "./diagnostics.ts";
import type { ParsedFile } from "./text/parsed-file.ts";

export interface ProblemSources {
  fileOf(name: string): ParsedFile | undefined;
  /** Maps a location to the line and column in the original file. */
  sourceOf(place: FoundPlace): FoundPlace;
}

const ranks = { error: 1, warning: 2, notice: 3 } as const;

/** Diagnostics with the lines of their locations: causes first, then errors, each in file order. */
export function problemsOf(diagnostics: Diagnostics, sources: ProblemSources): DocumentProblem[] {
  const list = diagnostics.list.map((diagnostic) => ({
    diagnostic,
    places: diagnostic.places.map((place) => (place.line === undefined ? sources.sourceOf(place) : place)),
  }));
  const locate = locator(
    list.flatMap(({ places }) => places),
    sources,
  );
  const problems = list.map(({ diagnostic, places }) => ({
    isCause: diagnostic.isCause,
    problem: problemAt(diagnostic, distinct(places.map(locate))),
  }));
  const rank = ({ problem, isCause }: (typeof problems)[number]) => (isCause ? 0 : ranks[problem.severity]);
  return problems
    .sort((one, other) => rank(one) - rank(other) || inOrderOfFile(one.problem, other.problem))
    .map(({ problem }) => problem);
}

function problemAt({ severity, message, count, places: found }: Diagnostic, places: ProblemPlace[]): DocumentProblem {
  const [first, ...others] = places.sort(inOrderOfFile);
  // Repeated occurrences at one location count once.
  const repeated = found.length - places.length;
  return {
    severity,
    message,
    ...first!,
    count: count - repeated,
    ...(others.length > 0 ? { otherPlaces: others } : {}),
  };
}

function inOrderOfFile(one: ProblemPlace, other: ProblemPlace): number {
  return (one.file ?? "").localeCompare(other.file ?? "") || one.line - other.line || one.column - other.column;
}

function distinct(places: ProblemPlace[]): ProblemPlace[] {
  return [...new Map(places.map((place) => [`${place.file}#${place.pointer}:${place.line}`, place])).values()];
}

/** Resolves all locations of a file in one pass over its text. */
function locator(places: FoundPlace[], { fileOf }: ProblemSources): (place: FoundPlace) => ProblemPlace {
  const wanted = new Map<string, string[]>();
  for (const { file, pointer, line } of places) {
    if (line !== undefined) continue;
    const pointers = wanted.get(file) ?? [];
    wanted.set(file, pointers);
    pointers.push(pointer);
  }
  const positions = new Map([...wanted].map(([file, pointers]) => [file, fileOf(file)?.locate(pointers)]));
  return ({ file, pointer, line, column = 1 }) => {
    const at = line === undefined ? (positions.get(file)?.get(pointer) ?? { line: 1, column: 1 }) : { line, column };
    return { pointer, ...(file === "" ? {} : { file }), ...at };
  };
}
