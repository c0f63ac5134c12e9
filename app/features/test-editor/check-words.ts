import type { CheckName } from "#contracts/test-registry/assertions.ts";

/** Every built-in contract check with a one-line description. */
export const checkWords: Record<CheckName, { label: string; explanation: string }> = {
  not_a_server_error: {
    label: "No server error",
    explanation: "The status is below 500.",
  },
  status_code_conformance: {
    label: "Documented status",
    explanation: "The document describes a response with this status.",
  },
  content_type_conformance: {
    label: "Documented content type",
    explanation: "The response has a content type documented for its status.",
  },
  response_headers_conformance: {
    label: "Documented headers",
    explanation: "Required headers are present, and all documented headers match their schemas.",
  },
  response_schema_conformance: {
    label: "Documented schema",
    explanation: "The body matches the schema documented for its status.",
  },
  negative_data_rejection: {
    label: "Rejects invalid input",
    explanation: "For an invalid request: the API returns a 4xx status.",
  },
  positive_data_acceptance: {
    label: "Accepts valid input",
    explanation: "For a valid request: the API does not return a 4xx status.",
  },
  missing_required_header: {
    label: "Misses a required header",
    explanation: "For a request without a required header: the API returns a 4xx status.",
  },
  unsupported_method: {
    label: "Refuses other methods",
    explanation: "For a method the path does not have: the API returns 405 with an Allow header.",
  },
  ignored_auth: {
    label: "Requires authorization",
    explanation: "For a request without required authorization: the API returns 401 or 403.",
  },
  max_response_time: {
    label: "Response time",
    explanation: "The response arrives within the time below.",
  },
};
