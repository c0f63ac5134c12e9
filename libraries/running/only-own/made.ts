import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Test } from "#contracts/test-registry/tests.ts";

/** Methods whose success can make something new; others change or remove what their address names. */
export function canMake(method: string): boolean {
  return /^(post|put)$/i.test(method);
}

/**
 * Whether a response says that its request made something new: a 2xx, of a PUT a 201, since any other replaced what was
 * there (RFC 9110, 9.3.4), unless its address was generated for this request. The response to a GET that followed a
 * redirect says nothing about it.
 */
export function hasMade(
  { method, path, request }: Pick<Test, "method" | "path" | "request">,
  effect: MemberEffect | undefined,
  { status, redirects }: Pick<ReceivedResponse, "status" | "redirects">,
): boolean {
  if (effect !== "makes" || !canMake(method) || status < 200 || status > 299) return false;
  if (redirects.some((hop) => hop.status !== 307 && hop.status !== 308)) return false;
  if (method.toUpperCase() === "POST" || status === 201) return true;
  const last = [...path.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1];
  const pair = request.pathParameters.findLast(({ name, enabled }) => enabled && name === last);
  return /\{\{\s*\$(uuid|guid)\s*\}\}/.test(pair?.value ?? "");
}
