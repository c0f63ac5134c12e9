import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";

/** Requests' chains that are tried to make one finding simpler. */
const mostTries = 40;

/** A value that leads to a failure, with what its arbitrary knows of how it was made. */
export interface Failing<Value> {
  value: Value;
  context: unknown;
}

/**
 * The simplest value with the same failure that the arbitrary leads to: of the simpler ones that it proposes the first
 * that fails, and so on.
 */
export async function shrink<Value>(
  arbitrary: Arbitrary<Value>,
  failing: Failing<Value>,
  fails: (value: Value) => Promise<boolean>,
): Promise<Value> {
  let simplest = failing;
  let tries = 0;
  for (let isSimpler = true; isSimpler; ) {
    isSimpler = false;
    for (const { value, context } of arbitrary.shrink(simplest.value, simplest.context)) {
      tries += 1;
      if (tries > mostTries) return simplest.value;
      if (!(await fails(value))) continue;
      simplest = { value, context };
      isSimpler = true;
      break;
    }
  }
  return simplest.value;
}

/** For a value that no arbitrary made: texts get shorter and plainer, whole numbers smaller. */
export function shrinkerOf(value: unknown): Arbitrary<unknown> | undefined {
  if (typeof value === "string") {
    const characters = [...new Set(["a", ...value])];
    return fc.array(fc.constantFrom(...characters), { maxLength: Math.max(1, value.length) }).map(
      (parts) => parts.join(""),
      (text) => [...(text as string)],
    );
  }
  if (Number.isSafeInteger(value)) return fc.maxSafeInteger();
  return undefined;
}

/** Without each of the items that is not needed for the failure. */
export async function dropNeedless<Item>(
  items: readonly Item[],
  fails: (items: Item[]) => Promise<boolean>,
): Promise<Item[]> {
  let needed = [...items];
  for (let index = needed.length - 1; index >= 0 && needed.length > 1; index -= 1) {
    const fewer = needed.toSpliced(index, 1);
    if (await fails(fewer)) needed = fewer;
  }
  return needed;
}
