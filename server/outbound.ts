import { createEgress, type ExplainingEgress, type OwnTarget, parseEgressAllow } from "#libraries/egress/egress.ts";
import type { Settings } from "../services/kit/settings/settings.ts";
import type { Configuration } from "./configuration.ts";

/** The door to given addresses, whose list of private ones is what EGRESS_ALLOW names and what operators add to it. */
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
