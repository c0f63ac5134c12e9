import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import type { Json } from "#libraries/json/json.ts";
import { listedRows, plainMembers } from "#libraries/json/listed-rows.ts";
import { isJson, parseMediaType } from "#libraries/judging/media-type.ts";

const maxMembers = 100;

/** Members of a GET response, by its example or schema. Other methods are never sent to look up values. */
export function givenMembers({ method, responses }: DescribedOperation): string[] {
  if (method !== "get") return [];
  const success =
    responses.find(({ status }) => /^2/.test(status)) ?? responses.find(({ status }) => status === "default");
  const content = success?.content.find(({ mediaType, sample }) => {
    const parsed = parseMediaType(mediaType);
    return sample !== undefined && parsed !== undefined && isJson(parsed);
  });
  const [row] = content ? listedRows(content.sample as Json) : [];
  if (row === undefined) return [];
  return plainMembers(row)
    .map(([name]) => name)
    .filter((name) => name.length <= 200)
    .slice(0, maxMembers);
}
