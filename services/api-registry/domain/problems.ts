import type { DocumentProblem, ProblemLocation } from "#contracts/api-registry/documents.ts";
import type { Diagnostic, Diagnostics, FoundLocation } from "./diagnostics.ts";
import type { ParsedFile } from "./text/parsed-file.ts";

export interface ProblemSources {
  getFile(name: string): ParsedFile | undefined;
  /** Maps a location to the line and column in the original file. */
  toOriginal(location: FoundLocation): FoundLocation;
}

const ranks = { error: 1, warning: 2, notice: 3 } as const;

/** Diagnostics with the lines of their locations: causes first, then errors, each in file order. */
export function toDocumentProblems(diagnostics: Diagnostics, sources: ProblemSources): DocumentProblem[] {
  const list = diagnostics.list.map((diagnostic) => ({
    diagnostic,
    places: diagnostic.locations.map((location) =>
      location.line === undefined ? sources.toOriginal(location) : location,
    ),
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

function problemAt(
  { severity, message, count, locations: found }: Diagnostic,
  locations: ProblemLocation[],
): DocumentProblem {
  const [first, ...others] = locations.sort(inOrderOfFile);
  // Repeated occurrences at one location count once.
  const repeated = found.length - locations.length;
  return {
    severity,
    message,
    ...first!,
    count: count - repeated,
    ...(others.length > 0 ? { otherPlaces: others } : {}),
  };
}

function inOrderOfFile(one: ProblemLocation, other: ProblemLocation): number {
  return (one.file ?? "").localeCompare(other.file ?? "") || one.line - other.line || one.column - other.column;
}

function distinct(locations: ProblemLocation[]): ProblemLocation[] {
  return [
    ...new Map(
      locations.map((location) => [`${location.file}#${location.pointer}:${location.line}`, location]),
    ).values(),
  ];
}

/** Resolves all locations of a file in one pass over its text. */
function locator(
  locations: FoundLocation[],
  { getFile }: ProblemSources,
): (location: FoundLocation) => ProblemLocation {
  const wanted = new Map<string, string[]>();
  for (const { file, pointer, line } of locations) {
    if (line !== undefined) continue;
    const pointers = wanted.get(file) ?? [];
    wanted.set(file, pointers);
    pointers.push(pointer);
  }
  const positions = new Map([...wanted].map(([file, pointers]) => [file, getFile(file)?.locate(pointers)]));
  return ({ file, pointer, line, column = 1 }) => {
    const at = line === undefined ? (positions.get(file)?.get(pointer) ?? { line: 1, column: 1 }) : { line, column };
    return { pointer, ...(file === "" ? {} : { file }), ...at };
  };
}
