import type { Row } from "../openapi/parameter-rows.ts";
import type { SampleBody } from "../openapi/sample-body.ts";

/** A request, independent of any language. */
export interface SampleRequest {
  method: string;
  url: string;
  headers: Row[];
  body?:
    | Exclude<SampleBody, { kind: "text" }>
    | { kind: "text"; mediaType: string; text: string }
    /** `chosenFile` is the name of a file in the current folder. */
    | { kind: "file"; mediaType: string; chosenFile: string };
  /** Basic authentication, for which languages have their own syntax. */
  basic?: { username: string; password: string };
  /** Why the code can't send everything that was asked for, in sentences. */
  notes?: string[];
}
