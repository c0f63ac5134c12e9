import type { SubmissionResult } from "@conform-to/dom";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { UnansweredNeed } from "~/features/authentication/authentication-need";
import type { LocationChoices } from "~/features/locations/location-choices.server";
import type { MarkupValue } from "./markup-value.ts";
import type { TestFormValues } from "./test-form-values.ts";

export interface EditedParameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  /** In words, such as "integer". */
  type: string;
}

/** The operation's details displayed at its fields. */
export interface EditedOperation {
  method: string;
  path: string;
  /** False if the current document no longer has the operation: the test can still be edited. */
  documented: boolean;
  summary: string;
  deprecated: boolean;
  parameters: EditedParameter[];
  bodyMediaTypes: string[];
  responseStatuses: string[];
  /** Names with their kind, such as "shopKey, API key in header". */
  securitySchemes: { name: string; label: string }[];
  /** Alternatives of the operation; all schemes of one alternative are needed. */
  security: string[][];
}

export interface CredentialChoice {
  id: string;
  label: string;
}

export interface EditorContext {
  apiId: string;
  /** Default target of the requests. */
  baseUrl: string | null;
  /** Why it is not the environment's or the API's. */
  ownServerNote?: string;
  /** The environment in use. */
  environment: string | undefined;
  operation: EditedOperation;
  credentials: CredentialChoice[];
  /** Where it may be sent from. */
  locations?: LocationChoices;
  /** May store credentials. */
  mayStore: boolean;
  /** What the operation asks for and no credential of the base URL's host answers. */
  need?: UnansweredNeed;
}

/** A request sent from the editor without saving, with the verifications of its response. */
export interface Trial {
  attempt: Omit<Attempt, "verdict">;
  judgement?: Judgement;
  /** Why there are no verifications although there are assertions. */
  notJudged?: string;
  /** The values of an XML body. */
  markup?: MarkupValue;
}

/** The full address of a request as it is sent, or why it can't be sent. */
export interface RequestAddress {
  url: string | null;
  /** It begins with the document's server for this operation. */
  server?: "operation";
  reason?: string;
}

/** The result of a pasted cURL command. */
export interface CurlAnswer {
  /** The pasted text, until the form is filled from it. */
  command: string;
  fault?: string;
  /** The values to be replaced, to be confirmed first. */
  replaces?: string[];
  /** The form was filled; lists the parts that did not fit. */
  notes?: string[];
}

/** Another user saved the same test meanwhile. */
export interface Conflict {
  version: number;
  updatedAt: string;
  /** Parts in which the stored test differs from the form. */
  differences: string[];
}

/** The server's response to a form that stays open. */
export interface EditorReply {
  lastResult: SubmissionResult;
  trial?: Trial;
  conflict?: Conflict;
  /** For the current values of the form. */
  address?: RequestAddress;
  curl?: CurlAnswer;
  /** Ids of the open sections, separated by spaces. */
  sections?: string;
  /** Confirms the deletion of the test; typed values are kept. */
  asksToDelete?: boolean;
}

export interface EditorProps {
  context: EditorContext;
  values: TestFormValues;
  /** Names of the values; undefined if unknown. */
  address: RequestAddress | undefined;
  reply?: Pick<EditorReply, "lastResult" | "trial" | "sections" | "address" | "curl">;
  /** Version of the stored test; absent for a new one. */
  version?: number;
  cancelHref: string;
  sendAddress: string;
  schemaAddress: string;
  mayWrite: boolean;
  mayRun: boolean;
  /** Idempotency key of "Save and run". */
  runKey: string;
}
