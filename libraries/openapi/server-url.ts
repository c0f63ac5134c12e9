import type { ApiServer } from "#contracts/api-registry/documents.ts";

/** The absolute http(s) URL with variables' defaults filled in; undefined if one is missing, or the base that it needs. */
export function resolveServerUrl(
  url: string,
  variables: ApiServer["variables"],
  base: string | undefined,
): string | undefined {
  const filled = url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = variables.find((one) => one.name === name);
    return variable && variable.default !== "" ? variable.default : (variable?.enum?.[0] ?? whole);
  });
  if (/[{}]/.test(filled) || !URL.canParse(filled, base)) return undefined;
  const resolved = new URL(filled, base);
  if (resolved.protocol !== "http:" && resolved.protocol !== "https:") return undefined;
  return resolved.href.replace(/\/$/, "");
}
