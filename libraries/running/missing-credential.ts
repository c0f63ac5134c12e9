import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { isAnsweredByHand } from "../openapi/answering-credential.ts";
import { describeAlternatives } from "../openapi/scheme-words.ts";
import { listUnanswered, toAlternatives } from "../openapi/unanswered-schemes.ts";
import { isSecretName } from "../redaction/secret-signs.ts";
import type { RequestPlan } from "./request-plan.ts";
import { Unsendable } from "./unsendable.ts";

/** Code of a request that inherits its authorization and for which no credential is stored. */
export const noCredential = "no_credential";

/**
 * @throws Unsendable for an operation that requires authentication when the request has nothing to authenticate with,
 * neither where a scheme wants it nor under a name that says it is a secret
 */
export function requireCredential(plan: RequestPlan, operation: OperationWithComponents | undefined): void {
  if (!operation || bringsSecret(plan)) return;
  const { securitySchemes } = operation;
  const alternatives = toAlternatives(operation.operation.security);
  const isAnswered = (name: string) => {
    const scheme = securitySchemes.find((one) => one.name === name);
    // A name that the document doesn't explain can't be answered by anybody.
    return !scheme || isAnsweredByHand(scheme, plan);
  };
  const unanswered = listUnanswered(alternatives, isAnswered);
  if (unanswered.length === 0) return;
  throw new Unsendable(
    noCredential,
    `No credential for ${plan.host}: the operation requires ${describeAlternatives(unanswered, securitySchemes)}, so nothing was sent. Store one under Authentication in the API's settings. A test of the refusal itself has the authorization "None".`,
  );
}

/** A value whose name says that it authenticates, whatever the document calls it. */
function bringsSecret({ headers, query, cookies }: RequestPlan): boolean {
  const names = [...query, ...cookies].map((pair) => pair.slice(0, Math.max(pair.indexOf("="), 0)));
  return [...headers.map(([name]) => name), ...names].some(isSecretName);
}
