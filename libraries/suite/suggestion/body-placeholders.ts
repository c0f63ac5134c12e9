import { placeholderPattern } from "#libraries/template/placeholders.ts";

/** Stands around a placeholder whose value is a JSON number; no text of a document has it at both ends. */
const mark = "\ue000";

/** A placeholder that is sent as a number: without quotes in JSON. */
export function numberPlaceholder(variable: string): string {
  return `${mark}{{${variable}}}${mark}`;
}

/** A text written from a body's value, with the placeholders of numbers as they are sent. */
export function writePlaceholders(text: string): string {
  return text.replaceAll(`"${mark}`, "").replaceAll(`${mark}"`, "").replaceAll(mark, "");
}

const instances: Record<string, string[]> = {
  $uuid: ["3fa85f64-5717-4562-b3fc-2c963f66afa6", "00000000-aaaa-4bbb-8ccc-dddddddddddd"],
  $timestamp: ["1790000000", "1800000001"],
  $randomInt: ["0", "999"],
};

/** Texts as they may be sent, for checking whether a schema allows all of them. */
export function listInstances(template: string): string[] {
  return [0, 1].map((index) =>
    template.replace(placeholderPattern(), (_, name: string) => instances[name]?.[index] ?? name),
  );
}
