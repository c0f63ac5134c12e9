export interface SecretVariableTable {
  organization_id: string;
  api_id: string;
  /** Empty for a variable that all environments share. */
  environment: string;
  name: string;
  /** Sealed; null with a reference. */
  value: string | null;
  /** JSON of a SecretReference. */
  reference: unknown;
}
