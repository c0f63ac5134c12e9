import type { SmtpOptions } from "../services/kit/mail/smtp.ts";
import { StartRefused } from "../services/kit/service/start-refused.ts";
import type { PayPalAccount } from "../services/portal-service/payment/paypal/paypal-calls.ts";
import type { HumanCheckProvider } from "../services/security-service/human-check/provider.ts";
import { listVariables, readVariables, type VariableValues } from "./variable.ts";
import { sender } from "./variable-kinds.ts";
import { processParts, variables } from "./variables.ts";

type Values = VariableValues<typeof variables>;

/** As used in `/api/<name>` and `services/<name>`. */
export type ServiceName = keyof Values["serviceUrls"];

export interface Configuration extends Omit<Values, "mail" | "recaptcha" | "paypal"> {
  /** Unset: mail stays in a local mailbox (embedded database), or can't be sent (PostgreSQL). */
  smtp: SmtpOptions | undefined;
  /** The contact address for visitors, displayed on every page. */
  contactAddress: string;
  /** Unset: public forms use a proof of work in the browser instead. */
  humanCheckProvider: HumanCheckProvider | undefined;
  /** Unset: payments use a sandbox (embedded database), or nothing is sold (PostgreSQL). */
  paypal: (PayPalAccount & { webhookId: string }) | undefined;
  version: string;
}

export class ConfigurationError extends StartRefused {
  override readonly name = "ConfigurationError";
}

/** The conflicts between individually valid variables. */
function findRelationError({
  databaseUrl,
  secretsKey,
  run,
  mail,
  recaptcha,
  paypal,
  ...values
}: Values): string | undefined {
  if (databaseUrl && !secretsKey)
    return "SECRETS_KEY is needed with DATABASE_URL: every process on that database must have the same one, as from: openssl rand -base64 32";
  if (!databaseUrl && !processParts.every((part) => run.includes(part)))
    return "RUN needs all of portal, worker and scheduler without DATABASE_URL: the embedded database serves one process.";
  if (values.nats.url && !databaseUrl) return "NATS_URL needs DATABASE_URL: the embedded database serves one process.";
  if (mail.url && !mail.from) return "MAIL_URL needs MAIL_FROM: every email has a sender.";
  const { secretsEnvironmentPrefix: prefix } = values;
  const exposed = prefix && listVariables(variables).find(({ name }) => name.startsWith(prefix));
  if (exposed)
    return `CREDENTIALS_ENVIRONMENT_PREFIX needs a prefix that none of the portal's own variables has: ${exposed.name} starts with it.`;
  if (!recaptcha.siteKey !== !recaptcha.secret) return "RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET are needed together.";
  const { clientId, clientSecret, webhookId } = paypal;
  if (!(clientId && clientSecret && webhookId) && (clientId || clientSecret || webhookId))
    return "PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID are needed together.";
  return undefined;
}

function addressIn(mailFrom: string | undefined): string | undefined {
  const [, bracketed, bare] = sender.exec(mailFrom ?? "") ?? [];
  return bracketed ?? bare;
}

function getPaypal({ clientId, clientSecret, webhookId, apiUrl }: Values["paypal"]): Configuration["paypal"] {
  return clientId && clientSecret && webhookId ? { clientId, clientSecret, webhookId, apiUrl } : undefined;
}

/**
 * Reads the configuration from environment variables.
 * @throws ConfigurationError with one line per variable: its name and the expected form
 */
export function parseConfiguration(environment: Record<string, string | undefined>): Configuration {
  const errors = new Set<string>();
  const { mail, recaptcha, paypal, ...values } = readVariables(variables, environment, (line) => errors.add(line));
  if (errors.size > 0) throw new ConfigurationError([...errors].join("\n"));
  const error = findRelationError({ mail, recaptcha, paypal, ...values });
  if (error) throw new ConfigurationError(error);
  const { siteKey, secret } = recaptcha;
  return {
    ...values,
    smtp: mail.url && mail.from ? { url: mail.url, from: mail.from } : undefined,
    contactAddress: mail.contact ?? addressIn(mail.from) ?? "contact@api-assurance.example",
    humanCheckProvider: siteKey && secret ? { ...recaptcha, siteKey, secret } : undefined,
    paypal: getPaypal(paypal),
    version: "0.2.0",
  };
}
