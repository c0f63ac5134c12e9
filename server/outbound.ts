import { createEgress, type ExplainingEgress, type OwnTarget, parseEgressAllow } from "#libraries/egress/egress.ts";
import type { Settings } from "../services/kit/settings/settings.ts";
import type { Configuration } from "./configuration.ts";

/**
 * The egress door for user-supplied addresses; the permitted private ones are those in EGRESS_ALLOW and those added
 * by operators.
 */
export function openOutbound(
  { databaseUrl, egressAllow }: Pick<Configuration, "databaseUrl" | "egressAllow">,
  ownTargets: OwnTarget[],
): { egress: ExplainingEgress; follow(settings: Settings): void } {
  const named = parseEgressAllow(egressAllow ?? "");
  const policy = { allow: named, allowLoopback: !databaseUrl && egressAllow === undefined, ownTargets };
  return {
    egress: createEgress({ policy }),
    follow(settings) {
      settings.follow((now) => {
        policy.allow = [...named, ...now.egressAllow.flatMap(parseEgressAllow)];
      });
    },
  };
}
