/** Names in braces: `/users/{id}`. */
export function findPathParameters(path: string): Set<string> {
  return new Set([...path.matchAll(/\{([^{}\s]+)\}/g)].map(([, name]) => name!.replace(/^[;?&/#.+]|\*$/g, "")));
}

/** Path parameters in the syntax of frameworks: `:id`, `<id>`, `<int:id>`, `[id]`, `$id`, `{id:\\d+}`, `{id?}`. */
const spellings = [
  /(?<=\/):([A-Za-z_]\w*)\??(?=\/|$)/g,
  /(?<=\/)<(?:\w+:)?([A-Za-z_][\w-]*)>(?=\/|$)/g,
  /(?<=\/)\[([A-Za-z_][\w-]*)\](?=\/|$)/g,
  /(?<=\/)\$([A-Za-z_]\w*)(?=\/|$)/g,
  /\{([A-Za-z_][\w-]*)(?::[^{}\s]*|\?)\}/g,
];

/** Described path parameters that are written in a framework's syntax instead of in plain braces. */
export function findMisspeltParameters(
  path: string,
  isDescribed: (name: string) => boolean,
): { name: string; written: string }[] {
  return spellings.flatMap((spelling) =>
    [...path.matchAll(spelling)]
      .map(([written, name]) => ({ written, name: name! }))
      .filter(({ name }) => isDescribed(name)),
  );
}
