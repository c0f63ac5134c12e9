import type { SubmissionResult } from "@conform-to/dom";
import type { Judgement } from "#contracts/test-analyzer/verifications.ts";
import type { Attempt } from "#contracts/test-executioner/attempts.ts";
import type { UnansweredSchemes } from "~/features/operation/unanswered-schemes";
import type { TestFormValues } from "./test-form-values.ts";

export interface EditedParameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  /** In words, such as "integer". */
  type: string;
}

/** What the editor says about the operation beside its fields. */
export interface EditedOperation {
  method: string;
  path: string;
  /** False when the current document has no such operation (any more): the test can still be edited. */
  documented: boolean;
  summary: string;
  deprecated: boolean;
  parameters: EditedParameter[];
  bodyMediaTypes: string[];
  responseStatuses: string[];
  /** Names with what kind they are, such as "shopKey, API key in header". */
  securitySchemes: { name: string; label: string }[];
  /** Alternatives the operation asks for; within one all are needed. */
  security: string[][];
}

export interface CredentialChoice {
  id: string;
  label: string;
}

export interface EditorContext {
  apiId: string;
  /** Where requests go unless the test says otherwise. */
  baseUrl: string | null;
  /** The environment in use. */
  environment: string | undefined;
  operation: EditedOperation;
  credentials: CredentialChoice[];
  /** Schemes of the operation that no authorization config answers at the base URL's host. */
  unanswered?: UnansweredSchemes;
}

/** A request that was sent from the editor without saving, and what its assertions would have said. */
export interface Trial {
  attempt: Omit<Attempt, "verdict">;
  judgement?: Judgement;
  /** Why there is no judgement although something is asserted. */
  notJudged?: string;
}

/** Where a request goes: the whole address as it is sent, or why it can't be sent. */
export interface RequestAddress {
  url: string | null;
  reason?: string;
}

/** What came of a pasted cURL command. */
export interface CurlAnswer {
  /** As it was pasted, until the form is filled from it. */
  command: string;
  fault?: string;
  /** What would be replaced, asked before it is. */
  replaces?: string[];
  /** Filled; what did not fit is said here. */
  notes?: string[];
}

/** Somebody else saved the same test meanwhile. */
export interface Conflict {
  version: number;
  updatedAt: string;
  /** Parts in which the stored test now differs from what is in the form. */
  differences: string[];
}

/** What the server answers to a form that stays open. */
export interface EditorReply {
  lastResult: SubmissionResult;
  trial?: Trial;
  conflict?: Conflict;
  /** Of what is in the form now. */
  address?: RequestAddress;
  curl?: CurlAnswer;
  /** Ids of the sections that were open, with spaces between them. */
  sections?: string;
  /** Asks before the test is deleted; everything typed stays. */
  asksToDelete?: boolean;
}

export interface EditorProps {
  context: EditorContext;
  values: TestFormValues;
  /** Of the values; undefined where nobody can say. */
  address: RequestAddress | undefined;
  reply?: Pick<EditorReply, "lastResult" | "trial" | "sections" | "address" | "curl">;
  /** Of the stored test; absent for a new one. */
  version?: number;
  cancelHref: string;
  sendAddress: string;
  schemaAddress: string;
  mayWrite: boolean;
  mayRun: boolean;
  /** Of "Save and run". */
  runKey: string;
}
