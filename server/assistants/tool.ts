import { z } from "zod";
import type { Assistant } from "./assistant.ts";

/** A tool's answer: a sentence of the portal's own, without any quoted text, and data. */
export interface Answer<Data> {
  summary: string;
  data: Data;
}

export interface Tool {
  name: string;
  title: string;
  /** For the model: what it returns, and when to use it. */
  description: string;
  input: z.ZodObject;
  /** Of the data. Members that it does not name are left out. */
  output: z.ZodObject;
  /** Omitted: it changes nothing. */
  effect?: "runs" | "proposes";
  answer(input: never, assistant: Assistant): Promise<Answer<unknown>>;
}

/** Infers the input and data of a tool from its schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  tool: Omit<Tool, "input" | "output" | "answer"> & {
    input: Input;
    output: Output;
    answer(input: z.output<Input>, assistant: Assistant): Promise<Answer<z.input<Output>>>;
  },
): Tool {
  return tool;
}

export const givenId = z.uuid();
/** In answers: the pattern of a UUID would be half of what a client has to read about each tool. */
export const id = z.string();
export const cursor = z.string().max(1_000).optional().describe("nextCursor of the page before");
export const limit = z.number().int().min(1).max(50).default(20);
export const nextCursor = z.string().nullable().describe("For the next page; null on the last");

/** "3 tests", "1 test". */
export const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
