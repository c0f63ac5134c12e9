/** JavaScript that reads a JSONPath. A `list` has all values that it selects. */
export interface PathCode {
  code: string;
  isList: boolean;
}

const step = /\.([\p{L}_][\p{L}\p{N}_]*)|\[(-?\d+)\]|\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]|(\.\*|\[\*\])/uy;

/**
 * A path of names, indexes and wildcards as JavaScript; undefined for one with filters, slices, lists of selectors or
 * descendants.
 * @param root expression of the parsed body
 */
export function writeJsonPath(root: string, path: string): PathCode | undefined {
  if (!path.startsWith("$")) return undefined;
  let code = root;
  let isList = false;
  let at = 1;
  while (at < path.length) {
    step.lastIndex = at;
    const found = step.exec(path);
    if (!found) return undefined;
    const [whole, name, index, single, double, wildcard] = found;
    if (wildcard !== undefined) {
      code = isList ? `${code}.flatMap(items)` : `items(${code})`;
      isList = true;
    } else {
      const access = writeAccess(name ?? unquote(single ?? double), index, at === 1 && !isList);
      code = isList ? `${code}.map((one) => one${access}).filter((one) => one !== undefined)` : code + access;
    }
    at += whole.length;
  }
  return { code, isList };
}

function unquote(text: string | undefined): string | undefined {
  return text?.replace(/\\(.)/g, "$1");
}

function writeAccess(name: string | undefined, index: string | undefined, isFirst: boolean): string {
  if (index !== undefined) {
    if (index.startsWith("-")) return `?.at(${index})`;
    return isFirst ? `[${index}]` : `?.[${index}]`;
  }
  const isPlain = /^[A-Za-z_]\w*$/.test(name ?? "");
  if (isPlain) return isFirst ? `.${name}` : `?.${name}`;
  return `${isFirst ? "" : "?."}[${JSON.stringify(name)}]`;
}
