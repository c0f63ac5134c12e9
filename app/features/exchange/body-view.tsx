import { CodeBlock } from "~/ui/code-block/code-block";
import type { JsonHighlight } from "~/ui/json-view/fold-json";
import { JsonView } from "~/ui/json-view/json-view";

/** Larger texts are displayed from their beginning only: the page has to stay usable on a slow connection. */
const displayedCharacters = 100_000;

interface BodyViewProps {
  id: string;
  label: string;
  text: string;
  /** Address of the complete body as a file, where it has one. */
  file?: string;
  /** Errors in the body, where it is JSON. */
  marks?: readonly JsonHighlight[];
}

/** A body as JSON where it is JSON, else as text. Never as markup. */
export function BodyView({ id, label, text, file, marks }: BodyViewProps) {
  const isJson = text.length <= displayedCharacters && /^\s*[[{]/.test(text);
  const displayed = text.slice(0, displayedCharacters);
  const cut = text.length - displayed.length;
  return (
    <>
      {isJson ? (
        <JsonView id={id} label={label} text={text} highlights={marks} />
      ) : (
        <CodeBlock id={id} label={label} code={displayed} wrap copy />
      )}
      {text !== "" && (cut > 0 || file !== undefined) && (
        <p>
          {cut > 0 && `${cut.toLocaleString("en")} more characters are not shown. `}
          {file !== undefined && (
            <a href={file} download>
              Save as a file
            </a>
          )}
        </p>
      )}
    </>
  );
}
