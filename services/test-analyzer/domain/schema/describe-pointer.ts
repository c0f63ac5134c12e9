import { cut } from "../describe-value.ts";

/** A pointer as people write places: `$.items[0].name`. */
export function describePointer(pointer: string): string {
  const place = cut(pointer, 1_000)
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"))
    .reduce((path, step) => {
      if (/^\d+$/.test(step)) return `${path}[${step}]`;
      return /^[A-Za-z_]\w*$/.test(step) ? `${path}.${step}` : `${path}[${JSON.stringify(step)}]`;
    }, "$");
  return cut(place, 300);
}
