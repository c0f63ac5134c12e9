/** A string, number, boolean or null. */
type Leaf = unknown;

/** What a JSON value holds, in order, and the shape that holds it: two values of one shape differ in leaves only. */
export interface Leaves {
  shape: string;
  values: Leaf[];
}

/** Of a value as JSON would have it: what has no JSON is omitted. */
export function toLeaves(value: unknown): Leaves {
  const values: Leaf[] = [];
  const shape: string[] = [];
  function walk(one: unknown): void {
    if (Array.isArray(one)) {
      shape.push("[");
      for (const item of one) walk(item);
      shape.push("]");
    } else if (typeof one === "object" && one !== null) {
      shape.push("{");
      for (const [key, item] of Object.entries(one)) {
        if (item === undefined) continue;
        shape.push(JSON.stringify(key));
        walk(item);
      }
      shape.push("}");
    } else {
      values.push(one ?? null);
      shape.push("_");
    }
  }
  walk(value);
  return { shape: shape.join(""), values };
}

/**
 * Writes those leaves that differ, as JSON of their numbers and values.
 * @param isSame whether the leaf with this number has this value in the other one
 */
export function writeDifferences(values: readonly Leaf[], isSame: (index: number, value: Leaf) => boolean): string {
  return JSON.stringify(values.flatMap((value, index) => (isSame(index, value) ? [] : [index, value])));
}

/** The value that has the same shape as `base`, and these differences. */
export function applyDifferences<Value>(base: Value, differences: string): Value {
  const written = JSON.parse(differences) as unknown[];
  let leaf = 0;
  let next = 0;
  function restore(one: unknown): unknown {
    if (Array.isArray(one)) return one.map(restore);
    if (typeof one === "object" && one !== null) {
      // Not by assignment: a key may be `__proto__`.
      return Object.fromEntries(Object.entries(one).map(([key, item]) => [key, restore(item)]));
    }
    if (written[next] !== leaf++) return one;
    next += 2;
    return written[next - 1];
  }
  return restore(base) as Value;
}
