import type { Logger } from "pino";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../../kit/client/client.ts";
import type { Clock } from "../../../kit/clock/clock.ts";
import { createCodePart } from "../../../kit/code/code-part.ts";
import type { IssueServiceToken } from "../../../kit/identity/identity.ts";
import type { ChannelSecrets } from "../../jobs/channel-secrets.ts";
import type { PublicUpdates } from "../../jobs/public-updates.ts";
import { type AnalyzerDatabase, schemaName } from "../../store/tables.ts";
import type { AddressLinks } from "../address-links.ts";
import { createAlertChannelKind } from "./alert-channels.ts";
import { createAlertRuleKind } from "./alert-rules.ts";
import { createReadMembers } from "./members.ts";
import { createServiceLevelKind } from "./service-levels.ts";
import { createStatusPageKind } from "./status-pages.ts";

/** The part of files that this service owns: alerting, service levels and status pages. */
export function createTestAnalyzerPart(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  log: Logger;
  secrets: ChannelSecrets;
  links: AddressLinks;
  updates: Pick<PublicUpdates, "publish">;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}) {
  const readMembers = createReadMembers(parts);
  return createCodePart({
    ...parts,
    schema: schemaName,
    kinds: [
      createAlertChannelKind({ ...parts, readMembers }),
      createAlertRuleKind(parts),
      createServiceLevelKind(),
      createStatusPageKind(parts),
    ],
  });
}
