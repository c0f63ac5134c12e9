import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { Egress } from "#libraries/egress/egress.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { SecurityTables } from "../store/tables.ts";
import { createProofOfWork } from "./proof-of-work.ts";
import type { HumanCheckProvider } from "./provider.ts";
import { createProviderCheck } from "./provider-check.ts";

interface CheckOptions {
  db: Kysely<SecurityTables>;
  clock: Clock;
  log: Logger;
  egress: Egress;
  secretsKey: string;
  humanCheckProvider: HumanCheckProvider | undefined;
}

/** The configured provider's check of visitors' forms, or a proof of work. */
export function createHumanCheck({ db, clock, log, egress, secretsKey, humanCheckProvider: provider }: CheckOptions) {
  return provider ? createProviderCheck({ provider, egress, log }) : createProofOfWork({ db, clock, secretsKey });
}
