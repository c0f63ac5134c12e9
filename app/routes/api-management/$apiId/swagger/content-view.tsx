import { SchemaTree } from "~/features/schema-view/schema-tree";
import { CodeBlock } from "~/ui/code-block/code-block";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Prose } from "~/ui/prose/prose";
import * as styles from "./operation-sections.css";
import type { ContentView } from "./operation-view";

export interface ContentViewsProps {
  /** Prefix of the ids of examples. */
  id: string;
  contents: readonly ContentView[];
  getHref(location: string): string;
}

/** The content of a body: media types per schema, the schema itself and examples. */
export function ContentViews({ id, contents, getHref }: ContentViewsProps) {
  return contents.map(({ mediaTypes, schema, examples }, index) => (
    <Stack key={mediaTypes.join()} gap="small">
      <p>
        {mediaTypes.map((mediaType, at) => (
          <span key={mediaType}>
            {at > 0 && ", "}
            <code>{mediaType}</code>
          </span>
        ))}
      </p>
      {schema ? <SchemaTree node={schema} getHref={getHref} /> : <p className={styles.note}>No schema is defined.</p>}
      {examples.map(({ label, descriptionHtml, text }, at) => (
        <Disclosure key={label} summary={label}>
          <Stack gap="small">
            {descriptionHtml && <Prose sanitizedHtml={descriptionHtml} />}
            <CodeBlock id={`${id}-${index}-${at}`} label={label} labelHidden code={text} copy />
          </Stack>
        </Disclosure>
      ))}
    </Stack>
  ));
}
