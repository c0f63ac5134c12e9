const maxLength = 300;

/** A JSON pointer formatted for display: `$.items[0].name`. */
export function describePointer(pointer: string): string {
  const location = pointer
    .slice(0, 1_000)
    .split("/")
    .slice(1)
    .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"))
    .reduce((path, step) => {
      if (/^\d+$/.test(step)) return `${path}[${step}]`;
      return /^[A-Za-z_]\w*$/.test(step) ? `${path}.${step}` : `${path}[${JSON.stringify(step)}]`;
    }, "$");
  return location.length > maxLength ? `${location.slice(0, maxLength)}…` : location;
}
