/**
 * Joins class names that may be absent; undefined when none is left, so that no empty attribute is written.
 *
 * A class passed to a component may place it (margin, grid area, width) but can't restyle it: the build links a page's
 * sheet before the sheets of shared components. Where one component does restyle another, its selector is `&&`.
 */
export function joinClasses(...names: (string | false | null | undefined)[]): string | undefined {
  let joined = "";
  for (const name of names) if (name) joined += joined ? ` ${name}` : name;
  return joined || undefined;
}
