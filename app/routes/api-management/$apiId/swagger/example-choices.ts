import type { MediaTypeContent, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { sampleBody } from "#libraries/openapi/sample-body.ts";
import type { SelectOption } from "~/ui/select/select";

interface Choice extends SelectOption {
  content: MediaTypeContent;
}

/** Every body that the document gives an example of, or one generated from the schema. */
function getChoices({ operation }: OperationWithComponents): Choice[] {
  const contents = operation.requestBody?.content ?? [];
  return contents.flatMap((content, index) => {
    const { mediaType, examples, sample } = content;
    const words = (label: string) => (contents.length > 1 ? `${label} (${mediaType})` : label);
    if (examples.length > 0) {
      return examples.map(({ name, summary, value, valueJson }, at) => ({
        value: `${index}.${at}`,
        label: words(summary || (name && name !== "example" ? name : "Example")),
        content: { ...content, sample: value, sampleJson: valueJson },
      }));
    }
    return sample === undefined || !isSendable(content)
      ? []
      : [{ value: `${index}`, label: words("Generated from the schema"), content }];
  });
}

/** A generated sample of a type that no schema can be written as could not be sent. */
function isSendable(content: MediaTypeContent): boolean {
  const body = sampleBody(content);
  return body.kind !== "text" || body.text !== undefined;
}

/** The picker's options; empty where there is no choice. */
export function exampleChoices(result: OperationWithComponents): SelectOption[] {
  const choices = getChoices(result);
  return choices.length > 1 ? choices.map(({ value, label }) => ({ value, label })) : [];
}

/** The picked body, with the example as its sample. */
export function pickedContent(result: OperationWithComponents, value: string | null): MediaTypeContent | undefined {
  return getChoices(result).find((choice) => choice.value === value)?.content;
}
