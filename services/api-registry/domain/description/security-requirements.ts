import type { Authentication } from "#contracts/api-registry/authentication.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { toAlternatives } from "#libraries/openapi/unanswered-schemes.ts";

export type SecurityRequirements = Authentication["requirements"];

/** Documents rarely have more than a handful. */
const maxRequirements = 50;

/** Counts the different requirements of operations; scopes make no difference. */
export class RequirementCount {
  readonly #counts = new Map<string, { requirement: string[][]; count: number }>();

  add({ security }: Pick<DescribedOperation, "security">): void {
    if (security.length === 0) return;
    const requirement = toAlternatives(security);
    const key = JSON.stringify(requirement);
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { requirement, count: 1 });
  }

  /** The most frequent first. */
  list(): SecurityRequirements {
    return [...this.#counts.values()]
      .sort((one, other) => other.count - one.count)
      .slice(0, maxRequirements)
      .map(({ requirement }) => requirement);
  }
}
