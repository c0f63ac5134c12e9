import type { HostRules } from "#contracts/security-service/authorization-configs.ts";
import type { Cause } from "#contracts/test-executioner/attempts.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import { isSafe } from "../openapi/safe-methods.ts";

/** Causes of requests that a rule of their domain prevents. */
const codes = ["domain_unverified", "unsafe_method_refused", "unsafe_method_unconfirmed"] as const;

export interface RuledRequest {
  method: string;
  /** Host name with the port when it is not the scheme's default. */
  host: string;
}

/** Settings of the installation and of a run's start that apply to all of its requests. */
export interface RuleContext {
  verifiedDomainsOnly: boolean;
  /** Started by a user, who confirmed methods that may change something. */
  isConfirmed: boolean;
}

/** Runs that a user starts manually: the portal asks before it sends anything that may change something. */
export function isConfirmed(trigger: RunTrigger): boolean {
  return trigger === "manual" || trigger === "rerun";
}

export function isRuledOut({ code }: Cause): boolean {
  return codes.some((known) => known === code);
}

/** Why a request is not sent; undefined when it may be. */
export function findRefusal({ method, host }: RuledRequest, rules: HostRules, context: RuleContext): Cause | undefined {
  if (context.verifiedDomainsOnly && !rules.isVerified) {
    const code: (typeof codes)[number] = "domain_unverified";
    return {
      code,
      detail: `Nothing was sent: this installation tests verified domains only, and ${host} is not verified. An administrator proves it under Administration, Domains.`,
    };
  }
  if (isSafe(method) || rules.unsafeMethods === "allowed") return undefined;
  const [verb, domain] = [method.toUpperCase(), rules.ruledBy ?? host];
  if (rules.unsafeMethods === "refused") {
    const code: (typeof codes)[number] = "unsafe_method_refused";
    return { code, detail: `Nothing was sent: the domain ${domain} takes no ${verb} requests from tests.` };
  }
  if (context.isConfirmed) return undefined;
  const code: (typeof codes)[number] = "unsafe_method_unconfirmed";
  return {
    code,
    detail: `Nothing was sent: the domain ${domain} allows ${verb} requests only in manual runs.`,
  };
}
