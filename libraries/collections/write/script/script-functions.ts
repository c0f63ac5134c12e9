/** Functions that generated scripts use, by name; a script defines those it uses. */
const helpers: Record<string, { code: string; needs?: string[] }> = {
  items: {
    code: 'const items = (value) => (typeof value === "object" && value !== null ? Object.values(value) : []);',
  },
  only: { code: "const only = (list) => (list.length === 1 ? list[0] : list);" },
  same: {
    code: `const same = (one, other) => {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const names = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && same(one[name], other[name]))
  );
};`,
  },
  contains: {
    code: `const contains = (value, part) =>
  typeof value === "string" ? value.includes(String(part)) : Array.isArray(value) && value.some((one) => same(one, part));`,
    needs: ["same"],
  },
  size: {
    code: `const size = (value) =>
  typeof value === "string" ? [...value].length : typeof value === "object" && value !== null ? Object.keys(value).length : undefined;`,
  },
  typeName: {
    code: `const typeName = (value) =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value;`,
  },
  toTime: {
    code: `const toTime = (value) =>
  typeof value === "number" ? (value < 1e11 ? value * 1000 : value) : value === "now" ? Date.now() : Date.parse(value);`,
  },
  typed: {
    code: `const typed = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};`,
  },
};

/** Definitions of the helpers that these lines call, in an order in which they work. */
export function defineHelpers(lines: readonly string[]): string[] {
  const text = lines.join("\n");
  const used = new Set(Object.keys(helpers).filter((name) => new RegExp(`(?<![.\\w"])${name}(?=[()])`).test(text)));
  for (const name of [...used]) for (const needed of helpers[name]!.needs ?? []) used.add(needed);
  return Object.keys(helpers).flatMap((name) => (used.has(name) ? [helpers[name]!.code] : []));
}
