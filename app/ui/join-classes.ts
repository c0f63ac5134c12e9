/**
 * One `class` value out of names that may be absent; undefined when none is left, so that no empty attribute is written.
 *
 * A class handed to a part may place it (margin, grid area, width) but can't restyle it: the build links a page's sheet before
 * the sheets of the parts it shares with other pages. Where one part does restyle another, its selector is `&&`.
 */
export function joinClasses(...names: (string | false | null | undefined)[]): string | undefined {
  let joined = "";
  for (const name of names) if (name) joined += joined ? ` ${name}` : name;
  return joined || undefined;
}
