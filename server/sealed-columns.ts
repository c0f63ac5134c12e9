import { sql } from "kysely";
import { emailSealingContext, type WaitingEmail } from "../services/kit/mail/email-table.ts";
import { noOrganization } from "../services/kit/organization/no-organization.ts";
import type { SealedColumn } from "../services/kit/vault/sealed-column.ts";
import { sendingServices } from "./sending-services.ts";

const text = (value: unknown) => String(value);

/** A row bound to its organization and to `<name>/<id>`. */
const boundToItself = (
  schema: string,
  table: string,
  column: string,
  record: (id: string) => string,
): SealedColumn => ({
  schema,
  table,
  column,
  key: ["id"],
  others: ["organization_id"],
  toContext: ({ id, organization_id }) => ({ organizationId: text(organization_id), record: record(text(id)) }),
});

interface Variable {
  name: string;
  value: string;
  secret: boolean;
}

/** All columns with sealed values; a test finds a missing one. */
export const sealedColumns: SealedColumn[] = [
  {
    schema: "security_service",
    table: "signing_keys",
    column: "sealed_private_jwk",
    key: ["id"],
    toContext: ({ id }) => ({ organizationId: "installation", record: `signing_keys/${id}` }),
  },
  {
    schema: "security_service",
    table: "second_factors",
    column: "sealed_secret",
    key: ["user_id"],
    toContext: ({ user_id }) => ({ organizationId: "installation", record: `second_factors/${user_id}` }),
  },
  {
    schema: "security_service",
    table: "single_sign_ons",
    column: "sealed_client_secret",
    key: ["organization_id"],
    toContext: ({ organization_id }) => ({ organizationId: text(organization_id), record: "single_sign_ons" }),
  },
  {
    schema: "security_service",
    table: "vault_connections",
    column: "sealed_secret",
    key: ["organization_id"],
    toContext: ({ organization_id }) => ({ organizationId: text(organization_id), record: "vault_connections" }),
  },
  {
    schema: "api_registry",
    table: "secret_variables",
    column: "value",
    key: ["api_id", "environment", "name"],
    others: ["organization_id"],
    toContext: ({ api_id, environment, name, organization_id }) => ({
      organizationId: text(organization_id),
      record: `secret_variables/${api_id}/${environment}/${name}`,
    }),
  },
  boundToItself("security_service", "credentials", "sealed_secret", (id) => `credentials/${id}`),
  boundToItself("portal_service", "subscriptions", "approve_url", (id) => `subscriptions/${id}`),
  boundToItself("portal_service", "plan_changes", "approve_url", (id) => `plan-changes/${id}`),
  boundToItself("test_registry", "imports", "files", (id) => `imports/${id}`),
  {
    schema: "test_registry",
    table: "imported_objects",
    column: "sealed_secret",
    key: ["organization_id", "api_id", "collection", "kind", "source_key"],
    others: ["object_id"],
    toContext: ({ object_id, organization_id }) => ({
      organizationId: text(organization_id),
      record: `imported_objects/${object_id}`,
    }),
  },
  boundToItself("test_registry", "code_operations", "sealed_secrets", (id) => `code_operations/${id}`),
  boundToItself("test_analyzer", "alert_channels", "sealed_url", (id) => `alert_channels/${id}/url`),
  boundToItself("test_analyzer", "alert_channels", "sealed_key", (id) => `alert_channels/${id}/key`),
  boundToItself("test_analyzer", "alert_channels", "sealed_secret", (id) => `alert_channels/${id}/secret`),
  boundToItself("test_analyzer", "alert_channels", "sealed_previous_secret", (id) => `alert_channels/${id}/secret`),
  boundToItself("test_analyzer", "status_subscribers", "sealed_token", (id) => `status_subscribers/${id}`),
  {
    ...boundToItself("test_registry", "test_circles", "variables", (id) => `test_circles/${id}`),
    json: (value, { id, organization_id }, renew) =>
      (value as Variable[]).map((variable) => {
        const location = { organizationId: text(organization_id), record: `test_circles/${id}/${variable.name}` };
        return variable.secret ? { ...variable, value: renew(variable.value, location) } : variable;
      }),
  },
  {
    schema: "test_executioner",
    table: "run_captures",
    column: "value",
    key: ["run_id", "name"],
    others: ["organization_id"],
    where: sql`is_secret`,
    toContext: ({ run_id, name, organization_id }) => ({
      organizationId: text(organization_id),
      record: `run_captures/${run_id}/${name}`,
    }),
  },
  {
    schema: "mailbox",
    table: "letters",
    column: "sealed",
    key: ["id"],
    toContext: ({ id }) => ({ organizationId: noOrganization, record: `mailbox/${id}` }),
  },
  ...sendingServices.map(
    (service): SealedColumn => ({
      schema: service.replace("-", "_"),
      table: "letters",
      column: "sealed",
      key: ["id"],
      others: ["organization_id"],
      toContext: (row) => emailSealingContext(row as unknown as WaitingEmail),
    }),
  ),
];
