import { compilePattern, documentPatternLimits, UnsupportedPattern } from "../../pattern/pattern.ts";

export interface PatternFault {
  message?: string;
}

/** RE2 instead of ajv's default engine. A pattern that RE2 can't compile matches everything and is reported. */
export function patternEngine(fault: PatternFault) {
  const engine = (source: string) => {
    try {
      const pattern = compilePattern(source, documentPatternLimits);
      return { test: (text: string) => pattern.test(text), toString: () => source };
    } catch (error) {
      if (!(error instanceof UnsupportedPattern)) throw error;
      const message = `${error.message} It reads ${source.slice(0, 200)}`;
      const test = () => {
        fault.message ??= message;
        return true;
      };
      return { test, toString: () => source };
    }
  };
  // Names the engine in standalone code, which is never generated.
  return Object.assign(engine, { code: "patternEngine" }) as unknown as {
    (source: string, flags: string): RegExp;
    code: string;
  };
}
