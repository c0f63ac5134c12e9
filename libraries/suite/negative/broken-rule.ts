/** One request that breaks exactly one rule of its document. */
export interface BrokenRule {
  /** By what it breaks: "title is missing". */
  name: string;
  in: "body" | "field" | "path" | "query" | "header" | "cookie" | "mediaType" | "accept";
  /** Of the parameter, or of the form's field; "" for what is none. */
  parameter: string;
  /** Where in the body or the parameter's value. */
  path: readonly (string | number)[];
  /** The broken keyword of the schema, or what else the document says; `required` for what is missing. */
  keyword: string;
  /** As it is sent, with placeholders; undefined for what is not sent. */
  text: string | undefined;
  /** 0 is the most valuable. */
  rank: number;
}
