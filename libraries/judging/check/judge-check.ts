import type { CheckName } from "#contracts/test-registry/assertions.ts";
import type { JudgedResponse } from "../judged-response.ts";
import type { SchemaValidator } from "../schema/schema-validator.ts";
import { type Evaluation, type JudgedVerification, judgeSafely } from "../verification.ts";
import {
  checkIgnoredAuthorization,
  checkNegativeRejection,
  checkNoServerError,
  checkPositiveAcceptance,
  checkRequiredHeader,
  checkResponseTime,
  checkUnsupportedMethod,
} from "./behaviour.ts";
import { checkContentType, checkResponseSchema, checkStatusCode } from "./conformance.ts";
import { checkResponseHeaders } from "./response-headers.ts";

type Check = (judged: JudgedResponse, validator: SchemaValidator) => Evaluation;

const checks: Record<CheckName, Check> = {
  not_a_server_error: checkNoServerError,
  status_code_conformance: checkStatusCode,
  content_type_conformance: checkContentType,
  response_headers_conformance: checkResponseHeaders,
  response_schema_conformance: checkResponseSchema,
  negative_data_rejection: checkNegativeRejection,
  positive_data_acceptance: checkPositiveAcceptance,
  missing_required_header: checkRequiredHeader,
  unsupported_method: checkUnsupportedMethod,
  ignored_auth: checkIgnoredAuthorization,
  max_response_time: checkResponseTime,
};

/** Evaluates one built-in check against one response. */
export function judgeCheck(name: CheckName, judged: JudgedResponse, validator: SchemaValidator): JudgedVerification {
  return judgeSafely({ kind: "check", source: name }, () => checks[name](judged, validator));
}
