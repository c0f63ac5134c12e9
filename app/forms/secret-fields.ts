/** Names of fields that take a password or a credential's secret: what is typed there is never kept and never shown again. */
export const secretFields: readonly string[] = ["password", "secret"];
