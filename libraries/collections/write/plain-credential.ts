import type { CollectedRequest, Pair } from "../collection.ts";

interface Sent {
  headers: { name: string; value: string }[];
  query: Pair[];
}

/** Adds a token or key as it is sent. @returns whether the credential is of such a kind */
export function addPlainCredential(
  authorization: CollectedRequest["authorization"],
  { headers, query }: Sent,
): boolean {
  if (authorization.kind === "bearer") {
    headers.push({ name: "Authorization", value: `Bearer ${authorization.secret}` });
    return true;
  }
  if (authorization.kind !== "apiKey") return false;
  const { name, secret: value } = authorization;
  if (authorization.in === "query") query.push({ name, value, enabled: true });
  else if (authorization.in === "header") headers.push({ name, value });
  else headers.push({ name: "Cookie", value: `${name}=${value}` });
  return true;
}
