import type { BodyPart } from "#contracts/test-registry/requests.ts";

type Headers = NonNullable<BodyPart["headers"]>;

/** One header a line, as in a message. */
export function writePartHeaders(headers: Headers | undefined): string {
  return (headers ?? []).map(({ name, value }) => `${name}: ${value}`).join("\n");
}

/** @returns the headers, or what is wrong with the text */
export function readPartHeaders(text: string): { headers: Headers | undefined; fault?: string } {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return { headers: undefined };
  const headers = lines.map((line) => {
    const [, name = "", value = ""] = /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    return { name, value };
  });
  const fault = "One header per line, e.g. Content-Language: en";
  return headers.some(({ name }) => name === "") ? { headers: undefined, fault } : { headers };
}
