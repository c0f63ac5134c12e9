import type { TextResponse } from "../kit/endpoint.ts";

export const junit: TextResponse = {
  description: "JUnit XML: one test suite with a test case per execution.",
  example: '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites/>\n',
};
