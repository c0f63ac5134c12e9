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
    explanation: "The response has a content type that the document names for its status.",
  },
  response_headers_conformance: {
    label: "Documented headers",
    explanation: "Required headers are there, and all documented ones fit their schemas.",
  },
  response_schema_conformance: {
    label: "Documented schema",
    explanation: "The body fits the schema that the document has for its status.",
  },
  negative_data_rejection: {
    label: "Rejects wrong input",
    explanation: "For a request that breaks the document: the API answers with a 4xx status.",
  },
  positive_data_acceptance: {
    label: "Accepts right input",
    explanation: "For a request that keeps to the document: the API does not answer with a 4xx status.",
  },
  missing_required_header: {
    label: "Misses a required header",
    explanation: "For a request without a required header: the API answers with a 4xx status.",
  },
  unsupported_method: {
    label: "Refuses other methods",
    explanation: "For a method that the path does not have: the API answers 405 with an Allow header.",
  },
  ignored_auth: {
    label: "Asks for authorization",
    explanation: "For a request without authorization where it is needed: the API answers 401 or 403.",
  },
  max_response_time: {
    label: "Answers in time",
    explanation: "The response comes within the time below.",
  },
};
